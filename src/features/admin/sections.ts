import type { Attention } from './attention.ts'

interface Section {
  readonly path: string
  readonly label: string
  /** Returns the number of things in the section that need attention. */
  readonly count?: (waiting: Attention) => number
}

/** The sections of the administration, in the order of its menu. */
export const SECTIONS: readonly Section[] = [
  { path: '/admin', label: 'Overview' },
  { path: '/admin/inbox', label: 'Inbox', count: ({ pendingJobs }) => pendingJobs },
  { path: '/admin/jobs', label: 'Jobs' },
  { path: '/admin/categories', label: 'Categories' },
  { path: '/admin/terms', label: 'Employment types' },
  { path: '/admin/plans', label: 'Plans' },
  { path: '/admin/users', label: 'Users' },
  { path: '/admin/subscribers', label: 'Subscribers' },
  { path: '/admin/analytics', label: 'Statistics' },
  { path: '/admin/changes', label: 'Changes' },
  { path: '/admin/sources', label: 'Sources', count: ({ failedSources }) => failedSources },
  { path: '/admin/mail', label: 'E-mail', count: ({ failedMails }) => failedMails },
  { path: '/admin/webhooks', label: 'Webhooks', count: ({ failedWebhooks }) => failedWebhooks },
  { path: '/admin/data', label: 'Import & export' },
  { path: '/admin/settings', label: 'Settings' },
]

import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import { bodyLimits } from '../../http/request/body.ts'
import { readFields } from '../../http/request/fields.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { type Reply, seeOther } from '../../http/response/reply.ts'
import { formAt, hiddenRoute, type RouteContext } from '../../http/route.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import { getJobToManage, requireConfirmed } from '../jobs/access.ts'
import { createJob } from '../jobs/actions.ts'
import { JOBS_PER_MINUTE } from '../jobs/rules.ts'
import { NewDraft, NewJob } from '../jobs/schema.ts'
import { ResetRequest } from '../resets/schema.ts'
import { askClaim, claim, createUnclaimed, takesAnonymousJobs } from './anonymousPost.ts'
import { type Desk, signInPath } from './desk.ts'
import type { FieldDefinition, FormState } from './field.ts'
import { formRoutes } from './form.ts'
import { jobFields, LOGO_FILE, missingRecords, newJobValues, PLAN_FIELD, presentPlans } from './jobForm.ts'
import { jobInputOf } from './jobInput.ts'
import { jobsAfter } from './jobRoutes.ts'
import { presentPreview } from './preview.ts'

/** The number of previews in a minute for one network. */
const PREVIEWS_PER_MINUTE = 60

/** Creates the page to post a job, and its preview. */
export function postRoutes(desk: Desk) {
  const post = postForm(desk)
  return new Elysia({ name: 'posting jobs' })
    .use(formAt('/post', post))
    .post('/post/preview', ...hiddenRoute(context => preview(desk, context)))
    .get('/post/confirm', ...hiddenRoute(context => askClaim(desk, context)))
    .post('/post/confirm', ...hiddenRoute(context => claim(desk, context)))
}

const postForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'jobForm',
    access: takesAnonymousJobs(desk) ? 'public' : 'user',
    perNetwork: POSTS_PER_MINUTE,
    file: LOGO_FILE,
    title: 'Post a job',
    fields: ({ session }) => [...(session ? [] : [EMAIL]), ...jobFields(desk.board), PLAN_FIELD],
    initial: () => newJobValues(desk.board),
    // Forms of a session have its token, by which a double click is recognized.
    hidden: ({ session }) => (session ? {} : { form_id: crypto.randomUUID() }),
    view: (context, state) => formView(desk, context, state),
    submit: (context, fields) =>
      desk.once.run(context.path, fields, () =>
        context.session ? createPosted(desk, context, fields) : createUnclaimed(desk, context, fields),
      ),
  })

const EMAIL: FieldDefinition = {
  name: 'email',
  label: 'Your e-mail address',
  type: 'email',
  schema: ResetRequest.properties.email,
  autocomplete: 'email',
  hint: "We'll send you a link that posts the job and creates your account.",
}

const formView = ({ board }: Desk, { session }: RouteContext, state: FormState) => ({
  plans: presentPlans(board, state),
  missing: missingRecords(board),
  source: '',
  is_new: true,
  needs_email: !session,
  may_schedule: true,
  may_submit: false,
  logo_path: '',
  kept_logo: state.keptLogo ?? null,
  cancel_path: session ? '/account' : '/',
})

async function createPosted({ board }: Desk, context: RouteContext, fields: Fields): Promise<Reply> {
  const { caller, services } = context
  requireConfirmed(board, caller)
  const input = jobInputOf(fields)
  const isDraft = input.values.get('draft') === 'true'
  const validation: Validation<Static<typeof NewDraft>> = isDraft
    ? validate(NewDraft, input)
    : validate(NewJob, input)
  const create = () => createJob(board, caller, validation)
  const { id } =
    caller.userId === undefined || isAdmin(caller)
      ? await create()
      : await services.rateLimit.countForAccount(caller.userId, context.path, JOBS_PER_MINUTE, create)
  return seeOther(jobsAfter(isDraft ? 'save' : 'submit', id))
}

/** Shows a job's page as it would be, from the fields of its form. Nothing is stored. */
async function preview(desk: Desk, context: RouteContext): Promise<Reply> {
  if (!context.session && !takesAnonymousJobs(desk)) return seeOther(signInPath(context))
  context.services.rateLimit.countForNetwork(context.clientAddress, context.path, PREVIEWS_PER_MINUTE)
  const fields = await readFields(context, bodyLimits({ access: 'public', file: LOGO_FILE }))
  const id = Number(fields.values.get('job_id'))
  const saved = id > 0 ? getJobToManage(desk.board, context.caller, id) : undefined
  return desk.pages.privateReply(context, 'posting', presentPreview(desk.board, fields, saved), 200, {})
}

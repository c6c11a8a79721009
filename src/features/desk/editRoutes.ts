import { Elysia } from 'elysia'
import { attempt } from '../../base/later.ts'
import { Problem } from '../../base/problem.ts'
import { type Reply, seeOther } from '../../http/response/reply.ts'
import { formAt } from '../../http/route.ts'
import type { JobRow } from '../../store/rows.ts'
import { type Fields, validate } from '../../validation/validation.ts'
import { requireConfirmed } from '../jobs/access.ts'
import { updateJob } from '../jobs/actions.ts'
import { submitJob } from '../jobs/lifecycle.ts'
import { mayChangePlan } from '../jobs/publication.ts'
import { renewJob } from '../jobs/renewal.ts'
import { validateSubmission } from '../jobs/rules.ts'
import { Renewal } from '../jobs/statusSchema.ts'
import { countText } from '../pages/view.ts'
import type { Desk } from './desk.ts'
import type { FieldDefinition } from './field.ts'
import { formRoutes } from './form.ts'
import { jobFields, jobValues, LOGO_FILE, PLAN_FIELD, presentPlans } from './jobForm.ts'
import { jobInputOf } from './jobInput.ts'
import { jobAt, jobsAfter, NO_ITEMS } from './jobRoutes.ts'
import { deskPath } from './jobView.ts'

/** Creates the forms to edit, submit and renew a job. */
export function editRoutes(desk: Desk) {
  const edit = editForm(desk)
  const submit = submissionForm(desk)
  const renew = renewalForm(desk)
  return new Elysia({ name: 'editing jobs' })
    .use(formAt('/account/jobs/:id/edit', edit))
    .use(formAt('/account/jobs/:id/submit', submit))
    .use(formAt('/account/jobs/:id/renew', renew))
}

const CHANGED =
  'The job was changed in the meantime, perhaps in another tab. Check your entries, then save again to replace that.'

/** The form of a job. A second button submits the job, too. */
const editForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'jobForm',
    access: 'user',
    file: LOGO_FILE,
    title: context => `Edit: ${jobAt(desk, context).title}`,
    fields: () => [...jobFields(desk.board), PLAN_FIELD],
    initial: context => jobValues(jobAt(desk, context)),
    problems: context =>
      context.query.has('check')
        ? validateSubmission(jobAt(desk, context), desk.board.store.read).errors
        : {},
    hidden: context => {
      const { id, updatedAt } = jobAt(desk, context)
      return { updated_at: updatedAt, job_id: id }
    },
    view: (context, state) => {
      const job = jobAt(desk, context)
      return {
        plans: mayChangePlan(job) ? presentPlans(desk.board, state) : [],
        missing: [],
        source: job.source ?? '',
        is_new: false,
        needs_email: false,
        may_schedule: job.publishedAt === null || job.publishedAt > desk.board.clock(),
        may_submit: isSubmittable(job),
        logo_path: job.logo === '' ? '' : `/logos/${job.logo}`,
        kept_logo: state.keptLogo ?? null,
        cancel_path: '/account',
      }
    },
    submit: async (context, fields) => {
      const { board } = desk
      const job = jobAt(desk, context)
      requireUnchanged(job, fields)
      await updateJob(board, context.caller, job.id, jobInputOf(fields, job.publishAt))
      if (fields.values.get('after') !== 'submit') return seeOther(jobsAfter('save', job.id))
      requireConfirmed(board, context.caller)
      await submitJob(board, context.caller, job.id)
      return seeOther(jobsAfter('submit', job.id))
    },
  })

/** Whether the job still has to be submitted. */
const isSubmittable = ({ submittedAt, refusal }: JobRow) => submittedAt === null || refusal !== null

/** @throws Problem 'conflict' if the job was changed after the form was shown. The form that comes back has the new time */
function requireUnchanged({ updatedAt }: JobRow, { values }: Fields): void {
  const seen = values.get('updated_at')
  if (typeof seen === 'string' && seen !== '' && seen !== String(updatedAt))
    throw new Problem('conflict', CHANGED)
}

const submissionForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    access: 'user',
    title: context => `Submit: ${jobAt(desk, context).title}`,
    fields: () => [],
    view: () => ({ ...NO_ITEMS, texts: [], button: 'Submit', cancel_path: '/account' }),
    submit: (context): Promise<Reply> => {
      requireConfirmed(desk.board, context.caller)
      const { id } = context.params
      const submit = async () => {
        await submitJob(desk.board, context.caller, id)
        return seeOther(jobsAfter('submit', id))
      }
      return Promise.resolve(
        attempt<Reply>(submit, error => {
          // The form shows what is missing.
          if (error instanceof Problem && error.kind === 'invalid')
            return seeOther(`${deskPath(id)}/edit?check=1`)
          throw error
        }),
      )
    },
  })

const renewalForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    access: 'user',
    title: context => `Renew: ${jobAt(desk, context).title}`,
    fields: context => [renewalPlanField(desk, jobAt(desk, context))],
    initial: context => new Map([['plan_id', jobAt(desk, context).planId]]),
    view: () => ({
      ...NO_ITEMS,
      texts: ["The plan's period is added to the last day of the job, or to today if that has passed."],
      button: 'Renew',
      cancel_path: '/account',
    }),
    submit: (context, fields) =>
      desk.once.run(context.path, fields, async () => {
        const { plan_id: planId } = validate(Renewal, fields).valueOrThrow()
        const { id } = await renewJob(desk.board, context.caller, context.params.id, planId)
        return seeOther(jobsAfter('renew', id))
      }),
  })

function renewalPlanField({ board }: Desk, { planId }: JobRow): FieldDefinition {
  const own = board.store.read.plans.get(planId)
  return {
    name: 'plan_id',
    label: 'Plan',
    type: 'select',
    hint: own?.archived === true ? `The plan “${own.name}” is no longer available.` : '',
    options: presentPlans(board, { values: new Map(), errors: {}, message: '' }).map(
      ({ id, name, price, features }) => ({
        value: id,
        name: `${name}: ${features[0] ?? countText(0, 'day')}, ${price}`,
      }),
    ),
  }
}

import { isAdmin } from '../../base/caller.ts'
import { attempt, type Later } from '../../base/later.ts'
import { type FieldErrors, forbidden, Problem } from '../../base/problem.ts'
import { bodyLimits } from '../../http/request/body.ts'
import { readFields } from '../../http/request/fields.ts'
import { FORM_TOKEN, formToken, isFormToken } from '../../http/request/formToken.ts'
import { httpStatusOf, INVALID } from '../../http/response/errors.ts'
import { type HiddenReply, type Reply, seeOther } from '../../http/response/reply.ts'
import { hiddenRoute, type RouteContext } from '../../http/route.ts'
import type { FileField } from '../../http/routeDescription.ts'
import type { Fields } from '../../validation/validation.ts'
import type { TemplateName } from '../pages/templates.ts'
import { type Desk, signInPath } from './desk.ts'
import { type FieldDefinition, type FormState, presentErrors, presentFields } from './field.ts'
import { keepLogo } from './jobInput.ts'

/** A page with a form. It is sent to the path of the page, unless a button says otherwise. */
export interface FormPage {
  readonly template: TemplateName
  readonly title: string | ((context: RouteContext) => string)
  /** Whether somebody has to be signed in. */
  readonly access: 'public' | 'user' | 'admin'
  readonly fields: (context: RouteContext) => readonly FieldDefinition[]
  /** Returns the values to begin with. */
  readonly initial?: (context: RouteContext) => ReadonlyMap<string, unknown>
  /** Returns the errors of these values. */
  readonly problems?: (context: RouteContext) => FieldErrors
  /** Returns the values of hidden fields. */
  readonly hidden?: (context: RouteContext, state: FormState) => Readonly<Record<string, unknown>>
  /** Returns the rest of the template's view. */
  readonly view?: (context: RouteContext, state: FormState) => object
  readonly file?: FileField
  /** Whether `submit` reads the body, because its file is large. It then has to call `requireGenuine`. */
  readonly readsUpload?: boolean
  /** The number of requests in a minute from one network by people who aren't signed in. */
  readonly perNetwork?: number
  /** Handles the sent form. If it throws a Problem, the form is shown again. */
  readonly submit: (context: RouteContext, fields: Fields) => Later<Reply>
}

/** Matches what messages say to programs only, such as ` (PUT /jobs/7/renew.json)`. */
const API_HINT = / \((?:PUT|POST) [^)]*\)/g
const EXPIRED = 'This form was open for too long. Please send it again.'
const NO_ERRORS: FieldErrors = {}
const NO_VALUES: ReadonlyMap<string, unknown> = new Map()
const NO_FIELDS: Fields = { values: NO_VALUES, isForm: true }

/** Creates the routes of a form: GET shows it, and POST submits it or brings it back. */
export function formRoutes(desk: Desk, page: FormPage) {
  const show = (context: RouteContext) => {
    if (page.access !== 'public' && !context.session) return seeOther(signInPath(context))
    requireRole(page, context)
    const values = page.initial?.(context) ?? NO_VALUES
    const errors = page.problems?.(context) ?? NO_ERRORS
    return render(desk, page, context, { values, errors, message: '' }, 200)
  }
  const submit = async (context: RouteContext): Promise<Reply> => {
    if (page.access !== 'public' && !context.session) return seeOther(signInPath(context))
    requireRole(page, context)
    const fields = page.readsUpload ? NO_FIELDS : await readFields(context, bodyLimits(page))
    return await attempt<Reply>(
      () => {
        if (!page.readsUpload) requireGenuine(context, fields)
        limit(page, context)
        return page.submit(context, fields)
      },
      error => reject(desk, page, context, fields, error),
    )
  }
  return { get: hiddenRoute(show), post: hiddenRoute(submit) }
}

/** @throws Problem 'forbidden' if the page is for administrators only */
function requireRole({ access }: FormPage, { caller }: RouteContext): void {
  if (access === 'admin' && !isAdmin(caller)) throw forbidden()
}

/** @throws Problem 'invalid' if somebody is signed in and the form doesn't come from a page that this session was shown */
export function requireGenuine({ session }: RouteContext, { values }: Fields): void {
  if (session && !isFormToken(session, values.get(FORM_TOKEN))) throw new Problem('invalid', EXPIRED)
}

/** Limits forms that anyone can send, as the public POSTs of the API are. */
function limit({ perNetwork }: FormPage, { session, services, clientAddress, path }: RouteContext): void {
  if (!session && perNetwork !== undefined)
    services.rateLimit.countForNetwork(clientAddress, path, perNetwork)
}

/** Brings a form back with the values that were entered, and with the logo that was uploaded. */
async function reject(desk: Desk, page: FormPage, context: RouteContext, fields: Fields, error: unknown) {
  if (!(error instanceof Problem)) throw error
  const { message, details } = error
  const keptLogo = page.file && (await keepLogo(desk.board, fields))
  const text = message.replaceAll(API_HINT, '')
  const state = { values: fields.values, errors: details.errors ?? NO_ERRORS, message: text, keptLogo }
  // Browsers ask for Basic credentials on 401.
  const status = error.kind === 'unauthenticated' ? INVALID : httpStatusOf(error)
  const { retryAfter } = details
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return render(desk, page, context, state, status, headers)
}

function render(
  desk: Desk,
  page: FormPage,
  context: RouteContext,
  state: FormState,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HiddenReply {
  const { template, title, hidden, view } = page
  const definitions = page.fields(context)
  const form = {
    message: state.message,
    errors: presentErrors(definitions, state),
    errors_heading: 'Please correct the following',
    hidden: [
      ...(context.session ? [{ name: FORM_TOKEN, value: formToken(context.session) }] : []),
      ...Object.entries(hidden?.(context, state) ?? {}).map(([name, value]) => ({
        name,
        value: value ?? '',
      })),
    ],
  }
  const text = typeof title === 'string' ? title : title(context)
  const shown = status === 200 ? text : `Error: ${text}`
  return desk.reply(
    context,
    template,
    shown,
    { form, heading: text, fields: presentFields(definitions, state), ...view?.(context, state) },
    status,
    headers,
  )
}

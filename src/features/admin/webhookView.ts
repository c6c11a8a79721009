import { momentText } from '../../base/clock.ts'
import type { RouteContext } from '../../http/route.ts'
import type { DeliveryRow, WebhookRow, WebhookStatus } from '../../store/webhookRows.ts'
import { countText } from '../pages/view.ts'
import { getWebhook, listDeliveries } from '../webhooks/actions.ts'
import type { Admin } from './admin.ts'
import {
  type Cell,
  linkAction,
  linkCell,
  listView,
  pillCell,
  type TableRow,
  textCell,
  timeCell,
} from './listing.ts'
import { pageOfList } from './listPages.ts'

export const WEBHOOKS_PATH = '/admin/webhooks'

/** Returns the path of a webhook's page, or of one of its forms. */
export const webhookPath = (id: number, form = '') => `${WEBHOOKS_PATH}/${id}${form && `/${form}`}`

const STATUS_PILLS: Readonly<Record<WebhookStatus, readonly [name: string, pill: string]>> = {
  enabled: ['Enabled', 'good'],
  disabled: ['Disabled', 'plain'],
  failing: ['Failing', 'bad'],
}

/** Returns the view of the list of webhooks. */
export const webhookList = ({ board }: Admin) => ({
  fields: null,
  list: listView({
    columns: ['Webhook', 'Changes', 'Status', 'Last error'],
    rows: board.store.read.webhooks.all().map(webhookRow),
    links: [{ label: 'New webhook', path: `${WEBHOOKS_PATH}/new` }],
    texts: ['Webhooks tell other programs of changes, such as a newsletter, a chat or your own site.'],
    empty: 'There is no webhook yet.',
  }),
})

function webhookRow(row: WebhookRow): TableRow {
  const { id, url, description, types, lastError } = row
  return {
    id,
    name: url,
    cells: [
      linkCell(url, webhookPath(id), description ?? ''),
      textCell(types.length === 0 ? 'All' : countText(types.length, 'type')),
      statusCellOf(row),
      textCell(lastError ?? ''),
    ],
    actions: [linkAction('Edit', webhookPath(id, 'edit')), linkAction('Delete', webhookPath(id, 'delete'))],
  }
}

function statusCellOf({ status, attempts }: WebhookRow): Cell {
  if (status === 'enabled' && attempts > 0) return pillCell('Trying again', 'wait')
  return pillCell(...STATUS_PILLS[status])
}

/** Returns the view of a webhook with its deliveries. @throws Problem 'notFound' */
export function webhookView({ board }: Admin, { params: { id }, query }: RouteContext) {
  const { read } = board.store
  const row = getWebhook(read, id)
  const { items, pager } = pageOfList(listDeliveries(read, id), webhookPath(id), query)
  const isOn = row.status === 'enabled' && row.attempts === 0
  const button = (label: string, verb: string) => ({ label, path: webhookPath(id, verb), is_post: true })
  const link = (label: string, form: string) => ({ label, path: webhookPath(id, form), is_plain: true })
  return {
    fields: null,
    list: listView({
      columns: ['Change', 'Time', 'Result', 'Details', 'Try'],
      rows: items.map((delivery, at) => deliveryRow(delivery, at, board.clock)),
      links: [
        button('Send a test', 'test'),
        ...(isOn ? [] : [button(row.status === 'enabled' ? 'Try now' : 'Enable', 'enable')]),
        ...(row.status === 'enabled' ? [button('Disable', 'disable')] : []),
        link('Edit', 'edit'),
        link('Replay', 'replay'),
        link('New secret', 'secret'),
      ],
      texts: [row.url, ...(row.description === null ? [] : [row.description]), ...factsOf(row)],
      pager,
      empty: 'Nothing was sent yet.',
    }),
  }
}

/** Says in sentences how a webhook is doing. */
function factsOf({ types, status, position, skipped, attempts, nextAttemptAt, lastError }: WebhookRow) {
  const next = `continues after change ${position}`
  const sentences = [
    types.length === 0 ? 'It is sent all changes.' : `It is sent these changes: ${types.join(', ')}.`,
  ]
  if (status === 'failing') {
    const reason =
      lastError === null
        ? 'Its deliveries have stopped'
        : `The last of ${attempts} tries failed: ${lastError}`
    sentences.push(`${reason}. Once you enable it, it ${next}.`)
  } else if (status === 'disabled')
    sentences.push(
      `It is disabled${lastError === null ? '' : ` because the last try failed: ${lastError}`}. Once you enable it, it ${next}.`,
    )
  else if (attempts > 0 && nextAttemptAt !== null)
    sentences.push(
      `The next change failed ${countText(attempts, 'time')}: ${lastError}. It is tried again on ${momentText(nextAttemptAt)}.`,
    )
  else sentences.push(`It was told of everything up to change ${position}.`)
  if (skipped > 0)
    sentences.push(`${countText(skipped, 'change')} could not be sent, because they were no longer kept.`)
  return sentences
}

function deliveryRow(
  { seq, type, at, attempt, responseStatus, duration, error }: DeliveryRow,
  index: number,
  clock: Admin['board']['clock'],
): TableRow {
  const status = responseStatus === null ? '' : `Status ${responseStatus}, `
  return {
    id: index,
    name: type,
    cells: [
      textCell(type, seq === null ? 'Test' : `Change ${seq}`),
      timeCell(at, clock),
      error === null ? pillCell('Delivered', 'good') : pillCell('Failed', 'bad'),
      textCell(error ?? `${status}${duration} ms`),
      textCell(attempt),
    ],
    actions: [],
  }
}

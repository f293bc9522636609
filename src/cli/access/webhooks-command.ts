/** `scriptorium webhooks`: manages addresses that receive events within the reach of a link. */
import program from '../../../package.json' with { type: 'json' }
import { endpoints } from '../../../tools/index.ts'
import { createAddressCheck } from '../../base/client-address.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { markUnseen } from '../../base/unseen-characters.ts'
import { selectTools } from '../../call/catalog/tool-selection.ts'
import { FEED_TYPES } from '../../space/feed/read-feed.ts'
import { logOccurrence } from '../../space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { listWebhooks, removeWebhook, testWebhook, WAITING_COUNTED, type WebhookInfo } from '../../webhooks/webhooks.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'

export type WebhooksAction = 'list' | 'test' | 'remove'

export async function runWebhooks(
  space: OpenSpace,
  action: WebhooksAction,
  options: Options,
): Promise<CommandResult & { isComplete: boolean }> {
  const { operand } = options
  switch (action) {
    case 'list': {
      const { webhooks, isServed } = await space.read(OPERATOR_LINK, (view) => listWebhooks(view, endpoints))
      return { value: { webhooks, isServed }, ...linesOf(webhooks, isServed), isComplete: true }
    }
    case 'remove': {
      const webhook = await space.write(OPERATOR_LINK, async (view) => {
        const removed = await removeWebhook(view, operand, endpoints)
        await logOccurrence(view, 'webhooks_remove', { ids: [removed.id], about: { host: new URL(removed.url).host } })
        return removed
      })
      return { value: webhook, lines: [['Removed', ...fieldsOf(webhook)]], isComplete: true }
    }
    case 'test': {
      const { url, isResumed, ...result } = await testWebhook(space, operand, {
        version: program.version,
        ...allowedAddresses(options),
      })
      const lines = result.isAccepted
        ? [[`Sent a test to ${url}: it was accepted.${isResumed ? ' What waits is sent again.' : ''}`]]
        : [[`Sent a test to ${url}: ${result.reason}.`]]
      return { value: { url, isResumed, ...result }, lines, isComplete: result.isAccepted }
    }
  }
}

/** Networks in which webhooks may be, in addition to public ones, and the hosts that subscriptions may name. */
export const allowedAddresses = ({
  webhookAllow,
  eventHosts,
}: Options): { isAllowed?: (address: string) => boolean; eventHosts?: readonly string[] } => ({
  ...(webhookAllow !== undefined && { isAllowed: createAddressCheck(webhookAllow) }),
  ...(eventHosts !== undefined && { eventHosts }),
})

const COLUMNS = ['ID', 'Address', 'Link', 'Link name', 'Events', 'State', 'Waiting']

function linesOf(webhooks: readonly WebhookInfo[], isServed: boolean): Pick<CommandResult, 'lines' | 'table'> {
  if (webhooks.length === 0) return { lines: [['There are no webhooks; links add --webhook makes one.']] }
  const rows = webhooks.map(fieldsOf)
  const notes = isServed ? [] : ['Nothing is sent at the moment: no server runs. Start one with serve.']
  return { lines: [...rows, ...notes.map((note) => [note])], table: { columns: COLUMNS, rows, notes } }
}

function fieldsOf({
  id,
  url,
  linkId,
  linkName,
  events,
  mine,
  subscription,
  waiting,
  ...webhook
}: WebhookInfo): string[] {
  const count = waiting < WAITING_COUNTED ? `${waiting}` : `at least ${waiting}`
  const wanted = `${events?.join(',') ?? 'all events'}${mine === false ? ' of others' : ''}`
  const selected = subscription === undefined ? wanted : subscriptionText(subscription)
  return [id, url, linkId, linkName, selected, stateOf(webhook), `${count} waiting`]
}

function subscriptionText({ event, arguments: given, client, expiresAt }: NonNullable<WebhookInfo['subscription']>) {
  const narrowed = Object.keys(given).length > 0 ? ` ${JSON.stringify(given)}` : ''
  return markUnseen(`${event}${narrowed}${client === undefined ? '' : ` for ${client}`} until ${expiresAt}`)
}

function stateOf({
  state,
  deliveredAt,
  failures,
  retryAt,
  lastError,
  pausedAt,
  heldAt,
  endReason,
}: Omit<WebhookInfo, 'id' | 'url' | 'linkId' | 'linkName' | 'events' | 'mine' | 'subscription' | 'waiting'>): string {
  switch (state) {
    case 'ended':
      return `ended: ${endReason}`
    case 'paused':
      return heldAt === undefined ? `paused ${pausedAt}: ${lastError}` : `paused ${heldAt} by a person`
    case 'retrying':
      return `tried again ${retryAt} after ${formatCount(failures ?? 0, 'failure')}: ${lastError}`
    case 'sending':
      return deliveredAt === undefined ? 'nothing sent yet' : `sent ${deliveredAt}`
  }
}

/**
 * Parses the events of a webhook: types such as `reminder.due`, and tools by name or noun, separated by commas.
 *
 * @throws VALIDATION_ERROR for a word that is neither
 */
export function parseEvents(list: string): string[] {
  const words = list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const writing = endpoints.filter(({ effect }) => effect !== 'read').map(({ name }) => name)
  const events = words.flatMap((word) =>
    (FEED_TYPES as readonly string[]).includes(word) ? word : toolsOf(word, writing),
  )
  if (events.length > 0) return [...new Set(events)]
  throw invalid(`Expected types of events or tools as --events, found none; leave it out for all.`)
}

function toolsOf(word: string, names: readonly string[]): string[] {
  try {
    return [...(selectTools(names, [word]).tools ?? [])]
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    throw invalid(
      `Expected types of events (${FEED_TYPES.join(', ')}) or tools that write, by name or noun, as --events, found ${word}.`,
    )
  }
}

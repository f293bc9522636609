/** `scriptorium links`: manages access links, which define what their holders may reach and do. */

import {
  type AccessLinkInfo,
  addAccessLink,
  allowEvents,
  exposeDocuments,
  formatOrigin,
  listAccessLinkInfos,
  pauseAccessLink,
  resumeAccessLink,
} from '../../auth/access-links/access-links.ts'
import { endLink, logGivenWork } from '../../auth/access-links/ended-members.ts'
import { addGroupLink, type PersonalLink } from '../../auth/access-links/group-links.ts'
import { parseDuration } from '../../base/durations.ts'
import { invalid } from '../../base/errors.ts'
import { logAdministration, logOccurrence } from '../../space/model/audit-log.ts'
import { dayBounds, parseTimestamp, validateDate } from '../../space/model/dates.ts'
import { OPERATOR_LINK, type Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { WorkDecision } from '../../space/open-work/give-work.ts'
import { addWebhook, checkWebhookAddress } from '../../webhooks/webhooks.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'
import { memberFields } from './members-command.ts'
import { allowedAddresses, parseEvents } from './webhooks-command.ts'

export type LinksAction = 'add' | 'list' | 'revoke' | 'pause' | 'resume' | 'expose' | 'events'

export async function runLinks(space: OpenSpace, action: LinksAction, options: Options): Promise<CommandResult> {
  const { operand, secondOperand, documents } = options
  switch (action) {
    case 'add':
      return runAdd(space, options)
    case 'list': {
      const links = await space.read(OPERATOR_LINK, listAccessLinkInfos)
      const none = [['There are no links; links add makes one.']]
      if (links.length === 0) return { value: links, lines: none }
      const table = { columns: LINK_COLUMNS, rows: links.map(linkRow) }
      return { value: links, lines: links.map(linkFields), table }
    }
    case 'revoke': {
      const { link, given, note } = await space.write(OPERATOR_LINK, async (view) => {
        const { ended, given } = await endLink(view, operand, workDecision(options))
        return {
          link: ended,
          given,
          note: await logGivenWork(view, 'links_revoke', ended.id, given, workAbout(options)),
        }
      })
      const lines = [withPrefix('Revoked', linkFields(link)), ...(note === undefined ? [] : [[note]])]
      return { value: { ...link, ...(given && { given }) }, lines }
    }
    case 'pause':
    case 'resume': {
      const change = action === 'pause' ? pauseAccessLink : resumeAccessLink
      const link = await space.write(OPERATOR_LINK, async (view) => {
        const changed = await change(view, operand)
        await logAdministration(view, 'links_pause', [changed.id], { isPaused: action === 'pause' })
        return changed
      })
      return { value: link, lines: [linkFields(link)] }
    }
    case 'expose': {
      const link = await space.write(OPERATOR_LINK, async (view) => {
        const changed = await exposeDocuments(view, operand, documents)
        await logOccurrence(view, 'links_expose', { ids: [changed.id], about: { documents } })
        return changed
      })
      return { value: link, lines: [linkFields(link)] }
    }
    case 'events': {
      if (secondOperand !== 'on' && secondOperand !== 'off') {
        throw invalid(`Expected on or off after the ID of the link, found ${secondOperand}.`)
      }
      const link = await space.write(OPERATOR_LINK, async (view) => {
        const changed = await allowEvents(view, operand, secondOperand === 'on')
        await logOccurrence(view, 'links_events', { ids: [changed.id], about: { events: secondOperand } })
        return changed
      })
      return { value: link, lines: [linkFields(link)] }
    }
  }
}

async function runAdd(space: OpenSpace, options: Options): Promise<CommandResult> {
  const { group } = options
  if (group !== undefined && options.calendar) {
    throw invalid('Expected a calendar or a link for a group, found both; leave --group out.')
  }
  if (group !== undefined) return runAddToGroup(space, group, options)
  const { kind, access, documents, bearer, expires, name, participant, noEvents, webhook: url } = options
  if (options.calendar && url !== undefined) {
    throw invalid('Expected a calendar or a webhook, found both; make a link for each.')
  }
  const isKnown = url === undefined || (await checkWebhookAddress(url, allowedAddresses(options).isAllowed))
  const { info, secret, webhook } = await space.write(OPERATOR_LINK, async (view) => {
    const expiresAt = expires === undefined ? undefined : parseExpiry(view, expires)
    const fields = { kind, access, documents, isBearer: bearer, name, participant, expiresAt, noEvents }
    const newLink = { ...fields, isCalendar: options.calendar, ...memberFields(options) }
    const added = await addAccessLink(view, newLink)
    const about = { kind, access, documents, name: added.info.name, participant, expiresAt, webhook: url }
    await logOccurrence(view, 'links_add', { ids: [added.info.id], about })
    if (url === undefined) return { ...added, webhook: undefined }
    const webhook = await runAddWebhook(view, added.info.id, url, options)
    return { ...added, webhook: isKnown ? webhook : { ...webhook, isNameKnown: false } }
  })
  const added = addressesOf(info, secret, options)
  const value = { id: info.id, secret, kind, access: info.access, ...added.urls, ...(webhook && { webhook }) }
  const lines = [
    withPrefix('Made', linkFields(info)),
    ['Its secret is shown only this once:'],
    ...added.lines,
    ...(webhook === undefined
      ? []
      : [
          [`What happens within its reach is sent to ${webhook.url} as webhook ${webhook.id}, signed with`],
          [`  ${webhook.secret}`],
        ]),
    ...(isKnown
      ? []
      : [[`The name in ${url} is not known here at the moment; webhooks test tells whether it is reached.`]]),
  ]
  return { value, lines }
}

/** What the flags say about the open work of somebody who is removed. */
export const workDecision = ({ giveTo, keepWork }: Options): WorkDecision => ({
  giveTo,
  keepsWork: keepWork,
  hint: ' (--give-to MEMBER, or --keep-work)',
})

/** What the log says about the open work of somebody who is removed. */
export const workAbout = ({ giveTo, keepWork }: Options): object => ({ giveTo, ...(keepWork && { keepsWork: true }) })

/** Gives a link to a group: each person in it has an address of their own. */
async function runAddToGroup(space: OpenSpace, group: string, options: Options): Promise<CommandResult> {
  const { kind, access, documents, bearer: isBearer, expires, name, noEvents } = options
  const { info, people } = await space.write(OPERATOR_LINK, async (view) => {
    const expiresAt = expires === undefined ? undefined : parseExpiry(view, expires)
    const added = await addGroupLink(view, { group, kind, access, documents, isBearer, name, expiresAt, noEvents })
    await logOccurrence(view, 'links_add', {
      ids: [added.info.id],
      about: { group, kind, access, documents, name, expiresAt },
    })
    return added
  })
  const given = givenLinks(people, options)
  const none = [[`No person is in ${info.group} yet; groups update --add prints an address for each who joins.`]]
  return {
    value: { id: info.id, kind, access, group: info.group, people: given.value },
    lines: [withPrefix('Made', linkFields(info)), ...(people.length > 0 ? given.lines : none)],
  }
}

/** The links that people got by their group, with the addresses, which are shown this once. */
export function givenLinks(people: readonly PersonalLink[], options: Options): { value: object[]; lines: string[][] } {
  const all = people.map(({ info, secret }) => ({ info, secret, ...addressesOf(info, secret, options) }))
  return {
    value: all.map(({ info: { id, name }, secret, urls }) => ({ id, name, secret, ...urls })),
    lines: all.flatMap(({ info, lines }) => [
      [`For ${info.name}, whose secret is shown only this once:`, info.id],
      ...lines,
    ]),
  }
}

function addressesOf({ id, isBearer, isCalendar }: AccessLinkInfo, secret: string, options: Options) {
  const base = `${baseUrl(options)}/links/${isBearer ? id : secret}`
  if (isCalendar) {
    const calendarUrl = `${base}/calendar.ics`
    return { urls: { calendarUrl }, lines: [[`  Calendar  ${calendarUrl}`]] }
  }
  const urls = { restUrl: `${base}/api/v1`, mcpUrl: `${base}/mcp` }
  // A browser sends no secret as a header.
  const pageUrl = isBearer ? undefined : `${base}/view`
  return {
    urls: { ...urls, ...(pageUrl !== undefined && { pageUrl }) },
    lines: [
      [`  MCP   ${urls.mcpUrl}`],
      [`  REST  ${urls.restUrl}`],
      ...(pageUrl === undefined ? [] : [[`  Page  ${pageUrl}, for a person in a browser`]]),
      ...(isBearer ? [[`  Authorization: Bearer ${secret}`]] : []),
    ],
  }
}

async function runAddWebhook(view: Space, linkId: string, url: string, { events: list, othersOnly }: Options) {
  const events = list === undefined ? undefined : parseEvents(list)
  const added = await addWebhook(view, linkId, url, events, othersOnly)
  return { ...added, url, ...(events && { events }), ...(othersOnly && { mine: false }) }
}

/** The address of the server, as the flags give it. */
export const baseUrl = ({ publicUrl, host, port, tlsCert }: Options): string =>
  publicUrl?.replace(/\/+$/, '') ?? formatOrigin({ host, port, isSecure: tlsCert !== undefined })

/**
 * Parses a time with its offset, a date (meaning its end), or a duration from now such as `30d`. In milliseconds since
 * 1970.
 */
function parseExpiry(view: Space, expires: string): number {
  const duration = parseDuration(expires)
  if (duration !== undefined) return view.now + duration
  if (/^\d{4}-\d{2}-\d{2}$/.test(expires)) return dayBounds(validateDate(expires), view).to
  if (/^\d{4}-/.test(expires)) return parseTimestamp(expires)
  throw invalid(
    `Expected a time such as 2027-01-01T00:00:00Z, a date, or a while such as 12h or 30d as --expires, found ${expires}.`,
  )
}

export const LINK_COLUMNS = ['ID', 'Name', 'Reach', 'Access', 'Remarks', 'Whose', 'State', 'Documents']

/** The fields of a link that say something. */
const linkFields = (link: AccessLinkInfo): string[] => {
  const { id, name, kind, access, documents, ...rest } = link
  const fields = [id, name, kind, access, ...marksOf(rest), whoseOf(rest), stateOf(rest), documents?.join(',') ?? '']
  return fields.filter((word) => word !== '')
}

const linkRow = (link: AccessLinkInfo): string[] => {
  const { id, name, kind, access, documents, ...rest } = link
  return [id, name, kind, access, marksOf(rest).join(', '), whoseOf(rest), stateOf(rest), documents?.join(',') ?? '']
}

type LinkDetails = Omit<AccessLinkInfo, 'id' | 'name' | 'kind' | 'access' | 'documents'>

const stateOf = ({ revokedAt, expiresAt }: LinkDetails): string =>
  revokedAt !== undefined ? `revoked ${revokedAt}` : expiresAt !== undefined ? `until ${expiresAt}` : ''

const marksOf = ({ isBearer, isCalendar, noEvents, pausedAt }: LinkDetails): string[] => {
  const marks = [
    isBearer ? 'bearer' : '',
    isCalendar ? 'calendar' : '',
    noEvents ? 'no events' : '',
    pausedAt ? `paused ${pausedAt}` : '',
  ]
  return marks.filter((mark) => mark !== '')
}

const whoseOf = ({ group, participant, givenWith }: LinkDetails): string =>
  group === undefined ? participant : givenWith === undefined ? `for ${group}` : `by ${group}`

/** Adds a word at the beginning of a line. */
const withPrefix = (word: string, [first = '', ...rest]: readonly string[]): string[] => [`${word} ${first}`, ...rest]

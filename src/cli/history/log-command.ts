/** `scriptorium log`: lists who wrote what, and when. */
import { jsonForTerminal, terminalRow } from '../../base/control-characters.ts'
import type { EventItem } from '../../space/feed/event-items.ts'
import { currentPosition, type FeedPosition } from '../../space/feed/feed-position.ts'
import { type FeedItem, readFeed } from '../../space/feed/read-feed.ts'
import { type AuditEntry, listAuditEntries } from '../../space/model/audit-log.ts'
import { OPERATOR_LINK, type Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { formatTable } from '../terminal-table.ts'
import { parsePastTime } from './past-time.ts'

const BATCH_SIZE = 500
const RUNNING_MS = 60 * 60_000

/** Which calls are listed. */
export interface LogFilter {
  /** Times, as typed. */
  since?: string
  until?: string
  /** The ID of a link. */
  link?: string
  /** Only so many of the latest calls. */
  limit?: number
}

interface LogOptions extends LogFilter {
  json: boolean
  /** True to print a table with headers, until new entries follow. */
  isTerminal?: boolean
  /** True to continue with new entries. */
  follows: boolean
  /** Aborts between two lines. */
  signal: AbortSignal
}

/** A line: a call that wrote (with a summary when following), or another event. */
type LogLine = (AuditEntry & { summary?: string }) | Exclude<FeedItem, { type: 'call.committed' }>

export async function printLog(
  space: OpenSpace,
  { json, isTerminal = false, follows, signal, ...filter }: LogOptions,
  print: (line: string) => void,
): Promise<void> {
  const printLines = (lines: readonly LogLine[]) => {
    for (const line of lines)
      if (!signal.aborted) print(json ? jsonForTerminal(line) : terminalRow(shownFields(fieldsOf(line))))
  }
  const printAll = (lines: readonly LogLine[]) => {
    if (json || !isTerminal) printLines(lines)
    else if (lines.length > 0 && !signal.aborted) print(formatTable({ columns: COLUMNS, rows: lines.map(fieldsOf) }))
  }
  const { isWanted, limit = Infinity } = await space.read(OPERATOR_LINK, async (view) => readFilter(view, filter))
  // Of a limited list, the latest calls are kept until all are read.
  let latest: AuditEntry[] = []
  let after: FeedPosition = { call: 0, event: 0 }
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    const { writes, last, position } = await space.read(OPERATOR_LINK, async (view) => ({
      ...(await listAuditEntries(view, after.call, BATCH_SIZE)),
      position: await currentPosition(view),
    }))
    const wanted = writes.filter(isWanted)
    if (limit === Infinity) printAll(wanted)
    else latest = [...latest, ...wanted].slice(-limit)
    hasMore = writes.length === BATCH_SIZE
    after = hasMore ? { ...after, call: last } : position
  }
  printAll(latest)
  if (follows)
    await follow(space, after, signal, (lines) => printLines(lines.filter((one) => 'type' in one || isWanted(one))))
}

/** @throws VALIDATION_ERROR */
function readFilter(view: Space, { since, until, link, limit }: LogFilter) {
  const from = since === undefined ? -Infinity : parsePastTime(view, since, 'since')
  const to = until === undefined ? Infinity : parsePastTime(view, until, 'until')
  const isWanted = ({ at, link: by }: AuditEntry): boolean => {
    const time = Date.parse(at)
    return time >= from && time <= to && (link === undefined || by === link)
  }
  return { isWanted, limit }
}

/** Follows the feed until aborted. */
async function follow(
  space: OpenSpace,
  from: FeedPosition,
  signal: AbortSignal,
  print: (lines: readonly LogLine[]) => void,
): Promise<void> {
  let position = from
  const readOn = async () => {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const { lines, ...page } = await space.read(OPERATOR_LINK, (view) => readLines(view, position))
      print(lines)
      position = page.position
      hasMore = page.hasMore
    }
  }
  // A watch alone does not keep the process running.
  const running = setInterval(() => {}, RUNNING_MS)
  // Sequential, so that nothing is printed twice.
  let reading: Promise<void> = Promise.resolve()
  const printNew = () => (reading = reading.catch(() => {}).then(readOn))
  const listening = space.watch(printNew, { includesFeed: true })
  await listening.ready
  await printNew()
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  clearInterval(running)
  await listening.stop()
}

async function readLines(view: Space, after: FeedPosition) {
  const { entries, position, hasMore } = await readFeed(view, after, BATCH_SIZE)
  const lines: LogLine[] = []
  for (const { item } of entries) {
    if (item.type !== 'call.committed') lines.push(item)
    else if (item.number !== undefined) {
      const { writes } = await listAuditEntries(view, item.number - 1, 1)
      for (const write of writes) lines.push({ ...write, summary: item.summary })
    }
  }
  return { lines, position, hasMore }
}

/** The ID of what an event is about, or the source of an import. */
function subjectOf(event: EventItem): string {
  if ('reminderId' in event) return event.reminderId
  if ('blockId' in event) return event.blockId
  return 'proposalId' in event ? event.proposalId : (event.source ?? event.format)
}

const COLUMNS = ['At', 'Link', 'Who', 'Call', 'Wrote', 'From', 'About', 'Summary']

function fieldsOf(line: LogLine): string[] {
  if ('type' in line) return [line.at, '', '', line.type, subjectOf(line), '', '', '']
  const { at, link = 'here', author, client, approvedBy, endpoint, ids, summary = '', origin, about } = line
  const [first = '', ...more] = ids
  const caller = client === undefined ? author : `${author}, via ${client}`
  const who = approvedBy === undefined ? caller : `${caller}, approved by ${approvedBy}`
  const written = more.length > 0 ? `${first} and ${more.length} more` : first
  const from = origin === undefined ? '' : `from ${origin}`
  return [at, link, who, endpoint, written, from, about === undefined ? '' : aboutText(about), summary]
}

/** In a line, what is absent takes no room after the first fields. */
const shownFields = (fields: readonly string[]): string[] =>
  fields.filter((field, index) => index < FIRST_FIELDS || field !== '')
const FIRST_FIELDS = 5

/** `kind: full, documents: 529310468871`. */
const aboutText = (about: object): string =>
  Object.entries(about)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

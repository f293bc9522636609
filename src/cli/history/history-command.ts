/** `scriptorium history` and `scriptorium undo`: shows what calls changed, and undoes them. */
import { invalid } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { CALLS_PER_ANSWER_MAX } from '../../base/limits.ts'
import { Comparer } from '../../difference/comparer.ts'
import { callLine } from '../../space/history/call-line.ts'
import type { CallSelection, Moment } from '../../space/history/call-selection.ts'
import { asksForDifference, compareWhole, listHistory } from '../../space/history/history-list.ts'
import { undoCalls } from '../../space/history/undo-calls.ts'
import { addAuditEntry } from '../../space/model/audit-log.ts'
import { GivenId } from '../../space/model/ids.ts'
import { OPERATOR_LINK, type Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { type CommandResult, differenceLines } from '../printing.ts'
import { parsePastTime } from './past-time.ts'

/** The flags as typed. */
export interface HistoryFlags {
  /** IDs of calls, separated by commas. */
  call?: string
  since?: string
  until?: string
  connection?: string
  link?: string
  participant?: string
  limit?: number
  cursor?: string
  document?: string
  dryRun: boolean
  skipConflicts: boolean
}

/** Lists the latest calls, or shows the diff of one call or between two points in time. */
export async function runHistory(space: OpenSpace, flags: HistoryFlags): Promise<CommandResult> {
  const limit = flags.limit ?? CALLS_PER_ANSWER_MAX
  if (limit > CALLS_PER_ANSWER_MAX) {
    throw invalid(
      `Expected at most ${CALLS_PER_ANSWER_MAX} as --limit, found ${limit}; go on with the cursor that a list prints.`,
    )
  }
  const list = async (view: Space) => {
    const { calls, ...selection } = await readSelection(view, flags)
    const until = await readMoment(view, flags.until, 'until')
    return listHistory(view, { ...selection, call: calls?.[0], until, limit, cursor: flags.cursor })
  }
  const asked = { call: flags.call, documentId: flags.document, since: flags.since, until: flags.until }
  const readsPast = asksForDifference(asked)
  const found = readsPast ? await space.writeAndRollBack(OPERATOR_LINK, list) : await space.read(OPERATOR_LINK, list)
  const answer = await compareWhole(found, new Comparer())
  const lines = answer.items.map((item) => [callLine(item)])
  const diff = differenceLines(answer.diff ?? '')
  if (readsPast) lines.push(...diff)
  // A part of a list must not look like all of it.
  if (answer.pagination?.cursor !== undefined && !readsPast)
    lines.push([`There are older calls; add --cursor=${answer.pagination.cursor}`])
  return { value: answer, lines: lines.length > 0 ? lines : [['No calls.']] }
}

/** Undoes calls, or previews that. */
export async function runUndo(space: OpenSpace, flags: HistoryFlags): Promise<CommandResult> {
  const { dryRun, skipConflicts } = flags
  const undo = async (view: Space) => {
    const selection = await readSelection(view, flags)
    if (Object.values(selection).every((one) => one === undefined)) {
      throw invalid(
        'Expected --call, --since, --connection, --link or --participant, found none of them; name the calls that are to be taken back. scriptorium history lists them.',
      )
    }
    const answer = await undoCalls(view, { ...selection, dryRun, skipConflicts }, true)
    if (!dryRun) await addAuditEntry(view, 'history_undo', answer.calls)
    return answer
  }
  const answer = await (dryRun ? space.writeAndRollBack(OPERATOR_LINK, undo) : space.write(OPERATOR_LINK, undo))
  const { calls, summary, conflicts = [] } = answer
  const count = formatCount(calls.length, 'call')
  const lines = [
    [`${dryRun ? 'Would take back' : 'Took back'} ${count}: ${summary}`],
    ...conflicts.map((line) => [`Left as it is: ${line}`]),
  ]
  return { value: answer, lines }
}

/**
 * Undoes all changes to a document since a point in time.
 *
 * @param at  the point in time, as typed
 */
export function runRestoreVersion(
  space: OpenSpace,
  document: string,
  { at, dryRun }: { at?: string; dryRun: boolean },
): Promise<CommandResult> {
  if (at === undefined) {
    throw invalid('Expected --at with a moment, found none; scriptorium history --document lists those of a document.')
  }
  return runUndo(space, { document, since: at, dryRun, skipConflicts: false })
}

async function readSelection(view: Space, flags: HistoryFlags): Promise<CallSelection> {
  const { call, since, connection, link, participant, document } = flags
  const calls = call?.split(',').map((id) => new GivenId(id.trim()))
  const documentId = document === undefined ? undefined : new GivenId(document)
  await view.resolveIds([...(calls ?? []), ...(documentId === undefined ? [] : [documentId])])
  return { calls, since: await readMoment(view, since, 'since'), connection, link, participant, documentId }
}

/** @param text  the ID of a call, or a time, a date or an age */
async function readMoment(view: Space, text: string | undefined, flag: string): Promise<Moment | undefined> {
  if (text === undefined) return undefined
  const id = new GivenId(text)
  return id.isShort ? id : { time: parsePastTime(view, text, flag) }
}

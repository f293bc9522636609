/**
 * Writes a line into the daily note for each person who wants one: how much waits for them. Once a day, in their name,
 * as a call of its own in the history. As with due tasks, the day begins when somebody listens to the feed.
 */
import { dueDailyLines, setDailyLine } from '../../storage/for-me.ts'
import { FOR_ME_PER_ANSWER } from '../base/limits.ts'
import { addBlocks, prepareAddBlocks } from './editing/add-blocks.ts'
import { type ForMeKind, listForMe } from './for-me/for-me.ts'
import { addAuditEntry } from './model/audit-log.ts'
import { dateAt } from './model/dates.ts'
import { OPERATOR_LINK, type Space } from './model/space.ts'

/** The name under which a line is logged. */
export const DAILY_LINE = 'daily_line'

/** Lines that one transaction writes at most; further ones are written by the next. */
const LINES_PER_WRITE = 50

export async function writeDailyLines(space: Space): Promise<void> {
  const today = dateAt(space.now, space)
  for (const { n, name } of await dueDailyLines(space.tx, today, LINES_PER_WRITE)) {
    await setDailyLine(space.tx, n, today)
    const own = space.withLink({ ...OPERATOR_LINK, author: name })
    const line = lineOf(name, await countUnread(own))
    if (line === undefined) continue
    const position = { at: 'end', date: today } as const
    const blocks = await prepareAddBlocks({ markdown: line, position, answer: 'ids' })
    const { items } = await addBlocks(own, blocks)
    await addAuditEntry(
      own,
      DAILY_LINE,
      items.map(({ id }) => id),
    )
  }
}

async function countUnread(space: Space): Promise<Map<ForMeKind, number>> {
  const counts = new Map<ForMeKind, number>()
  for (const { kind, isRead } of (await listForMe(space, FOR_ME_PER_ANSWER))?.items ?? []) {
    if (!isRead) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** \`For Anna: 2 tasks, 1 mention.\` Undefined if nothing waits. */
function lineOf(name: string, counts: ReadonlyMap<ForMeKind, number>): string | undefined {
  const parts = [...counts].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
  return parts.length === 0 ? undefined : `For ${name.replace(/[!-/:-@[-\x60{-~]/g, '\\$&')}: ${parts.join(', ')}.`
}

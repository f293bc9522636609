/** Daily notes: documents that are identified by their date. */
import { latestDailyNote } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { notFound } from '../../base/errors.ts'
import { createDocument } from './create-document.ts'
import { type CivilDate, formatLongDate, resolveDate } from './dates.ts'
import type { Space } from './space.ts'

/**
 * Returns the root of a date's daily note, or of the most recently changed one if there are several.
 *
 * @param date  a day, or a word relative to today
 * @throws NOT_FOUND_ERROR if there is none; the message says how to create one
 */
export async function getDailyNote(space: Space, date: string): Promise<BlockRow> {
  const day = resolveDate(date, space)
  const found = await latestDailyNote(space.tx, day)
  if (found !== undefined) return space.getBlock(found.id)
  throw notFound(
    `Expected a daily note of ${day}, found none; blocks_add with position { "position": "end", "date": "${day}" } makes it.`,
  )
}

/** The same for writing: creates the daily note if the day has none. */
export async function getOrCreateDailyNote(space: Space, date: string): Promise<{ root: BlockRow; date: CivilDate }> {
  const day = resolveDate(date, space)
  const found = await latestDailyNote(space.tx, day)
  const root =
    found !== undefined
      ? await space.getBlock(found.id)
      : await createDocument(space, formatLongDate(day), { location: 'daily_notes', folder: null, dailyNoteDate: day })
  return { root, date: day }
}

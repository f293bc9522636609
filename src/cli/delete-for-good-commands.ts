/** `scriptorium trash empty`, `history forget` and `compact`: permanent deletion that leaves no traces. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CONFIRMING_DAYS, expiryTime } from '../../storage/expiry.ts'
import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { type CompactReport, compactSpace } from '../../storage/sqlite/copies/compact.ts'
import { removeCopies } from '../../storage/sqlite/schema-copies.ts'
import { formatBytes } from '../base/byte-sizes.ts'
import { parseDuration } from '../base/durations.ts'
import { invalid, messageOf } from '../base/errors.ts'
import { formatCount } from '../base/format-number.ts'
import { forgetHistory } from '../space/forget-history.ts'
import { logAdministration } from '../space/model/audit-log.ts'
import { GivenId } from '../space/model/ids.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { emptyTrash } from '../space/trash.ts'
import { parsePastTime } from './history/past-time.ts'
import type { CommandResult } from './printing.ts'

/**
 * Empties the trash, and rewrites the file without the deleted content. Closes the space afterwards.
 *
 * @param before  a time, a date or an age, as typed; without it, the whole trash is emptied
 */
export async function runEmptyTrash(space: OpenSpace, before: string | undefined): Promise<CommandResult> {
  return closeAfterwards(space, async () => {
    const { time, kept } =
      before === undefined ? { time: Number.MAX_SAFE_INTEGER, kept: [] } : await readTime(space, before)
    const { documents } = await emptyTrash(space, time, (view, ids) =>
      logAdministration(view, 'trash_empty', ids, { before }),
    )
    if (documents.length > 0) {
      const line = `Deleted ${formatCount(documents.length, 'document')} for good.`
      return addLines(await deleteTraces(space, { documents }, line), kept)
    }
    return {
      value: { documents },
      lines: [['Expected documents to delete, found none in the trash; nothing was changed.'], ...kept],
    }
  })
}

/**
 * Deletes the history before a time or that of a document, and rewrites the file without it. Closes the space
 * afterwards.
 *
 * @throws VALIDATION_ERROR unless exactly one of the two is given; NOT_FOUND_ERROR for an unknown document
 */
export async function runForgetHistory(
  space: OpenSpace,
  { before, document }: { before?: string; document?: string },
): Promise<CommandResult> {
  return closeAfterwards(space, async () => {
    if ((before === undefined) === (document === undefined)) {
      const found = before === undefined ? 'neither' : 'both'
      throw invalid(`Expected --before or --document, found ${found}; say which history is to be deleted.`)
    }
    const { time, kept } = document === undefined ? await readTime(space, before ?? '') : { time: 0, kept: [] }
    const forgotten = document === undefined ? { before: time } : { documentId: new GivenId(document) }
    const calls = await forgetHistory(space, forgotten, (view, ids) =>
      logAdministration(view, 'history_forget', ids, { before }),
    )
    const line =
      calls === undefined
        ? `Deleted the history of document ${document}.`
        : `Deleted the history of ${formatCount(calls, 'call')}: what they wrote stays, and can no longer be taken back.`
    return addLines(await deleteTraces(space, calls === undefined ? { document } : { calls }, line), kept)
  })
}

/**
 * Reads a time up to which to delete. An age of several days counts only as far as the clock can be trusted, since the
 * command may run on a schedule. A date or a time is taken as it is.
 *
 * @returns milliseconds since 1970, and lines that say what is kept because of that
 */
const readTime = (space: OpenSpace, text: string): Promise<{ time: number; kept: string[][] }> =>
  space.read(OPERATOR_LINK, async (view) => {
    const time = parsePastTime(view, text, 'before')
    const age = parseDuration(text)
    if (age === undefined || age < TRUSTED_AGE_MS) return { time, kept: [] }
    const confirmed = await expiryTime(view.tx, view.now, age)
    if (confirmed >= time) return { time, kept: [] }
    const since = confirmed < 0 ? 'Everything' : `What is from ${new Date(confirmed + 1).toISOString()} or later`
    return {
      time: confirmed,
      kept: [
        [
          `${since} is kept, whatever the clock says: the space was not written on ${CONFIRMING_DAYS} days since, so that the clock may be wrong. Give a date as --before to delete it anyway.`,
        ],
      ],
    }
  })

/** Younger ages are taken at the clock's word. */
const TRUSTED_AGE_MS = 2 * 24 * 60 * 60_000

const addLines = (result: CommandResult, lines: string[][]): CommandResult => ({
  ...result,
  lines: [...result.lines, ...lines],
})

async function closeAfterwards(space: OpenSpace, work: () => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await work()
  } finally {
    await space.close()
  }
}

/**
 * Deletes remaining traces of deleted content: copies from before a migration, files that only these copies used, and
 * the free pages and the WAL of the database file. Copies made by others are reported.
 */
export async function deleteTraces(space: OpenSpace, value: object, line: string): Promise<CommandResult> {
  if (isDatabaseAddress(space.file)) {
    const rest =
      'Backups of the database may still have what was deleted, and its files do until they are vacuumed: VACUUM FULL overwrites them now.'
    return { value, lines: [[line], ...(await deleteFiles(space)), [rest]] }
  }
  const removed = removeCopies(space.file)
  await space.deleteUnusedFiles()
  await space.close()
  const compacted = await compactSpace(space.file)
  const copies = listSpaceCopies(space.file)
  const lines = [[line], ...formatCompaction(compacted)]
  if (removed.length > 0) lines.push([`Removed copies from before a change of the schema: ${removed.join(', ')}.`])
  if (copies.length > 0)
    lines.push([
      `These copies in the folder of the space may still have what was deleted, with the bytes of its files: ${copies.join(', ')}. So may backups elsewhere.`,
    ])
  return { value: { ...value, ...compacted, removed, copies }, lines }
}

/** Deletes unreferenced files in the database and the bucket. @returns lines about those that could not be deleted */
async function deleteFiles(space: OpenSpace): Promise<string[][]> {
  try {
    await space.deleteUnusedFiles()
    return []
  } catch (error) {
    const reason = messageOf(error)
    return [[`The files of what was deleted were not all deleted; the next opening of the space goes on. ${reason}`]]
  }
}

/** The paths of remaining copies: those from before a restore. */
function listSpaceCopies(file: string): string[] {
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.before-`))
  return names
    .filter((name) => !/\.files$|\.sign-in|-(wal|shm|journal)$/.test(name))
    .map((name) => join(dirname(file), name))
}

export async function runCompact(file: string, keepsCopy: boolean): Promise<CommandResult> {
  const compacted = await compactSpace(file, keepsCopy)
  return { value: compacted, lines: formatCompaction(compacted) }
}

function formatCompaction({ before, after, isFolded }: CompactReport): string[][] {
  const lines = [[`Compacted the file from ${formatBytes(before)} to ${formatBytes(after)}.`]]
  if (!isFolded) {
    lines.push([
      'Another program is reading an older state: the write-ahead log of the file is folded into it once that has ended.',
    ])
  }
  return lines
}

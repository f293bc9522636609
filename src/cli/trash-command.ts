/** `scriptorium trash` and `scriptorium compact`: what was thrown away is deleted for good. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type CompactReport, compactSpace } from '../../storage/sqlite/compact.ts'
import { parseDuration } from '../base/durations.ts'
import { invalid } from '../base/errors.ts'
import { addAuditEntry } from '../call/idempotency.ts'
import { dayBounds, parseTimestamp, validateDate } from '../space/model/dates.ts'
import { OPERATOR_LINK, type Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { emptyTrash } from '../space/trash.ts'
import { formatMebibytes } from './backup-command.ts'
import type { CommandResult } from './printing.ts'

/**
 * Delete what was thrown away, and rewrite the file without it. The space is closed afterwards.
 *
 * @param before  a time, a date or a while ago, as it was written; all of the trash without
 */
export async function runEmptyTrash(space: OpenSpace, before: string | undefined): Promise<CommandResult> {
  const { documents } = await (async () => {
    try {
      const time = await space.read(OPERATOR_LINK, async (view) =>
        before === undefined ? Infinity : parseCutoff(view, before),
      )
      return await emptyTrash(space, time, (view, ids) => addAuditEntry(view, 'trash_empty', ids))
    } finally {
      await space.close()
    }
  })()
  if (documents.length === 0) {
    return {
      value: { documents },
      lines: [['Expected documents to delete, found none in the trash; nothing was changed.']],
    }
  }
  const compacted = await compactSpace(space.file)
  const copies = listSpaceCopies(space.file)
  const lines = [
    [`Deleted ${documents.length} ${documents.length === 1 ? 'document' : 'documents'} for good.`],
    ...formatCompaction(compacted),
  ]
  if (copies.length > 0)
    lines.push([
      `These copies beside the space may still have them, with the bytes of their files: ${copies.join(', ')}.`,
    ])
  return { value: { documents, ...compacted, copies }, lines }
}

/** The paths of copies that were kept before a restore, or before the schema changed. */
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
  const lines = [[`Compacted the file from ${formatMebibytes(before)} to ${formatMebibytes(after)}.`]]
  if (!isFolded) {
    lines.push([
      'Another program is reading an older state: the log beside the file is folded into it once that has ended.',
    ])
  }
  return lines
}

/** Milliseconds since 1970. */
function parseCutoff(view: Space, before: string): number {
  const duration = parseDuration(before)
  if (duration !== undefined) return view.now - duration
  if (/^\d{4}-\d{2}-\d{2}$/.test(before)) return dayBounds(validateDate(before), view).from
  if (/^\d{4}-/.test(before)) return parseTimestamp(before)
  throw invalid(
    `Expected a time such as 2027-01-01T00:00:00Z, a date, or a while ago such as 12h or 30d as --before, found ${before}.`,
  )
}

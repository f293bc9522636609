/** `scriptorium trash` and `scriptorium compact`: what was thrown away is deleted for good. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type CompactReport, compactSpace } from '../../storage/sqlite/compact.ts'
import { addAuditEntry } from '../call/idempotency.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { emptyTrash } from '../space/trash.ts'
import { formatMebibytes } from './backup-command.ts'
import { parsePastTime } from './past-time.ts'
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
        before === undefined ? Infinity : parsePastTime(view, before, 'before'),
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

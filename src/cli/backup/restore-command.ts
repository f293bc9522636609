/** `scriptorium restore`: replaces the space with a backup. */
import { restoreSpace } from '../../../storage/sqlite/copies/restore.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'
import { formatDamage, formatMebibytes } from './backup-command.ts'

/**
 * @param now  milliseconds since 1970
 * @returns the result, and whether the backup was complete
 * @throws VALIDATION_ERROR if it cannot be restored; the space is unchanged then
 */
export async function runRestore(
  file: string,
  { operand: from, keepsAccess, replacesOther }: Pick<Options, 'operand' | 'keepsAccess' | 'replacesOther'>,
  now: number,
): Promise<CommandResult & { isComplete: boolean }> {
  const restored = await restoreSpace(from, file, { keepsAccess, replacesOther, now })
  const { documents, blocks, files, size, previous, damagedFiles } = restored
  const isComplete = damagedFiles.length === 0
  const lines = [
    `Restored ${file} from ${from}: ${documents} documents, ${blocks} blocks, ${files} files, ${formatMebibytes(size)}, verified.`,
    previous === undefined ? '' : `What was there is kept in ${previous}; remove it when you no longer need it.`,
    keepsAccess
      ? 'Links and sign-ins are as they were at the time of the backup: end those that were ended since.'
      : 'All links and sign-ins have ended; links add and participants add let people in again.',
    isComplete ? '' : formatDamage(restored),
  ]
  return { value: restored, lines: lines.filter((line) => line !== '').map((line) => [line]), isComplete }
}

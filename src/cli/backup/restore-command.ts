/** `scriptorium restore`: replaces the space with a backup. */

import { restoreSpace } from '../../../storage/sqlite/copies/restore.ts'
import { formatBytes } from '../../base/byte-sizes.ts'
import { formatCount } from '../../base/format-number.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'
import { formatDamage } from './backup-command.ts'

/** For a backup of an older version, a copy from before a migration, and a plain copy. */
const UNVERIFIED =
  'Its content was not verified, since there are no checksums next to it: it is complete, but a damaged text would not be noticed.'

/**
 * @param now  milliseconds since 1970
 * @returns the result, and whether the backup was complete
 * @throws VALIDATION_ERROR if it cannot be restored; the space is unchanged then
 */
export async function runRestore(
  file: string,
  {
    operand: from,
    keepAccess: keepsAccess,
    replace: replacesOther,
  }: Pick<Options, 'operand' | 'keepAccess' | 'replace'>,
  now: number,
): Promise<CommandResult & { isComplete: boolean }> {
  const words = async () => (await import('../../space/search/indexed-text.ts')).indexedText
  const restored = await restoreSpace(from, file, { keepsAccess, replacesOther, now, words })
  const { documents, blocks, files, size, previous, damagedFiles, isContentVerified } = restored
  const isComplete = damagedFiles.length === 0
  const lines = [
    `Restored ${file} from ${from}: ${formatCount(documents, 'document')}, ${formatCount(blocks, 'block')}, ${formatCount(files, 'file')}, ${formatBytes(size)}${isContentVerified ? ', verified' : ''}.`,
    isContentVerified ? '' : UNVERIFIED,
    previous === undefined ? '' : `What was there is kept in ${previous}; remove it when you no longer need it.`,
    keepsAccess
      ? 'Links and sign-ins are as they were at the time of the backup: end those that were ended since.'
      : 'All links and sign-ins have ended; links add and participants add let people in again.',
    isComplete ? '' : formatDamage(restored),
  ]
  return { value: restored, lines: lines.filter((line) => line !== '').map((line) => [line]), isComplete }
}

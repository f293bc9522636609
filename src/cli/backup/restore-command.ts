/** `scriptorium restore`: replaces the space with a backup. */

import { existsSync } from 'node:fs'
import { restoreSpace } from '../../../storage/sqlite/copies/restore.ts'
import { realPath } from '../../../storage/sqlite/real-path.ts'
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
  const erased = await eraseAgain(file)
  const lines = [
    `Restored ${file} from ${from}: ${formatCount(documents, 'document')}, ${formatCount(blocks, 'block')}, ${formatCount(files, 'file')}, ${formatBytes(size)}${isContentVerified ? ', verified' : ''}.`,
    isContentVerified ? '' : UNVERIFIED,
    previous === undefined ? '' : `What was there is kept in ${previous}; remove it when you no longer need it.`,
    keepsAccess
      ? 'Links and sign-ins are as they were at the time of the backup: end those that were ended since.'
      : 'All links and sign-ins have ended; links add and participants add let people in again.',
    isComplete ? '' : formatDamage(restored),
  ]
  return {
    value: { ...restored, ...(erased && { erasedAgain: erased.value }) },
    lines: [...lines.filter((line) => line !== '').map((line) => [line]), ...(erased?.lines ?? [])],
    isComplete,
  }
}

/** Names that were erased after the backup was made are erased again: the list of them is beside the space. */
async function eraseAgain(file: string): Promise<CommandResult | undefined> {
  const { erasureList, runEraseAgain } = await import('../erase-command.ts')
  const { openSpace } = await import('../../space/open-space.ts')
  const list = erasureList(realPath(file))
  if (!existsSync(list)) return undefined
  const space = await openSpace(file, { keepsCopy: false, historyRetention: Infinity })
  try {
    return await runEraseAgain(space, list)
  } finally {
    await space.close()
  }
}

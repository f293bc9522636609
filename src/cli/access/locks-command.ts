/** `scriptorium locks`: documents that agents may not change. */

import { type DocumentLock, listDocumentLocks, setDocumentLock } from '../../space/documents/lock-documents.ts'
import { logAdministration } from '../../space/model/audit-log.ts'
import { GivenId } from '../../space/model/ids.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'

export type LocksAction = 'add' | 'list' | 'remove'

export async function runLocks(space: OpenSpace, action: LocksAction, { operand }: Options): Promise<CommandResult> {
  if (action === 'list') {
    const locks = await space.read(OPERATOR_LINK, listDocumentLocks)
    const none = [['No document is locked; locks add locks one against changes by agents.']]
    if (locks.length === 0) return { value: locks, lines: none }
    const lines = locks.map(lockLine)
    return { value: locks, lines, table: { columns: ['ID', 'Title', 'State'], rows: lines } }
  }
  const isLocked = action === 'add'
  const lock = await space.write(OPERATOR_LINK, async (view) => {
    const id = new GivenId(operand)
    await view.resolveIds([id])
    const changed = await setDocumentLock(view, id, isLocked)
    await logAdministration(view, 'documents_lock', [changed.id], { isLocked })
    return changed
  })
  return { value: lock, lines: [lockLine(lock)] }
}

const lockLine = ({ id, title, lockedBy }: DocumentLock): string[] => [
  id,
  title,
  lockedBy === undefined ? 'may be changed by agents' : `locked by ${lockedBy}`,
]

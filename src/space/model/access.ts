/**
 * What a link may do, where the endpoint alone does not say it: a change may be one that deletes.
 *
 * Deletion is a change after which something is gone that stood by itself: a block, document, item, view, reminder,
 * comment or folder; an element or an asset of a board; a row or column of a table; the bytes of a file; the values of
 * a column of a collection. Going into the trash is deletion, too. What something says of itself may be changed, and
 * emptied: the words of a block or a cell, its styles, a value of an item, the settings of a view, the time of a
 * reminder. The line is drawn there since a link that may rewrite a text can write anything over it.
 */
import { ScriptoriumError } from '../../base/errors.ts'
import type { AccessLink } from './space.ts'

/**
 * Whether a link may delete: what a change would destroy need not be looked for then. A link that proposes may propose
 * to delete.
 */
export const canDelete = ({ access }: AccessLink): boolean => access === 'full' || access === 'propose'

/**
 * Refuses a change that would delete something, where the link may not delete.
 *
 * @param deletedCount  how much would go
 * @param expected  what the change should have been, and how to make it so
 * @throws FORBIDDEN
 */
export function assertDeletionAllowed(
  link: AccessLink,
  deletedCount: number,
  { expected, found, instead }: { expected: string; found: string; instead: string },
): void {
  if (deletedCount === 0 || canDelete(link)) return
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected ${expected}, since this link has access ${link.access}, found ${found}; ${instead}, or ask the person who made the link for another.`,
  )
}

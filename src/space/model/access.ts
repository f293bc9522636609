/**
 * What a link may do, where this depends on more than the endpoint: a change may turn out to delete something.
 *
 * A change counts as a deletion if something that exists on its own is gone afterwards: a block, document, item, view,
 * reminder, comment or folder; an element or an asset of a whiteboard; a row or column of a table; the bytes of a file;
 * the values of a collection's column. Moving something to the trash is a deletion, too. Properties of a thing may be
 * changed and emptied: the text of a block or a cell, its styles, a value of an item, the settings of a view, the time
 * of a reminder. The line is drawn there because a link that may rewrite a text can overwrite it with anything.
 */
import { ScriptoriumError } from '../../base/errors.ts'
import { ACCESS_LEVELS, type AccessLevel, type AccessLink } from './space.ts'

/**
 * True if a link may delete, so that callers need not look for what a change would destroy. A link with access
 * `propose` may propose deletions.
 */
export const canDelete = ({ access }: Pick<AccessLink, 'access'>): boolean => MAY_DELETE[access]

const MAY_DELETE: Readonly<Record<AccessLevel, boolean>> = {
  ...{ full: true, propose: true, 'no-delete': false, comment: false, read: false },
}

/** True if a link reaches the whole space and may do everything in it, so that it may import, for example. */
export const isFullLink = ({ kind, access }: Pick<AccessLink, 'kind' | 'access'>): boolean =>
  kind === 'full' && access === 'full'

/** True if the changes of a link wait for a person's approval. */
export const mustPropose = ({ access }: Pick<AccessLink, 'access'>): boolean => MUST_PROPOSE[access]

const MUST_PROPOSE: Readonly<Record<AccessLevel, boolean>> = {
  ...{ full: false, 'no-delete': false, propose: true, comment: false, read: false },
}

/** True if a link may approve and reject proposals of others. */
export const mayDecide = (link: Pick<AccessLink, 'access'>): boolean => canWrite(link) && !mustPropose(link)

/** True if a link may change more than comments, at once or by a proposal. */
export const canWrite = ({ access }: Pick<AccessLink, 'access'>): boolean => MAY_WRITE[access]

const MAY_WRITE: Readonly<Record<AccessLevel, boolean>> = {
  ...{ full: true, 'no-delete': true, propose: true, comment: false, read: false },
}

/** True if a link may comment, at once or by a proposal. */
export const canComment = (link: Pick<AccessLink, 'access'>): boolean => canWrite(link) || link.access === 'comment'

/**
 * The access that both levels allow. A link whose comments wait for approval, and one that only comments, have nothing
 * but reading in common.
 */
export function narrowerAccess(one: AccessLevel, other: AccessLevel): AccessLevel {
  const both = new Set([one, other])
  if (both.has('propose') && both.has('comment')) return 'read'
  return ACCESS_LEVELS.findLast((level) => both.has(level)) ?? 'read'
}

/**
 * Refuses a change that would delete something if the link may not delete.
 *
 * @param deletedCount  how many things would be deleted
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

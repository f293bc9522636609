/** Revisions: which state of a document a text was read from, so that it is not written over a later one. */
import { documentByNumber } from '../../../storage/documents.ts'
import { invalid } from '../../base/errors.ts'
import type { Space } from './space.ts'

/** Marks the revision of a part: one that cannot stand for the whole when it is written back. */
const PARTIAL_SUFFIX = '-part'

/** Marks the revision of a document as it was: what was read there is not to be written over what is. */
const PAST_SUFFIX = '-past'

/** The revision of the document of this number, as answers give it. */
export async function getRevision(space: Space, document: number): Promise<string> {
  return spellRevision(space, await readRevision(space, document), true)
}

/** The number of the revision; 0 for a document that is not there. */
export async function readRevision({ tx }: Space, document: number): Promise<number> {
  return (await documentByNumber(tx, document))?.revision ?? 0
}

/** @param isWhole  whether the document was read as a whole */
export const spellRevision = ({ isPast }: Space, revision: number, isWhole: boolean): string =>
  `${revision}${isPast ? PAST_SUFFIX : isWhole ? '' : PARTIAL_SUFFIX}`

/**
 * Whether nothing in the document changed since the given revision was read.
 *
 * @throws VALIDATION_ERROR for the revision of a part: writing a part back as a whole would delete the rest
 */
export async function isCurrentRevision(space: Space, document: number, revision: string): Promise<boolean> {
  if (revision.endsWith(PARTIAL_SUFFIX)) {
    throw invalid(
      `Expected the revision of a page that was read whole, found ${revision}, that of a part; read it with blocks_get, all depths and enough maxBlocks.`,
    )
  }
  if (revision.endsWith(PAST_SUFFIX)) {
    throw invalid(
      `Expected the revision of a page as it is, found ${revision}, that of an earlier state; read it with blocks_get without at, or take calls back with history_undo.`,
    )
  }
  return revision === (await getRevision(space, document))
}

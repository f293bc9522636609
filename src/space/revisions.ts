/** Revisions: which state of a document a text was read from, so that it is not written over a later one. */
import { documentByNumber } from '../../storage/documents.ts'
import { invalid } from '../errors.ts'
import type { Space } from './space.ts'

/** Marks the revision of a part: one that cannot stand for the whole when it is written back. */
const PART = '-part'

/** The revision of the document of this number, as answers give it. */
export async function revisionOf(space: Space, document: number, isWhole = true): Promise<string> {
  const { revision } = (await documentByNumber(space.tx, document)) ?? { revision: 0 }
  return `${revision}${isWhole ? '' : PART}`
}

/**
 * Whether nothing in the document changed since the given revision was read.
 *
 * @throws VALIDATION_ERROR for the revision of a part: writing a part back as a whole would delete the rest
 */
export async function isCurrent(space: Space, document: number, given: string): Promise<boolean> {
  if (given.endsWith(PART)) {
    throw invalid(
      `Expected the revision of a page that was read whole, found ${given}, that of a part; read it with blocks_get, all depths and enough maxBlocks.`,
    )
  }
  return given === (await revisionOf(space, document))
}

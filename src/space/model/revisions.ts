/**
 * Revisions identify the state of a document that a text was read from, so that the text does not overwrite a later
 * state.
 */
import { documentByNumber } from '../../../storage/documents.ts'
import { invalid } from '../../base/errors.ts'
import { formatValue } from './format-value.ts'
import type { Space } from './space.ts'

/** Marks the revision of a partial reading, which must not be written back as the whole. */
const PARTIAL_SUFFIX = '-part'

/** Marks the revision of a past state, which must not be written over the current one. */
const PAST_SUFFIX = '-past'

/** The revision of the document with this number, as answers show it. */
export async function getRevision(space: Space, document: number): Promise<string> {
  return spellRevision(space, await readRevision(space, document), true)
}

/** The number of the revision, or 0 if the document does not exist. */
export async function readRevision({ tx }: Space, document: number): Promise<number> {
  return (await documentByNumber(tx, document))?.revision ?? 0
}

/** @param isWhole  true if the document was read completely */
export const spellRevision = ({ isPast }: Space, revision: number, isWhole: boolean): string =>
  `${revision}${isPast ? PAST_SUFFIX : isWhole ? '' : PARTIAL_SUFFIX}`

/**
 * True if nothing in the document changed since the given revision was read.
 *
 * @throws VALIDATION_ERROR for the revision of a partial reading, because writing a part back as the whole would delete
 *   the rest, and for the revision of a past state
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

/**
 * The number of the revision that a block was read with. The revision of a partial reading is one, too.
 *
 * @param current  the number of the present revision of its document
 * @throws VALIDATION_ERROR for the revision of a past state, and for what is no revision of the document
 */
export function parseBlockRevision(revision: unknown, current: number): number {
  const [, digits, suffix = ''] = /^(\d{1,15})(-[a-z]+)?$/.exec(String(revision)) ?? []
  if (suffix === PAST_SUFFIX) {
    throw invalid(
      `Expected the revision of a block as it is, found ${revision}, that of an earlier state; read it without at, or leave revision out to write the earlier state.`,
    )
  }
  const number = Number(digits)
  if (!(number <= current) || (suffix !== '' && suffix !== PARTIAL_SUFFIX)) {
    throw invalid(
      `Expected a revision as blocks_get returns it, at most ${current}, found ${formatValue(revision)}; read the block again, or leave revision out.`,
    )
  }
  return number
}

/** Edits a page by replacing passages of its text. The caller need not send the rest of the text, nor a revision. */
import { invalid } from '../../base/errors.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import { shorten } from '../../base/shorten.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import type { GivenId } from '../model/ids.ts'
import { getRevision } from '../model/revisions.ts'
import type { Space } from '../model/space.ts'
import type { AnswerFormat } from '../reading/block-answer.ts'
import { getBlock } from '../reading/get-block.ts'
import { asCellText } from './cell-text.ts'
import { editPage } from './edit-page.ts'
import { findPassage, nearestPassage, type Place } from './find-passage.ts'
import { readPageText } from './page-collections.ts'

/** A passage of a page's Markdown, and its replacement. */
export interface Replacement {
  old: string
  new: string
}

export interface TextReplacements {
  pageId: GivenId
  replace: readonly Replacement[]
  answer: AnswerFormat
}

/** The number of blocks that replacements may write: at most one per line. */
export const countReplacedBlocks = ({ replace }: TextReplacements): number =>
  replace.reduce((sum, { new: passage }) => sum + Math.max(1, passage.match(/\S.*/g)?.length ?? 0), 0)

/**
 * @throws as {@link editPage} does; VALIDATION_ERROR for a passage that does not occur in the text or occurs several
 *   times, and for a resulting text that cannot be parsed
 */
export async function replaceText(space: Space, { pageId, replace, answer }: TextReplacements) {
  const page = await space.getBlock(pageId)
  const whole = { id: page.id, maxDepth: -1, fetchMetadata: false, maxBlocks: Number.MAX_SAFE_INTEGER } as const
  const { body } = await getBlock(space, { ...whole, format: 'markdown' })
  let text = body
  for (const [index, one] of replace.entries()) text = await replaceOnce(text, one, index)
  const edited = await readPageText(text)
  assertBlockCount(countBlocks(edited.parsed))
  const revision = await getRevision(space, page.document)
  return editPage(space, { pageId, ...edited, revision, answer, current: body })
}

/** What may stand before the text of a block in its line. */
const BEFORE_TEXT = /(?:^|\n)[ \t]*(?:> ?|[-+] (?:\[[ xX-]\] )?|<(?:callout|caption)>)*$/
const NUMBER = /^\d{1,9}(?=[.)](?:[ \t\n]|$))/

/**
 * A passage that begins a text with a number does not make an item of a list of it: `1. Mai` instead of `am 1. Mai`.
 * One that replaces the number of an item does.
 */
function escapeNumber(replacement: string, old: string, before: string): string {
  if (NUMBER.test(old) || old === '' || !BEFORE_TEXT.test(before)) return replacement
  return replacement.replace(NUMBER, '$&\\')
}

async function replaceOnce(text: string, { old, new: replacement }: Replacement, index: number): Promise<string> {
  const places = await runCooperatively(findPassage(text, old))
  const [place] = places
  if (place !== undefined && places.length === 1) {
    const [before, after] = [text.slice(0, place.at), text.slice(place.end)]
    return before + asCellText(escapeNumber(replacement, old, before), old, before, after) + after
  }
  const shown = shorten(old)
  const found = place === undefined ? 'it nowhere' : `it ${places.length} times`
  throw invalid(
    `Expected replace[${index}].old, ${JSON.stringify(shown)}, once in the text of the page, found ${found}; ${await adviceFor(text, old, place)}. Nothing was written.`,
  )
}

async function adviceFor(text: string, old: string, place: Place | undefined): Promise<string> {
  if (place !== undefined) return 'add text from around it'
  const nearest = await runCooperatively(nearestPassage(text, old))
  const source = 'read the page with blocks_get and format "markdown", and copy the passage as it is'
  return nearest === undefined ? source : `the nearest passage is ${JSON.stringify(nearest)}; ${source}`
}

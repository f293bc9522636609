/** Edits a page by replacing passages of its text. The caller need not send the rest of the text, nor a revision. */
import { invalid } from '../../base/errors.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { readMarkdownInWorker } from '../../markdown/markdown-in-worker.ts'
import type { GivenId } from '../model/ids.ts'
import { getRevision } from '../model/revisions.ts'
import type { Space } from '../model/space.ts'
import type { AnswerFormat } from '../reading/block-answer.ts'
import { getBlock } from '../reading/get-block.ts'
import { editPage } from './edit-page.ts'
import { findPassage, nearestPassage, type Place } from './find-passage.ts'

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
  assertHeadersFit(text)
  const parsed = await readMarkdownInWorker(text)
  assertBlockCount(countBlocks(parsed))
  return editPage(space, { pageId, parsed, revision: await getRevision(space, page.document), answer })
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

/** A row of a table up to a place within it, and the fences of code. */
const ROW = /^[ \t]*(?:> ?|[-+] (?:\[[ xX-]\] )?|<callout>)*\|/
const FENCE = /^[ \t]*(?:> ?|[-+] |<callout>)*(`{3,}|~{3,})/

/** True if a text ends within a row of a table, and not in code. */
function endsInRow(before: string): boolean {
  if (!ROW.test(before.slice(before.lastIndexOf('\n') + 1))) return false
  let open = ''
  for (const line of before.split('\n')) open = fenceAfter(open, line)
  return open === ''
}

/** The fence of code that is open after a line; empty if none is. */
function fenceAfter(open: string, line: string): string {
  const [, fence = ''] = FENCE.exec(line) ?? []
  if (open === '') return fence
  return fence.startsWith(open) ? '' : open
}

/** What replaces words of a cell is neither the border of another one nor the end of the row: its lines are broken. */
function asWordsOfCell(replacement: string, old: string, before: string, after: string): string {
  if (!/[|\r\n]/.test(replacement) || /[|\r\n]/.test(old) || !endsInRow(before)) return replacement
  if (/[\r\n]/.test(replacement) && isInCode(before, after)) {
    throw invalid(
      `Expected words without a line end in place of ${JSON.stringify(shorten(old))}, in code in a cell of a table, found ${JSON.stringify(shorten(replacement))}; code in a cell is one line, so close it before the line end. Nothing was written.`,
    )
  }
  return replacement
    .replace(/\\[^\r\n]|\|/g, (found) => (found === '|' ? '\\|' : found))
    .replace(/(?:[ \t]|\\)*(?:\r\n?|\n)[ \t]*/g, '<br>')
}

/** True between the backticks of code in a line. */
function isInCode(before: string, after: string): boolean {
  const [start = '', end = ''] = [before.slice(before.lastIndexOf('\n') + 1), /^.*/.exec(after)?.[0]]
  const rest = start.replace(/\\`|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
  const [open] = /`+/.exec(rest) ?? []
  return open !== undefined && (end.match(/`+/g)?.includes(open) ?? false)
}

/** The line below the header of a table, as it is written. */
const RULE = /\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/

/**
 * A header with another number of cells than the line below it is no table any more, but words.
 *
 * @throws VALIDATION_ERROR
 */
export function assertHeadersFit(text: string): void {
  let open = ''
  let head = ''
  for (const line of text.split('\n')) {
    open = fenceAfter(open, line)
    const rule = open === '' && ROW.test(head) ? RULE.exec(line)?.[0] : undefined
    const [cells, columns] = [bordersOf(head) - 1, bordersOf(rule ?? head) - 1]
    if (cells !== columns) {
      throw invalid(
        `Expected ${columns} cells in the header of a table, as many as in the line below it, found ${cells}: ${shorten(head)}; to remove a column, replace its cells in both lines and in all rows. Nothing was written.`,
      )
    }
    head = line
  }
}

const bordersOf = (row: string): number => row.match(/\\[^\n]|\|/g)?.filter((found) => found === '|').length ?? 0

/** The number of characters of a passage that an error message shows. */
const SHOWN_LENGTH = 60
const shorten = (text: string): string => (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text)

async function replaceOnce(text: string, { old, new: replacement }: Replacement, index: number): Promise<string> {
  const places = await runCooperatively(findPassage(text, old))
  const [place] = places
  if (place !== undefined && places.length === 1) {
    const [before, after] = [text.slice(0, place.at), text.slice(place.end)]
    return before + asWordsOfCell(escapeNumber(replacement, old, before), old, before, after) + after
  }
  const shown = shorten(old)
  const found = place === undefined ? 'it nowhere' : `it ${places.length} times`
  throw invalid(
    `Expected replace[${index}].old, ${JSON.stringify(shown)}, once in the text of the page, found ${found}; ${await adviceFor(text, old, place)}. Nothing was written.`,
  )
}

async function adviceFor(text: string, old: string, place: Place | undefined): Promise<string> {
  if (place !== undefined) return 'add words from around it'
  const nearest = await runCooperatively(nearestPassage(text, old))
  const source = 'read the page with blocks_get and format "markdown", and copy the passage as it is'
  return nearest === undefined ? source : `the nearest passage is ${JSON.stringify(nearest)}; ${source}`
}

/**
 * Finds out in a tenth of remark's time that nothing is missing, for most notes: those of words, lists, tasks, links,
 * tables, comments and fenced code. It compares texts as they are written, not as they are shown, and whatever it is not
 * sure of is left to remark: HTML, indented code in lists, and all words that are not written as often in the result.
 */
import { type Block, isCommentBlock } from '../markdown/block.ts'
import { compareItems } from './compare-items.ts'
import type { ImportedText, SourceComparison } from './compare-source.ts'
import { type Dialect, readText } from './note-text.ts'
import { calloutsOf, nextNumber, readTask } from './read-blocks.ts'
import {
  cellsIn,
  countIndentedCode,
  FENCE,
  hasCode,
  withDefined,
  withoutComments,
  withoutDestinations,
  withShownNumbers,
} from './read-written.ts'
import { type VisibleItem, visibleWords } from './visible-item.ts'

/** HTML, and definitions that are not read here. */
const UNSURE = /<(?:\/?[a-z]|[!?])|^[ \t>]*\[(?!\^)[^\]\n]+\]:|\][ \t]*\[/im

/** @returns undefined if it is not sure that nothing is missing */
export function compareQuickly(imported: ImportedText): SourceComparison | undefined {
  const { language, blocks, beside } = imported
  if (language === 'html' || beside.length > 0) return undefined
  const { rest, comments } = withoutComments(withDefined(imported.source))
  const indented = countIndentedCode(withoutCode(rest))
  if (indented === undefined || UNSURE.test(withoutCode(rest))) return undefined
  const before = readWritten(rest, language)
  // Stored code has two fences, however it was written.
  before.fences += 2 * indented
  before.items.push(...comments)
  const after = readStored(blocks, imported)
  if (after === undefined || before.fences !== after.fences || before.dollars !== after.dollars) return undefined
  if (compareItems(before.items, after.items).length > 0) return undefined
  return { losses: [], source: before.addresses, result: after.addresses }
}

/** Without code and addresses in angle brackets, in which signs mean nothing. */
const withoutCode = (source: string): string =>
  source
    .replace(/^([ \t]*)(`{3,}|~{3,})[^`\n]*\n[\s\S]*?^\1\2[ \t]*$/gm, '')
    .replace(/(?<!`)`[^`\n]+`(?!`)/g, 'x')
    .replace(/<((?:https?|mailto):[^<>\s]*)>/g, '$1')

interface Written {
  items: VisibleItem[]
  addresses: VisibleItem[]
  fences: number
  /** Signs that begin and end formulas. */
  dollars: number
}

const TASK = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+)\[([ xX])\](?=[ \t])/gm

function readWritten(source: string, dialect: Dialect): Written {
  const found: Written = { items: [], addresses: [], fences: countOf(source, FENCE), dollars: 0 }
  const text = withShownNumbers(source).replace(TASK, (_, start: string, state: string) => {
    found.items.push({ kind: 'task', value: state === ' ' ? 'todo' : 'done', line: 1 })
    // The box stands in place of the number.
    return start.replace(/\d/g, ' ')
  })
  readWords(text, dialect, found)
  return found
}

/** Adds the words, addresses and cells of a text. */
function readWords(text: string, dialect: Dialect, found: Written): void {
  const { rest, addresses } = withoutDestinations(text)
  found.addresses.push(...addresses)
  found.dollars += countOf(rest, /\$/g)
  for (const item of readText(rest, 1, dialect)) {
    ;(item.kind === 'link' || item.kind === 'image' ? found.addresses : found.items).push(item)
  }
  for (const cell of cellsIn(rest)) {
    const words = [...readText(cell, 1, dialect)].filter(({ kind }) => kind === 'word' || kind === 'number')
    if (words.length > 0) found.items.push({ kind: 'cell', value: words.map(({ value }) => value).join(' '), line: 1 })
  }
}

/** Undefined if code is not written like this in the source. */
function readStored(blocks: readonly Block[], { source, addresses: ofFiles }: ImportedText): Written | undefined {
  const found: Written = { items: [], addresses: [], fences: 0, dollars: 0 }
  const open = [{ blocks, index: 0, counts: [] as number[] }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const block = top.blocks[top.index++]
    if (block === undefined) {
      open.pop()
      continue
    }
    const number = nextNumber(top.counts, block)
    if (number !== undefined) found.items.push({ kind: 'number', value: String(number), line: 1 })
    if (!readOne(block, ofFiles.get(block), source, found)) return undefined
    if (block.content !== undefined) open.push({ blocks: block.content, index: 0, counts: [] })
  }
  return found
}

/** @returns false if code is not written like this in the source */
function readOne(block: Block, address: string | undefined, source: string, found: Written): boolean {
  const {
    type,
    url = address,
    altText,
    fileName,
    title,
    description,
    taskInfo,
    text,
    language,
    info = language,
  } = block
  const { items } = found
  if (taskInfo !== undefined) items.push(...readTask(taskInfo))
  for (const { icon = '', title: heading = '' } of calloutsOf(block))
    items.push(...visibleWords(`${icon} ${heading}`, 1))
  if (url !== undefined) found.addresses.push({ kind: type === 'richUrl' ? 'link' : 'image', value: url, line: 1 })
  for (const text of [altText, fileName, title, description]) items.push(...visibleWords(text ?? '', 1))
  if (isCommentBlock(block)) {
    items.push({ kind: 'comment', value: text.trim(), line: 1 })
    return true
  }
  if (type === 'code') {
    if (!hasCode(source, text)) return false
    found.fences += countOf(text, FENCE)
    if (language === 'math_formula') found.dollars += 4
    else {
      // Each fence begins and ends.
      found.fences += 2
      items.push(...visibleWords(info ?? '', 1))
    }
  }
  const { rest, comments } = withoutComments(text)
  items.push(...comments)
  readWords(rest, 'markdown', found)
  return true
}

const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0

/**
 * Finds out in a tenth of remark's time that nothing is missing, for notes of words, lists, tasks, links and fenced code,
 * which most are. It compares texts as they are written, not as they are shown, and whatever it is not sure of is left to
 * remark: HTML, tables, indented code, definitions, and all words that are not written as often in the result.
 */
import type { Block } from '../markdown/block.ts'
import { compareItems } from './compare-items.ts'
import type { ImportedText, SourceComparison } from './compare-source.ts'
import { readText } from './note-text.ts'
import { calloutsOf, nextNumber, readTask } from './read-blocks.ts'
import { type VisibleItem, visibleWords } from './visible-item.ts'

/** HTML, tables, definitions, footnotes, character references, indented code and setext headings. */
const UNSURE =
  /<[a-z/!?]|^[ \t>]*\|?[ \t]*:?-+:?[ \t]*\||^[ \t>]*\[[^\]\n]+\]:|\[\^|&#?\w+;|(?:^|\n)[ \t>]*\n(?: {4}|[ >]*\t)[ \t]*(?![-*+ \t]|\d+[.)])\S|\][ \t]*\[/im

/** @returns undefined if it is not sure that nothing is missing */
export function compareQuickly(imported: ImportedText): SourceComparison | undefined {
  const { language, blocks, beside } = imported
  const source = withDefined(imported.source)
  if (language === 'html' || beside.length > 0 || UNSURE.test(withoutCode(source))) return undefined
  const before = readWritten(source, imported)
  const after = readStored(blocks, imported)
  if (after === undefined || before.fences !== after.fences || before.dollars !== after.dollars) return undefined
  if (compareItems(before.items, after.items).length > 0) return undefined
  return { losses: [], source: before.addresses, result: after.addresses }
}

const DEFINITION =
  /^ {0,3}\[([^\]\n^][^\]\n]*)\]:[ \t]*(<[^<>\n]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*$\n?/gm

/** With the addresses of definitions where they are used, as CommonMark reads them. */
function withDefined(source: string): string {
  if (!source.includes(']:')) return source
  const defined = new Map<string, string>()
  const keyOf = (label: string) => label.trim().toLowerCase().replace(/\s+/g, ' ')
  const text = source.replace(DEFINITION, (_, label: string, address: string) => {
    if (!defined.has(keyOf(label))) defined.set(keyOf(label), address)
    return ''
  })
  return text.replace(REFERENCE, (written: string, words: string, label = '') => {
    const address = defined.get(keyOf(label === '' ? words : label))
    return address === undefined ? written : `[${words}](${address})`
  })
}

const REFERENCE = /\[((?:[^[\]\n\\]|\\.)+)\](?:\[([^[\]\n]*)\])?(?![(:[])/g

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

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/gm
const TASK = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+)\[([ xX])\](?=[ \t])/gm
/** A link or an image with its destination. */
const DESTINATION =
  /(!?)\[((?:[^[\]\n\\]|\\.|\[[^[\]\n]*\])*)\]\([ \t]*(<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)/g
const BARE_ADDRESS = /(?<![\w(<"'/.@-])(?:https?:\/\/|www\.)[^\s<>"'`*]+/g

function readWritten(source: string, { language }: ImportedText): Written {
  const items: VisibleItem[] = []
  let fences = 0
  const text = source
    .replace(TASK, (_, start: string, state: string) => {
      items.push({ kind: 'task', value: state === ' ' ? 'todo' : 'done', line: 1 })
      // The box stands in place of the number.
      return start.replace(/\d/g, ' ')
    })
    .replace(FENCE, (fence) => {
      fences++
      return fence
    })
  const { rest, addresses } = withoutDestinations(text)
  for (const item of readText(rest, 1, language === 'html' ? 'markdown' : language)) {
    ;(item.kind === 'link' || item.kind === 'image' ? addresses : items).push(item)
  }
  return { items, addresses, fences, dollars: countOf(rest, '$') }
}

/** Undefined if a block is of a kind that needs more than a look. */
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
    if (block.type === 'table' || !readOne(block, ofFiles.get(block), source, found)) return undefined
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
  for (const words of [altText, fileName, title, description]) items.push(...visibleWords(words ?? '', 1))
  const isFormula = type === 'code' && language === 'math_formula'
  if (type === 'code') {
    if (!source.includes(text)) return false
    if (isFormula) found.dollars += 4
    else {
      // Each fence begins and ends.
      found.fences += 2
      items.push(...visibleWords(info ?? '', 1))
    }
  }
  const { rest, addresses } = withoutDestinations(text)
  found.addresses.push(...addresses)
  found.dollars += countOf(rest, '$')
  items.push(...readText(rest, 1, 'markdown'))
  return true
}

/** Takes the addresses out of a text, which are no words of it. */
function withoutDestinations(text: string): { rest: string; addresses: VisibleItem[] } {
  const addresses: VisibleItem[] = []
  const add = (kind: 'link' | 'image', value: string) => addresses.push({ kind, value, line: 1 })
  const rest = !text.includes('](')
    ? text
    : text.replace(DESTINATION, (_, bang: string, label: string, written: string) => {
        add(bang === '!' ? 'image' : 'link', plainAddress(written))
        return label
      })
  if (/https?:|www\./.test(rest)) for (const [bare] of rest.matchAll(BARE_ADDRESS)) add('link', plainAddress(bare))
  return { rest, addresses }
}

const plainAddress = (written: string): string =>
  written
    .replace(/^<(.*)>$/s, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[.,:;!?)_~]+$/, '')

const countOf = (text: string, sign: string): number => text.split(sign).length - 1

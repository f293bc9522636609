/** What stands in Markdown as it is written, without a parser: the quick look at a source and at the texts of blocks. */
import { parseFragment } from 'parse5'
import type { VisibleItem } from './visible-item.ts'

/** Both ends of fences. */
export const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/gm

const COMMENT = /<!--(?!-?>)([\s\S]*?)-->/g
const REFERENCE = /(?<!\\)&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z]\w{0,31});/g

/** Takes comments out of a text, and replaces references of characters. The same stands in code for both sides. */
export function withoutComments(text: string): { rest: string; comments: VisibleItem[] } {
  const comments: VisibleItem[] = []
  const without = !text.includes('<!--')
    ? text
    : text.replace(COMMENT, (_, content: string) => {
        if (content.trim() !== '') comments.push({ kind: 'comment', value: content.trim(), line: 1 })
        return ''
      })
  return { rest: without.includes('&') ? without.replace(REFERENCE, referenced) : without, comments }
}

/** A reference that HTML does not know is text. */
function referenced(reference: string): string {
  const [node] = parseFragment(reference).childNodes
  return node !== undefined && 'value' in node ? node.value : reference
}

const DEFINITION =
  /^ {0,3}\[([^\]\n^][^\]\n]*)\]:[ \t]*(<[^<>\n]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*$\n?/gm
const DEFINED = /\[((?:[^[\]\n\\]|\\.)+)\](?:\[([^[\]\n]*)\]|(?![(:[]))/g

/** With the addresses of definitions where they are used, as CommonMark reads them. */
export function withDefined(source: string): string {
  if (!source.includes(']:')) return source
  const defined = new Map<string, string>()
  const keyOf = (label: string) => label.trim().toLowerCase().replace(/\s+/g, ' ')
  const text = source.replace(DEFINITION, (_, label: string, address: string) => {
    if (!defined.has(keyOf(label))) defined.set(keyOf(label), address)
    return ''
  })
  return text.replace(DEFINED, (written: string, shown: string, label = '') => {
    const address = defined.get(keyOf(label === '' ? shown : label))
    return address === undefined ? written : `[${shown}](${address})`
  })
}

const NUMBERED = /^([ \t>]*)(\d{1,9})([.)])(?=[ \t])/
const BEGINS_BLOCK = /^(?:#|[-*+] |`{3}|~{3}|\|)/

/** With the numbers that lists show: each item counts on from the first of its list, whatever its number is. */
export function withShownNumbers(text: string): string {
  if (!/^[ \t>]*\d{1,9}[.)][ \t]/m.test(text)) return text
  const lists = new Map<number, { last: number; sign: string }>()
  let fence: string | undefined
  let isAfterBlank = true
  const shown = text.split('\n').map((line) => {
    const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      return line
    }
    fence = mark
    const content = line.replace(/^[ \t>]+/, '')
    const isBlank = content === ''
    const [, prefix = '', digits, sign = ''] = NUMBERED.exec(line) ?? []
    const indent = digits === undefined ? line.length - content.length : prefix.length
    const known = lists.get(indent)
    const goesOn = digits !== undefined && known?.sign === sign
    if (!isBlank && (isAfterBlank || goesOn || digits !== undefined || BEGINS_BLOCK.test(content))) {
      for (const at of [...lists.keys()]) if (at > indent || (at === indent && !goesOn)) lists.delete(at)
    }
    isAfterBlank = isBlank
    if (digits === undefined) return line
    const last = goesOn && known !== undefined ? known.last + 1 : Number(digits)
    lists.set(indent, { last, sign })
    return `${prefix}${last}${line.slice(prefix.length + digits.length)}`
  })
  return shown.join('\n')
}

const DELIMITERS = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const columnsOf = (row: string): string[] =>
  row
    .replace(/^[ \t>]*\|?/, '')
    .replace(/(?<!\\)\|[ \t]*$/, '')
    .split(/(?<!\\)\|/)

/** The texts of the cells of tables. A cell beyond the columns of its header is not shown. */
export function* cellsIn(text: string): Generator<string> {
  if (!text.includes('|')) return
  const lines = text.split('\n')
  for (let at = 1; at < lines.length; at++) {
    const [header = '', delimiters = ''] = [lines[at - 1], lines[at]]
    if (!delimiters.includes('|') || !DELIMITERS.test(delimiters)) continue
    const { length } = columnsOf(header)
    if (columnsOf(delimiters).length !== length) continue
    yield* columnsOf(header)
    for (at++; at < lines.length && lines[at]?.replace(/^[ \t>]+/, '') !== ''; at++) {
      yield* columnsOf(lines[at] ?? '').slice(0, length)
    }
  }
}

const INDENTED = /^(?: {4}| {0,3}\t)/
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/

/**
 * How many blocks of indented code a text without fences has. Undefined where a line may as well be in an item of a
 * list, or code in a quote.
 */
export function countIndentedCode(text: string): number | undefined {
  if (/^[ ]*>[ >]*\t/m.test(text)) return undefined
  let [count, isAfterBlank, isInList, isInCode] = [0, true, false, false]
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      isAfterBlank = true
      continue
    }
    const isItem = LIST_ITEM.test(line)
    if (!INDENTED.test(line)) {
      isInCode = false
      isInList = isItem || (isInList && (!isAfterBlank || /^[ \t]/.test(line)))
    } else if (isAfterBlank && !isInCode) {
      if (isInList && !isItem) return undefined
      isInCode = !isInList
      if (isInCode) count++
    }
    isAfterBlank = false
  }
  return count
}

/** Whether code stands in a text as it is, with the same signs and spaces before each of its lines. */
export function hasCode(text: string, code: string): boolean {
  if (text.includes(code)) return true
  const lines = code.replace(/\n+$/, '').split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return true
  const within = text.split('\n')
  const begins = lines[first] ?? ''
  return within.some((line, at) => {
    if (!line.endsWith(begins)) return false
    const prefix = line.slice(0, line.length - begins.length)
    if (/[^ \t>]/.test(prefix)) return false
    return lines.every((each, index) => {
      const found = within[at + index - first] ?? ''
      return each.trim() === '' ? /^[ \t>]*$/.test(found) : found === prefix + each
    })
  })
}

/** A link or an image with its destination. */
const DESTINATION =
  /(!?)\[((?:[^[\]\n\\]|\\.|\[[^[\]\n]*\])*)\]\([ \t]*(<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)/g
const BARE_ADDRESS = /(?<![\w(<"'/.@-])(?:https?:\/\/|www\.)[^\s<>"'`*]+/g

/** Takes the addresses out of a text, which are no words of it. */
export function withoutDestinations(text: string): { rest: string; addresses: VisibleItem[] } {
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

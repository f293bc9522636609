/** What a suggestion makes of a block: words in its text, or a block that is drawn below it. */
import { editsBetween } from '../../difference/text-edits.ts'
import type { Block } from '../../markdown/block.ts'
import { visibleText } from '../../markdown/inline/inline-node.ts'
import { type SuggestedRun, suggestedRuns } from '../blocks/suggested-words.ts'
import { type Html, html } from '../html.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'
import { blocksIn, isPlainLook, sourceHtml } from './proposed-blocks.ts'
import { suggestedTable } from './suggested-table.ts'

export type SuggestedChange =
  /** Words of the text, which is that of the block before; and what the block becomes, if it becomes something else. */
  | { kind: 'words'; text: string; runs: readonly SuggestedRun[]; look?: string }
  /** All of the block with what changes in it. */
  | { kind: 'block'; content: Html; words: string }

/** @param before  Markdown of a block @param after  what the suggestion makes of it */
export function changeOf(before: string, after: string): SuggestedChange {
  const [old, now] = [onlyBlock(before), onlyBlock(after)]
  if (old !== undefined && now !== undefined && isPlainLook(old) && isPlainLook(now)) {
    const [from, to] = [lookOf(old), lookOf(now)]
    if (old.type === 'text' && now.type === 'text') {
      const runs = suggestedRuns(old.text, now.text)
      return { kind: 'words', text: old.text, runs, ...(from !== to && { look: `${from} → ${to}` }) }
    }
    const table = old.type === now.type && from === to ? suggestedTable(old.text, now.text) : undefined
    if (table !== undefined) return { kind: 'block', content: table, words: text('change the table') }
  }
  return { kind: 'block', content: linesHtml(before, after), words: text('change the block') }
}

/** An empty text is a block, too. */
function onlyBlock(markdown: string): Block | undefined {
  const blocks = blocksIn(markdown) ?? []
  if (blocks.length === 0 && markdown.trim() === '') return { type: 'text', text: '' }
  return blocks.length === 1 ? blocks[0] : undefined
}

const HEADINGS: ReadonlyMap<string | undefined, TextKey> = new Map([
  ['h1', textKey('Title')],
  ['h2', textKey('Heading')],
  ['h3', textKey('Small heading')],
  ['h4', textKey('Smallest heading')],
])
const LISTS = {
  bullet: textKey('Bullet'),
  numbered: textKey('Number'),
  task: textKey('Task'),
  toggle: textKey('Toggle'),
} as const
const STATES = { todo: textKey('to do'), done: textKey('done'), canceled: textKey('canceled') } as const

/** How a block looks apart from its words: `Task, done, level 2`. */
function lookOf({
  type,
  textStyle,
  listStyle,
  number,
  leadingNumber,
  taskInfo,
  decorations,
  indentationLevel = 0,
}: Block): string {
  const own =
    type === 'table'
      ? text('Table')
      : listStyle !== undefined
        ? LISTS[listStyle]
        : (HEADINGS.get(textStyle) ?? text('Text'))
  return [
    own,
    ...(listStyle === 'numbered' ? [String(number ?? leadingNumber ?? '')] : []),
    ...(listStyle === 'task' ? [STATES[taskInfo?.state ?? 'todo']] : []),
    ...(decorations?.quote ? [text('quoted')] : []),
    ...(indentationLevel > 0 ? [text('level {indentationLevel}', { indentationLevel })] : []),
  ]
    .map(String)
    .filter((part) => part !== '')
    .join(', ')
}

/** The Markdown of both, line by line. */
export function linesHtml(before: string, after: string): Html {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const edits = editsBetween(old, now) ?? [{ from: 0, to: old.length, tokens: now }]
  const parts: Html[] = []
  let from = 0
  const add = (lines: readonly string[], tag: '' | 'del' | 'ins') => {
    if (lines.length === 0) return
    const content = sourceHtml(lines.join('\n'))
    parts.push(
      tag === ''
        ? content
        : tag === 'del'
          ? html`<del class="old change">${content}</del>`
          : html`<ins class="new change">${content}</ins>`,
    )
  }
  for (const edit of edits) {
    add(old.slice(from, edit.from), '')
    add(old.slice(edit.from, edit.to), 'del')
    add(edit.tokens, 'ins')
    from = edit.to
  }
  add(old.slice(from), '')
  return html`<div class="lines">${parts}</div>`
}

/** Characters of a quotation. */
const QUOTED = 60
/** Changes that a label names. */
const LABELED = 4

/** What screen readers say of the words: `insert “nine”, strike “six”`. */
export function wordsLabel(runs: readonly SuggestedRun[]): string {
  const changed = runs.filter(({ sign }) => sign !== ' ')
  const labels = changed.slice(0, LABELED).map(({ sign, spans }) => {
    const words = quoted(visibleText(spans).trim())
    return sign === '+' ? text('insert {words}', { words }) : text('strike {words}', { words })
  })
  return [...labels, ...(changed.length > LABELED ? [text('and {n} more', { n: changed.length - LABELED })] : [])].join(
    ', ',
  )
}

export function quoted(content: string): string {
  const words = content.replace(/\s+/g, ' ').trim()
  return words === '' ? text('a space') : `“${words.length > QUOTED ? `${words.slice(0, QUOTED)}…` : words}”`
}

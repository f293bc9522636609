/**
 * Blocks that are proposed: as they would look where their Markdown says nothing else, and otherwise as Markdown, so that
 * nothing of them stays hidden.
 */
import { markUnseen } from '../../base/unseen-characters.ts'
import type { Block } from '../../markdown/block.ts'
import { readMarkdown } from '../../markdown/read-markdown.ts'
import { readTableGrid } from '../../markdown/table-grid.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'
import { type Html, html, joinHtml, trusted } from '../html.ts'
import { markedHtml } from '../shown-text.ts'
import { proposedText } from './proposed-words.ts'

/** @param markdown  of one or more blocks */
export function proposedBlocks(markdown: string): Html {
  const blocks = blocksIn(markdown)
  return blocks === undefined ? sourceHtml(markdown) : blocksHtml(blocks)
}

export const blocksHtml = (blocks: readonly Block[]): Html => joinHtml(blocks.map(blockHtml))

/** The blocks of a Markdown text; undefined for text that cannot be read as blocks. */
export function blocksIn(markdown: string): Block[] | undefined {
  try {
    return readMarkdown(markdown)
  } catch {
    return undefined
  }
}

/** Fields of a block whose look shows them. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['id', 'type', 'text', 'listStyle', 'indentationLevel', 'number', 'leadingNumber', 'textStyle', 'taskInfo'],
  ...['decorations', 'shortRows'],
])
const HEADINGS = /^h[1-4]$/

/** True if everything that the Markdown of the block says can be seen in how it looks. */
export function isPlainLook(block: Block): boolean {
  const { type, textStyle, taskInfo, decorations } = block
  if (type !== 'text' && type !== 'table') return false
  if (Object.entries(block).some(([name, value]) => value !== undefined && !SHOWN.has(name))) return false
  if (textStyle !== undefined && !HEADINGS.test(textStyle)) return false
  if (taskInfo !== undefined && Object.keys(taskInfo).some((name) => name !== 'state')) return false
  return decorations?.callout === undefined
}

function blockHtml(block: Block): Html {
  if (!isPlainLook(block)) return sourceHtml(writeMarkdown([block]))
  const { type, text, listStyle, indentationLevel = 0, textStyle, decorations } = block
  if (type === 'table') return tableHtml(text)
  const words = proposedText(text)
  const level = indentationLevel > 0 && ` level-${Math.min(indentationLevel, MOST_LEVELS)}`
  if (listStyle !== undefined)
    return html`<p class="item${level}"><span class="marker">${markerOf(block)}</span> ${words}</p>`
  if (textStyle !== undefined) return html`<p class="${textStyle}${level}">${words}</p>`
  return html`<p class="${decorations?.quote ? 'quoted' : 'plain'}${level}">${words}</p>`
}

const MOST_LEVELS = 5
const BOXES = { todo: '☐', done: '☑', canceled: '☒' } as const

function markerOf({ listStyle, number, leadingNumber, taskInfo }: Block): string {
  if (listStyle === 'task') return BOXES[taskInfo?.state ?? 'todo']
  if (listStyle === 'numbered') return `${number ?? leadingNumber ?? 1}.`
  return listStyle === 'toggle' ? '▸' : '•'
}

function tableHtml(table: string): Html {
  const [head = [], ...body] = readTableGrid(table).rows
  return html`<div class="wide"><table><thead><tr>${head.map((cell) => html`<th scope="col">${proposedText(cell)}</th>`)}</tr></thead>
<tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${proposedText(cell)}</td>`)}</tr>`)}</tbody></table></div>`
}

/** Markdown as it is. */
export const sourceHtml = (markdown: string): Html =>
  html`<pre class="source">${joinHtml(
    markdown
      .split('\n')
      .map((line, index) => (index === 0 ? sourceLine(line) : html`${trusted('\n')}${sourceLine(line)}`)),
  )}</pre>`

const sourceLine = (line: string): Html => markedHtml(markUnseen(line))

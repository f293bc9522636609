/** How one block that is proposed looks, whatever its type. Nothing in it loads, and nothing leads anywhere. */
import { type Block, type BlockType, isCommentBlock } from '../../markdown/block.ts'
import { readTableGrid } from '../../markdown/table-grid.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'
import { LINES, typeName } from './block-look.ts'
import { sourceHtml } from './proposed-source.ts'
import { proposedText } from './proposed-words.ts'
import { alignmentHtml } from './table-heads.ts'

/** Fields that stand around what a block is. */
const AROUND = [
  ...['id', 'type', 'text', 'listStyle', 'indentationLevel', 'number', 'leadingNumber', 'taskInfo', 'decorations'],
  // Of the Markdown that was read, and not of the block.
  'isIndentedCode',
]
/** For each type, the fields that its look shows. What has other ones is shown as Markdown. */
const SHOWN: Readonly<Record<BlockType, ReadonlySet<string>>> = {
  text: new Set([...AROUND, 'textStyle', 'cardLayout']),
  table: new Set([...AROUND, 'shortRows']),
  code: new Set([...AROUND, 'language', 'info']),
  line: new Set([...AROUND, 'lineStyle']),
  image: new Set([...AROUND, 'url', 'altText']),
  video: new Set([...AROUND, 'url', 'altText']),
  file: new Set([...AROUND, 'url', 'fileName']),
  drawing: new Set([...AROUND, 'url']),
  whiteboard: new Set([...AROUND, 'url']),
  richUrl: new Set([...AROUND, 'url', 'title']),
  page: new Set(['id', 'type', 'text', 'content']),
  collection: new Set(),
  collectionItem: new Set(),
}

/** True if everything that the Markdown of the block says can be seen in how it looks. */
export function hasLook(block: Block): boolean {
  const shown = SHOWN[block.type]
  if (Object.entries(block).some(([name, value]) => value !== undefined && !shown.has(name))) return false
  const { taskInfo } = block
  if (taskInfo !== undefined && Object.keys(taskInfo).some((name) => name !== 'state')) return false
  return !isCommentBlock(block)
}

/** True for a block whose words are shown where it stands. Those of cards are on the card of their page. */
export const isTextBlock = (block: Block): boolean =>
  block.type === 'text' && block.textStyle !== 'card' && block.textStyle !== 'page' && hasLook(block)

interface ShownParts {
  /** The words of a text, the lines of code, or the table, with changes. */
  words?: Html
  /** The number of an item. One that stands alone has its own, or none before it. */
  label?: string | undefined
}

/** @param inside  renders the blocks within it */
export function proposedBlock(
  block: Block,
  inside: (blocks: readonly Block[]) => Html,
  { words = wordsHtml(block), label }: ShownParts = {},
): Html {
  const { type, listStyle, indentationLevel = 0, decorations } = block
  const marker = listStyle === undefined ? NOTHING : html`<span class="marker">${markerOf(block, label)}</span> `
  const around = [
    ...(listStyle === undefined ? [] : ['in-list']),
    ...(type === 'text' ? [styleOf(block)] : []),
    ...(decorations?.quote ? ['quoted'] : []),
    ...(indentationLevel > 0 ? [`level-${Math.min(indentationLevel, MOST_LEVELS)}`] : []),
  ].filter((name) => name !== '')
  if (type === 'text') {
    const { textStyle, cardLayout = '' } = block
    const isCard = textStyle === 'card' || textStyle === 'page'
    const about = isCard && aboutHtml([typeOfCard(textStyle), cardLayout].filter((one) => one !== '').join(', '))
    return html`<p class="${around.join(' ') || 'plain'}">${marker}${words}${about}</p>`
  }
  const content = OTHERS[type](block, words, inside)
  return around.length === 0 ? content : html`<div class="${around.join(' ')}">${marker}${content}</div>`
}

const wordsHtml = ({ type, text }: Block): Html =>
  type === 'code' ? sourceHtml(text) : type === 'table' ? tableHtml(text) : proposedText(text)

const MOST_LEVELS = 5
const BOXES = { todo: '☐', done: '☑', canceled: '☒' } as const

function markerOf({ listStyle, number, leadingNumber, taskInfo }: Block, label?: string): string {
  if (listStyle === 'task') return BOXES[taskInfo?.state ?? 'todo']
  if (listStyle === 'numbered') return label ?? `${number ?? leadingNumber ?? 1}.`
  return listStyle === 'toggle' ? '▸' : '•'
}

const styleOf = ({ textStyle }: Block): string =>
  textStyle === 'card' || textStyle === 'page' ? 'boxed' : (textStyle ?? '')

const typeOfCard = (style: 'card' | 'page'): string => (style === 'card' ? text('Card') : text('Page'))

const aboutHtml = (about: string): Html => html` <span class="address">(${shownText(about)})</span>`

type Draw = (block: Block, words: Html, inside: (blocks: readonly Block[]) => Html) => Html

const media: Draw = (block) => {
  const { url = '', altText, fileName, title } = block
  const label = altText ?? fileName ?? title ?? ''
  return html`<p class="boxed"><b>${typeName(block)}</b>${label !== '' && html`: ${shownText(label)}`}${url !== '' && aboutHtml(url)}</p>`
}
const source: Draw = (block) => sourceHtml(block.text)

/** What is no text. Collections and rows have no look of their own here. */
const OTHERS: Readonly<Record<Exclude<BlockType, 'text'>, Draw>> = {
  table: (_, words) => words,
  code: (block, words) => html`<div class="listing"><p class="about">${codeLabel(block)}</p>${words}</div>`,
  line: ({ lineStyle }) =>
    lineStyle === undefined ? html`<hr>` : html`<hr class="${lineStyle}"><p class="about">${LINES[lineStyle]}</p>`,
  image: media,
  video: media,
  file: media,
  drawing: media,
  whiteboard: media,
  richUrl: media,
  page: (block, words, inside) =>
    html`<div class="boxed"><p class="h3">${words}${aboutHtml(typeName(block))}</p>${inside(block.content ?? [])}</div>`,
  collection: source,
  collectionItem: source,
}

/** What stands behind the fence of code, or what it is. */
export const codeLabel = (block: Pick<Block, 'type' | 'language' | 'info'>): Html => {
  const { language, info } = block
  return shownText(info ?? (language === undefined || language === 'math_formula' ? typeName(block) : language))
}

function tableHtml(table: string): Html {
  const { rows, alignments } = readTableGrid(table)
  const [head = [], ...body] = rows
  return html`<div class="wide"><table><thead><tr>${head.map((cell, at) => html`<th scope="col">${proposedText(cell)}${alignmentHtml(alignments[at])}</th>`)}</tr></thead>
<tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${proposedText(cell)}</td>`)}</tr>`)}</tbody></table></div>`
}

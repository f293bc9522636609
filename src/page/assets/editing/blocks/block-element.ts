/** Blocks on an edited page: one element after another, each with its Markdown. */

import { itemLabel, ListNumbers } from '../../../../markdown/list-numbers.ts'
import { directionOf } from '../../../blocks/direction.ts'
import { HeadingLevels } from '../../../blocks/heading-levels.ts'
import { editableText, type Fields, markdownFor } from '../../model/block-text.ts'
import { textNodes } from './inline-styles.ts'
import { codeHost, tableElement } from './other-elements.ts'

export const blockId = (element: HTMLElement): string => element.id.slice(1)

export const blockElement = (id: string): HTMLElement | undefined =>
  document.getElementById(`b${id.replace(/[^\w-]/g, '')}`) ?? undefined

export const fieldsOf = (element: HTMLElement): Fields => JSON.parse(element.dataset.fields ?? '{"type":"text"}')

/** The Markdown that the server has, or will have once pending changes have arrived. */
export const markdownOf = (element: HTMLElement): string => element.dataset.markdown ?? ''

export const levelOf = (element: HTMLElement): number => fieldsOf(element).indentationLevel ?? 0

/** The editable text of a block. */
export const editableTextOf = (element: HTMLElement): string => editableText(markdownOf(element), fieldsOf(element))

/** Where each type is changed: in place, or on a page with content of its own. Others are only shown. */
const EDITED: Readonly<Record<Fields['type'], 'here' | 'opened' | 'shown'>> = {
  text: 'here',
  code: 'here',
  table: 'here',
  page: 'opened',
  whiteboard: 'opened',
  collection: 'opened',
  collectionItem: 'shown',
  image: 'shown',
  video: 'shown',
  file: 'shown',
  drawing: 'shown',
  richUrl: 'shown',
  line: 'shown',
}

/** Texts that are a card or a page are opened instead of edited in place, and have content of their own. */
const isOpened = ({ type, textStyle }: Fields): boolean =>
  type === 'text' && (textStyle === 'card' || textStyle === 'page')

/** True if the text is edited in place. */
export function hasEditableText(element: HTMLElement): boolean {
  const fields = fieldsOf(element)
  return EDITED[fields.type] === 'here' && !isOpened(fields)
}

/** True if the Markdown of a block is all of it. */
export function isAllMarkdown(element: HTMLElement): boolean {
  const fields = fieldsOf(element)
  return EDITED[fields.type] !== 'opened' && !isOpened(fields)
}

/** True for a line of text, as opposed to code or a table. */
export const isLineOfText = (element: HTMLElement): boolean =>
  hasEditableText(element) && fieldsOf(element).type === 'text'

/** The element within the block that contains its text. */
export const textHost = (element: HTMLElement): HTMLElement | undefined =>
  element.querySelector<HTMLElement>('.words, p, h2, h3, h4, h5, h6, pre, .wide, .formula') ?? undefined

const LISTS = { bullet: 'bullets', numbered: 'numbers', task: 'tasks', toggle: 'toggles' } as const

/**
 * Updates the look of an element to match its fields. Changes caused by dates, colors and comments come from the server
 * later.
 */
export function applyFields(element: HTMLElement, fields: Fields): void {
  const { listStyle, decorations, taskInfo, indentationLevel } = fields
  const kept = [...element.classList].filter((name) =>
    /^(tone|align|font|callout)-|^(open|selected|folded|waits)$/.test(name),
  )
  const names = ['block', ...kept]
  if (decorations?.callout) names.push('callout')
  if (decorations?.quote) names.push('quote')
  if (listStyle === 'task') names.push('task', taskInfo?.state ?? 'todo')
  if (listStyle !== undefined) names.push('listed', LISTS[listStyle])
  if (indentationLevel) names.push(`level-${indentationLevel}`)
  element.className = names.join(' ')
  element.dir = directionOf(fields)
  element.dataset.fields = JSON.stringify(fields)
}

/** Creates the element of a block that is not on the server yet, or that the server will render differently. */
export function newElement(id: string, fields: Fields, words: string): HTMLElement {
  const element = document.createElement('div')
  element.id = `b${id}`
  applyFields(element, fields)
  element.dataset.markdown = markdownFor(fields, words)
  const { type, listStyle, textStyle } = fields
  if (type === 'table' || type === 'code') {
    element.append(type === 'table' ? tableElement(words) : codeHost(words, fields))
    return element
  }
  const style = /^h(\d)$/.exec(textStyle ?? '')?.[1]
  const host = document.createElement(listStyle !== undefined ? 'span' : style ? `h${Number(style) + 1}` : 'p')
  if (style !== undefined && listStyle === undefined) host.className = `h${style}`
  if (textStyle === 'caption') host.className = 'caption'
  if (listStyle !== undefined) host.className = 'words'
  host.append(...textNodes(words))
  if (listStyle === undefined) {
    element.append(host)
    return element
  }
  const line = document.createElement('div')
  line.className = 'line'
  if (listStyle === 'task') {
    host.id = `t${id}`
    line.append(boxElement(id, fields))
  }
  line.append(host)
  element.append(line)
  return element
}

function boxElement(id: string, { taskInfo }: Fields): HTMLElement {
  const box = document.createElement('button')
  box.type = 'button'
  box.className = 'box'
  box.setAttribute('role', 'checkbox')
  box.setAttribute(
    'aria-checked',
    taskInfo?.state === 'done' ? 'true' : taskInfo?.state === 'canceled' ? 'mixed' : 'false',
  )
  box.setAttribute('aria-labelledby', `t${id}`)
  return box
}

/** All blocks in order. */
export const blocksIn = (article: HTMLElement): HTMLElement[] => [
  ...article.querySelectorAll<HTMLElement>('.part > .block'),
]

export function nextBlock(element: HTMLElement): HTMLElement | undefined {
  return (element.nextElementSibling ?? element.parentElement?.nextElementSibling?.firstElementChild ?? undefined) as
    | HTMLElement
    | undefined
}

export function previousBlock(element: HTMLElement): HTMLElement | undefined {
  return (element.previousElementSibling ??
    element.parentElement?.previousElementSibling?.querySelector(':scope > .block:last-child') ??
    undefined) as HTMLElement | undefined
}

/** A block with the blocks nested below it. */
export function withNested(element: HTMLElement): HTMLElement[] {
  const group = [element]
  const level = levelOf(element)
  for (let next = nextBlock(element); next !== undefined && levelOf(next) > level; next = nextBlock(next))
    group.push(next)
  return group
}

/** Groups blocks into runs of consecutive ones. */
export function runsOf(elements: readonly HTMLElement[]): HTMLElement[][] {
  const runs: HTMLElement[][] = []
  for (const element of elements) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1) === previousBlock(element)) run.push(element)
    else runs.push([element])
  }
  return runs
}

/** Updates the levels of headings and the numbers of list items. */
export function renumber(article: HTMLElement): void {
  const headings = new HeadingLevels()
  for (const heading of article.querySelectorAll<HTMLElement>('.part > .block > :is(h2, h3, h4, h5, h6)')) {
    const tag = `h${headings.next(Number(heading.className.slice(1)))}`
    if (heading.localName === tag || heading.querySelector('.cm-editor') !== null) continue
    const fresh = document.createElement(tag)
    fresh.className = heading.className
    fresh.append(...heading.childNodes)
    heading.replaceWith(fresh)
  }
  if (article.querySelector('.part > .block.numbers') === null) return
  const numbers = new ListNumbers()
  for (const element of blocksIn(article)) {
    const isNumbered = element.classList.contains('numbers')
    const level = levelFromClass(element)
    const item = numbers.next({ level, isNumbered, number: isNumbered ? fieldsOf(element).number : undefined })
    const label = item && itemLabel(level, item)
    if (label === undefined) delete element.dataset.number
    else if (element.dataset.number !== label) element.dataset.number = label
  }
}

/** The number of the item above a block on its level, past the blocks that are nested in it; undefined for none. */
export function numberAbove(element: HTMLElement): number | undefined {
  const level = levelFromClass(element)
  let above = previousBlock(element)
  while (above !== undefined && levelFromClass(above) > level) above = previousBlock(above)
  const label = above !== undefined && levelFromClass(above) === level ? above.dataset.number : undefined
  if (label === undefined) return undefined
  return /^\d/.test(label) ? Number.parseInt(label, 10) : label.charCodeAt(0) - 96
}

/** Faster than reading all fields of every block on a long page. */
const levelFromClass = ({ className }: HTMLElement): number => Number(/ level-(\d+)/.exec(className)?.[1] ?? 0)

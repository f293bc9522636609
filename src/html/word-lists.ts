/**
 * Lists as Word writes them: paragraphs, whose style says the level, and whose text begins with the mark.
 *
 *     <p style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span>Milk</p>
 */
import type { Block } from '../markdown/block.ts'
import { findFirst, type HtmlElement, type HtmlNode, isElement, styleOf, textOf } from './html-tree.ts'

export interface WordItem {
  /** From 0. */
  level: number
  style: Pick<Block, 'listStyle' | 'number' | 'taskInfo'>
  /** The mark as it is shown: `3.`. */
  mark: string
  /** What stands after the mark. */
  content: HtmlNode[]
}

/** Returns the item that a paragraph is, or undefined if it is none. */
export function wordItem(paragraph: HtmlElement): WordItem | undefined {
  const [, level] = /\blevel(\d)/.exec(styleOf(paragraph, 'mso-list')) ?? []
  if (level === undefined) return undefined
  const marker = findFirst(paragraph, (one) => styleOf(one, 'mso-list') === 'ignore')
  const mark = marker === undefined ? '' : textOf(marker).replace(/\s+/g, '')
  const content = marker === undefined ? paragraph.children : without(paragraph.children, marker)
  const style = styleOfMark(mark)
  // Words of a mark, as in `Article 5:`, are shown as text: a bullet does not say them.
  const words = style.listStyle === 'bullet' && WORDS.test(mark) ? [`${textOf(marker ?? '').trim()} `] : []
  return { level: Math.max(0, Number(level) - 1), style, mark, content: [...words, ...content] }
}

/** A letter alone is a bullet in a font of signs. */
const WORDS = /\p{N}|\p{L}{2}/u

function styleOfMark(mark: string): WordItem['style'] {
  if (/^[☐❏❑❒□]$/.test(mark)) return { listStyle: 'task', taskInfo: { state: 'todo' } }
  if (/^[☑☒]$/.test(mark)) return { listStyle: 'task', taskInfo: { state: 'done' } }
  // The last number of `1.2.` counts the items of this level.
  const [, number] = /^\(?(?:\d+\.)*(\d{1,9})[.)]?$/.exec(mark) ?? []
  if (number !== undefined) return { listStyle: 'numbered', number: Number(number) }
  return { listStyle: /^\(?[a-z]{1,5}[.)]$/i.test(mark) ? 'numbered' : 'bullet' }
}

const without = (nodes: readonly HtmlNode[], left: HtmlElement): HtmlNode[] =>
  nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node)) return [node]
    return node === left ? [] : [{ ...node, children: without(node.children, left) }]
  })

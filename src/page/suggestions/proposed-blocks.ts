/**
 * Blocks that are proposed, as they would look. What their look does not show is written beside it, and what cannot be
 * shown as a block is shown as Markdown, so that nothing of them stays hidden.
 */
import type { Block, CalloutLevel } from '../../markdown/block.ts'
import { calloutColor } from '../../markdown/callout-kinds.ts'
import { itemLabel, ListNumbers } from '../../markdown/list-numbers.ts'
import { readMarkdown } from '../../markdown/read-markdown.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'
import { countedBlock } from '../../markdown/written-numbers.ts'
import { calloutTitle } from '../blocks/callout-html.ts'
import { toneOf } from '../blocks/tones.ts'
import { type Html, html, joinHtml, trusted } from '../html.ts'
import { shownText } from '../shown-text.ts'
import { calloutDetails, calloutsOf } from './block-look.ts'
import { hasLook, proposedBlock } from './proposed-block.ts'
import { sourceHtml } from './proposed-source.ts'

/** @param markdown  of one or more blocks */
export function proposedBlocks(markdown: string): Html {
  const blocks = blocksIn(markdown)
  return blocks === undefined ? sourceHtml(markdown) : blocksHtml(blocks)
}

/** What a whiteboard holds is not read from its Markdown. */
const UNREAD = /<whiteboard\b[^<>]*[^/<>]>/

/** The blocks of a Markdown text; undefined for text that cannot be read as blocks, or not all of it. */
export function blocksIn(markdown: string): Block[] | undefined {
  if (UNREAD.test(markdown)) return undefined
  try {
    return readMarkdown(markdown)
  } catch {
    return undefined
  }
}

/** The numbers of list items, as they stand before them: `2.`, or `b.` one level deeper. */
export type ItemLabels = ReadonlyMap<Block, string>

/** @param blocks  all siblings, since items are counted */
export function labelsOf(blocks: readonly Block[]): ItemLabels {
  const numbers = new ListNumbers()
  const labels = new Map<Block, string>()
  for (const block of blocks) {
    const counted = countedBlock(block)
    const number = numbers.next(counted)
    if (number !== undefined) labels.set(block, itemLabel(counted.level, number))
  }
  return labels
}

/** Blocks in the boxes of their callouts. @param labels  if they are some of several siblings */
export function blocksHtml(blocks: readonly Block[], labels: ItemLabels = labelsOf(blocks)): Html {
  const parts: Html[] = []
  let open: readonly CalloutLevel[] = []
  for (const block of blocks) {
    const levels = calloutsOf(block)
    const shared = sharedLevels(open, levels)
    parts.push(
      ...open.slice(shared).map(() => BOX_END),
      ...levels.slice(shared).map(boxStart),
      blockHtml(block, labels),
    )
    open = levels
  }
  return joinHtml([...parts, ...open.map(() => BOX_END)])
}

function sharedLevels(open: readonly CalloutLevel[], levels: readonly CalloutLevel[]): number {
  let shared = 0
  while (shared < open.length && shared < levels.length && levels[shared]?.starts !== true) shared++
  return shared
}

const BOX_END = trusted('</div>')

function boxStart(level: CalloutLevel): Html {
  const [title, about] = [calloutTitle(level), calloutDetails(level)]
  const color = level.color ?? calloutColor(level.icon ?? '')
  const tone = color === undefined ? '' : ` tone-${toneOf(color)}`
  const start = trusted('<div class="callout">')
  if (title === '' && about === '') return start
  return html`${start}<p class="callout-title${tone}">${shownText(title)}${about !== '' && html` <span class="address">(${shownText(about)})</span>`}</p>`
}

/** One block, without its callouts. */
const blockHtml = (block: Block, labels: ItemLabels): Html =>
  hasLook(block) ? proposedBlock(block, inside, { label: labels.get(block) }) : sourceHtml(writeMarkdown([block]))

const inside = (blocks: readonly Block[]): Html => blocksHtml(blocks)

/** A block in its callouts, with words of its own. @param words  those of the block, with changes */
export function blockWith(block: Block, words: Html, label?: string): Html {
  const levels = calloutsOf(block)
  const content = proposedBlock(block, inside, { words, label })
  return joinHtml([...levels.map(boxStart), content, ...levels.map(() => BOX_END)])
}

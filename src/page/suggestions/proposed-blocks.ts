/**
 * Blocks that are proposed, as they would look. What their look does not show is written beside it, and what cannot be
 * shown as a block is shown as Markdown, so that nothing of them stays hidden.
 */
import type { Block, CalloutLevel } from '../../markdown/block.ts'
import { calloutColor } from '../../markdown/callout-kinds.ts'
import { readMarkdown } from '../../markdown/read-markdown.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'
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

/** Blocks in the boxes of their callouts. */
export function blocksHtml(blocks: readonly Block[]): Html {
  const parts: Html[] = []
  let open: readonly CalloutLevel[] = []
  for (const block of blocks) {
    const levels = calloutsOf(block)
    const shared = sharedLevels(open, levels)
    parts.push(...open.slice(shared).map(() => BOX_END), ...levels.slice(shared).map(boxStart), blockHtml(block))
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
const blockHtml = (block: Block): Html =>
  hasLook(block) ? proposedBlock(block, blocksHtml) : sourceHtml(writeMarkdown([block]))

/** A block in its callouts, with words of its own. @param words  those of the block, with changes */
export function blockWith(block: Block, words: Html): Html {
  const levels = calloutsOf(block)
  return joinHtml([...levels.map(boxStart), proposedBlock(block, blocksHtml, words), ...levels.map(() => BOX_END)])
}

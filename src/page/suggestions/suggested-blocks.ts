/** Blocks with what a suggestion changes in them, as they look. */
import { editsBetween } from '../../difference/text-edits.ts'
import type { Block } from '../../markdown/block.ts'
import { suggestedRuns } from '../blocks/suggested-words.ts'
import { type Html, html, joinHtml } from '../html.ts'
import { lookOf } from './block-look.ts'
import { codeLabel, hasLook, isTextBlock } from './proposed-block.ts'
import { blocksHtml, blocksIn, blockWith } from './proposed-blocks.ts'
import { linesHtml } from './proposed-source.ts'
import { proposedSpans } from './proposed-words.ts'
import { suggestedTable } from './suggested-table.ts'
import { runsHtml } from './suggested-text.ts'

/** @param before  Markdown of blocks @param after  what becomes of it */
export function suggestedBlocks(before: string, after: string): Html {
  const [old, now] = [blocksIn(before), blocksIn(after)]
  if (old === undefined || now === undefined) return linesHtml(before, after)
  const keysOf = (blocks: readonly Block[]) => blocks.map((block) => JSON.stringify(block))
  const edits = editsBetween(keysOf(old), keysOf(now)) ?? [{ from: 0, to: old.length, tokens: keysOf(now) }]
  const parts: Html[] = []
  let [from, to] = [0, 0]
  for (const edit of edits) {
    parts.push(blocksHtml(old.slice(from, edit.from)))
    to += edit.from - from
    const next = to + edit.tokens.length
    parts.push(replacedHtml(old.slice(edit.from, edit.to), now.slice(to, next)))
    from = edit.to
    to = next
  }
  return joinHtml([...parts, blocksHtml(old.slice(from))])
}

/** Blocks in place of others. One that is still what it was is shown once, with its words. */
function replacedHtml(old: readonly Block[], now: readonly Block[]): Html {
  const both = Math.min(old.length, now.length)
  const pairs = old.slice(0, both).map((block, index) => pairHtml(block, now[index] ?? block))
  return joinHtml([...pairs, struck(old.slice(both)), put(now.slice(both))])
}

const struck = (blocks: readonly Block[]): Html =>
  blocks.length === 0 ? html`` : html`<del class="old change">${blocksHtml(blocks)}</del>`
export const put = (blocks: readonly Block[]): Html =>
  blocks.length === 0 ? html`` : html`<ins class="new change">${blocksHtml(blocks)}</ins>`

const pairHtml = (old: Block, now: Block): Html => joinedHtml(old, now) ?? html`${struck([old])}${put([now])}`

/** @returns undefined for a block that becomes another one, or in which no words change but something else */
function joinedHtml(old: Block, now: Block): Html | undefined {
  if (old.text === now.text) return JSON.stringify(old) === JSON.stringify(now) ? blocksHtml([now]) : undefined
  if (old.type !== now.type || !hasLook(old) || !hasLook(now) || lookOf(old) !== lookOf(now)) return undefined
  if (isTextBlock(old)) return blockWith(now, runsHtml(suggestedRuns(old.text, now.text), proposedSpans))
  if (old.type === 'table') {
    const table = suggestedTable(old.text, now.text)
    return table && blockWith(now, table)
  }
  if (old.type === 'code' && String(codeLabel(old)) === String(codeLabel(now)))
    return blockWith(now, linesHtml(old.text, now.text))
  return undefined
}

/** Blocks with what a suggestion changes in them, as they look. */
import { editsBetween } from '../../difference/text-edits.ts'
import type { Block } from '../../markdown/block.ts'
import { suggestedRuns } from '../blocks/suggested-words.ts'
import { type Html, html, joinHtml } from '../html.ts'
import { lookOf } from './block-look.ts'
import { codeLabel, hasLook, isTextBlock } from './proposed-block.ts'
import { blocksHtml, blocksIn, blockWith, type ItemLabels, labelsOf } from './proposed-blocks.ts'
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
  const labels = new Map([...labelsOf(old), ...labelsOf(now)])
  const parts: Html[] = []
  let [from, to] = [0, 0]
  for (const edit of edits) {
    const kept = edit.from - from
    parts.push(blocksHtml(now.slice(to, to + kept), labels))
    to += kept
    const next = to + edit.tokens.length
    parts.push(replacedHtml(old.slice(edit.from, edit.to), now.slice(to, next), labels))
    from = edit.to
    to = next
  }
  return joinHtml([...parts, blocksHtml(now.slice(to), labels)])
}

/** Blocks in place of others. One that is still what it was is shown once, with its words. */
function replacedHtml(old: readonly Block[], now: readonly Block[], labels: ItemLabels): Html {
  const both = Math.min(old.length, now.length)
  const pairs = old.slice(0, both).map((block, index) => pairHtml(block, now[index] ?? block, labels))
  return joinHtml([...pairs, struck(old.slice(both), labels), put(now.slice(both), labels)])
}

const struck = (blocks: readonly Block[], labels: ItemLabels): Html =>
  blocks.length === 0 ? html`` : html`<del class="old change">${blocksHtml(blocks, labels)}</del>`
const put = (blocks: readonly Block[], labels: ItemLabels): Html =>
  blocks.length === 0 ? html`` : html`<ins class="new change">${blocksHtml(blocks, labels)}</ins>`

const pairHtml = (old: Block, now: Block, labels: ItemLabels): Html =>
  joinedHtml(old, now, labels) ?? html`${struck([old], labels)}${put([now], labels)}`

/** @returns undefined for a block that becomes another one, or in which no words change but something else */
function joinedHtml(old: Block, now: Block, labels: ItemLabels): Html | undefined {
  if (old.text === now.text) return JSON.stringify(old) === JSON.stringify(now) ? blocksHtml([now], labels) : undefined
  if (old.type !== now.type || !hasLook(old) || !hasLook(now) || lookOf(old) !== lookOf(now)) return undefined
  const label = labels.get(now)
  if (isTextBlock(old)) return blockWith(now, runsHtml(suggestedRuns(old.text, now.text), proposedSpans), label)
  if (old.type === 'table') {
    const table = suggestedTable(old.text, now.text)
    return table && blockWith(now, table, label)
  }
  if (old.type === 'code' && String(codeLabel(old)) === String(codeLabel(now)))
    return blockWith(now, linesHtml(old.text, now.text), label)
  return undefined
}

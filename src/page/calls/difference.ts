/** Renders unified diffs for people: removed and added lines, with changed words highlighted. */
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { ComparedWords, LinePair } from '../../difference/changed-words.ts'
import type { Comparer } from '../../difference/comparer.ts'
import type { DiffLine, DocumentDifference, Sign } from '../../difference/unified-diff.ts'
import { type Html, html } from '../html.ts'

/**
 * Shows differences with their changed words marked. Where there are more words than a request compares, lines are
 * shown whole, and a sentence says so.
 *
 * @param comparer  the one of the request
 * @param titles  true to show the title of each document
 */
export async function differenceHtml(
  comparer: Comparer,
  documents: readonly DocumentDifference[],
  titles: boolean,
): Promise<Html> {
  if (documents.every(({ parts, notes }) => parts.length === 0 && notes.length === 0)) {
    return html`<p class="empty">The text is the same.</p>`
  }
  const sections = documents.map(({ parts, ...document }) => ({ ...document, parts: parts.map(groupLines) }))
  const pairs = sections.flatMap(({ parts }) => parts.flat().flatMap((group) => ('pairs' in group ? group.pairs : [])))
  const compared = await comparer.compareLines(pairs)
  const words = new Map(pairs.map((pair, index) => [pair, compared[index]]))
  const isLimited = compared.some((one) => 'whole' in one && one.whole === 'too long')
  const shown: Html[] = []
  for (const { title, notes, parts } of sections) {
    const partsHtml: Html[] = []
    for (const [index, groups] of parts.entries()) {
      const gap = index > 0 && html`<p class="gap" aria-hidden="true">…</p>`
      const lines: Html[] = []
      for (const group of groups) {
        lines.push(...groupHtml(group, words))
        await yieldToEventLoop()
      }
      partsHtml.push(html`${gap}<div class="diff">${lines}</div>`)
    }
    shown.push(html`<section class="difference">${titles && title !== '' && html`<h2>${title}</h2>`}${notes.map((note) => html`<p class="empty">${note}</p>`)}${partsHtml}</section>
`)
  }
  return html`${isLimited && html`<p class="about">${WHOLE_LINES}</p>`}${shown}`
}

export const WHOLE_LINES = 'Too much changed to mark each changed word: some lines are shown whole.'

/** An unchanged line, or lines that were removed and added in its place. */
type LineGroup = { same: string } | { pairs: LinePair[] }

/** Pairs removed lines with the added lines after them. */
function groupLines(lines: readonly DiffLine[]): LineGroup[] {
  const groups: LineGroup[] = []
  for (let at = 0; at < lines.length; ) {
    const removed = takeWhile(lines, at, '-')
    const added = takeWhile(lines, at + removed.length, '+')
    if (removed.length === 0 && added.length === 0) groups.push({ same: lines[at]?.text ?? '' })
    else {
      const pairs = Array.from({ length: Math.max(removed.length, added.length) }, (_, index) =>
        pairLines(removed[index], added[index]),
      )
      groups.push({ pairs })
    }
    at += Math.max(removed.length + added.length, 1)
  }
  return groups
}

/** A removed line and the line that replaced it, as they are shown; both empty if there is nothing to show. */
function pairLines(before: string | undefined, after: string | undefined): LinePair {
  const shown = { before: readable(before ?? ''), after: readable(after ?? '') }
  if (before === undefined || after === undefined || shown.before !== shown.after) return shown
  // If only marks changed, the Markdown is shown. A comment does not change the text.
  const marked = { before: withoutComments(before), after: withoutComments(after) }
  return marked.before === marked.after ? { before: '', after: '' } : marked
}

function groupHtml(group: LineGroup, words: ReadonlyMap<LinePair, ComparedWords | undefined>): Html[] {
  if ('same' in group) {
    const text = readable(group.same)
    return text === '' ? [] : [html`<p class="same">${text}</p>`]
  }
  const linesOf = (sign: '-' | '+', side: keyof LinePair): Html[] =>
    group.pairs.flatMap((pair) =>
      pair[side] === '' ? [] : lineHtml(sign, wordsHtml(pair[side], sign, words.get(pair))),
    )
  return [...linesOf('-', 'before'), ...linesOf('+', 'after')]
}

/** A line with its changed words marked, if they are known. */
function wordsHtml(line: string, side: '-' | '+', words: ComparedWords | undefined): Html {
  if (words === undefined || 'whole' in words) return html`${line}`
  const own = words.filter(({ sign }) => sign === ' ' || sign === side)
  return html`${own.map(({ sign, text }) => (sign === ' ' ? text : sign === '-' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`))}`
}

/** Tags of our Markdown dialect. */
const TAGS =
  /<\/?(?:page|card|pageTitle|content|callout|caption|highlight|comment|collection|collectionItem|title|properties|property)(?:\s[^<>]*)?>/g
const BLOCK_LINK = /\[([^[\]]*)\]\((?:block|date):\/\/[^()\s]*\)/g
const BOXES: Readonly<Record<string, string>> = { ' ': '☐', x: '☑', '-': '☒' }

const withoutComments = (line: string): string => line.replace(/<\/?comment(?:\s[^<>]*)?>/g, '')

/** A line of Markdown without tags; empty if nothing is left. */
const readable = (line: string): string =>
  line
    .replace(TAGS, '')
    .replace(BLOCK_LINK, '$1')
    .replace(/^(\s*)- \[([ x-])\] /, (_, indent: string, state: string) => `${indent}${BOXES[state] ?? '☐'} `)
    .replace(/^(\s*)[-+] /, '$1• ')
    .replace(/^<br>$/, '')
    .trimEnd()

function takeWhile(lines: readonly DiffLine[], from: number, sign: Sign): string[] {
  let end = from
  while (lines[end]?.sign === sign) end++
  return lines.slice(from, end).map(({ text }) => text)
}

const lineHtml = (sign: '-' | '+', content: Html): Html =>
  sign === '+'
    ? html`<p class="added"><span class="sign" aria-hidden="true">+</span><span class="hidden">Added: </span>${content}</p>`
    : html`<p class="removed"><span class="sign" aria-hidden="true">−</span><span class="hidden">Removed: </span>${content}</p>`

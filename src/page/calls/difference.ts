/** Renders unified diffs for people: removed and added lines, with changed words highlighted. */
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { markUnseen } from '../../base/unseen-characters.ts'
import type { ComparedWords, LinePair } from '../../difference/changed-words.ts'
import type { Comparer } from '../../difference/comparer.ts'
import type { DiffHunk, DiffLine, DocumentDifference } from '../../difference/read-diff.ts'
import type { Sign } from '../../difference/unified-diff.ts'
import type { Formats } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { markedHtml, shownText } from '../shown-text.ts'
import { answerSentence, commentSentences } from '../suggestions/detail-words.ts'
import { text, textKey } from '../texts/text.ts'
import { toolLabel } from './call-text.ts'
import { inSentence } from './change-words.ts'
import { readableDetail } from './readable-detail.ts'
import { isCode, isTableRule, readableLine } from './readable-line.ts'

interface DifferenceLook {
  /** True to show old and new lines side by side. */
  sides?: boolean
  /** For what has been decided, how the page writes times: see {@link readableLine}. */
  past?: Formats
  /** True if all of it is there, so that what happens to comments can stand in sentences. */
  isWhole?: boolean
}

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
  { sides = false, past, isWhole = false }: DifferenceLook = {},
): Promise<Html> {
  if (documents.every(({ hunks, notes }) => hunks.length === 0 && notes.length === 0)) {
    return html`<p class="empty">The text is the same.</p>`
  }
  const sections = documents.map(({ hunks, ...document }) => ({
    ...document,
    hunks: withoutStructure(
      hunks.map((hunk) => ({
        kind: hunk.kind,
        groups: isWhole ? groupsInSentences(hunk, past) : groupLines(hunk, past),
      })),
      past !== undefined,
    ),
  }))
  const pairs = sections.flatMap(({ hunks }) =>
    hunks.flatMap(({ groups }) => groups.flatMap((group) => ('pairs' in group ? group.pairs : []))),
  )
  const compared = await comparer.compareLines(pairs)
  const wordDiffs = new Map(pairs.map((pair, index) => [pair, compared[index]]))
  const isLimited = compared.some((one) => 'whole' in one && one.whole === 'too long')
  const shown: Html[] = []
  for (const { title, notes, hunks } of sections) {
    const hunksHtml: Html[] = []
    for (const [index, { kind, groups }] of hunks.entries()) {
      const gap = kind === 'text' && index > 0 && html`<p class="gap" aria-hidden="true">…</p>`
      const lines: Html[] = []
      for (const group of groups) {
        lines.push(...(sides ? sidesHtml(group, wordDiffs) : groupHtml(group, wordDiffs)))
        await yieldToEventLoop()
      }
      hunksHtml.push(html`${gap}<div class="diff ${kind}${sides && ' sides'}">${lines}</div>`)
    }
    const isAsked = hunks.some(({ kind }) => kind === 'arguments')
    shown.push(html`<section class="difference">${isAsked ? html`<h2 class="asked">${requestText(title)}</h2>` : titles && title !== '' && html`<h2>${shownText(title)}</h2>`}${notes.map((note) => html`<p class="empty">${note === SAME_TEXT ? text('The text is the same.') : shownText(note)}</p>`)}${hunksHtml}</section>
`)
  }
  return html`${isLimited && html`<p class="about">${WHOLE_LINES}</p>`}${shown}`
}

/** A note of differences that the pages show in their language. */
const SAME_TEXT = 'The text is the same.'

export const WHOLE_LINES = textKey('Too much changed to mark each changed word: some lines are shown whole.')

/** The heading of the arguments of a call. @param title  the tool, behind its number if there are several calls */
function requestText(title: string): string {
  const [, number = '', tool = title] = /^(\d+\. )(.*)$/.exec(title) ?? []
  return text('{number}Requested: {what}', { number, what: inSentence(toolLabel(tool, 'proposed')) })
}

/** Says what happens to comments. */
function groupsInSentences(hunk: DiffHunk, past: Formats | undefined): LineGroup[] {
  const { kind, lines, before, after } = hunk
  // The last part of a long difference may begin between a comment before and after.
  if (before > 1 || after > 1) return groupLines(hunk, past)
  if (kind === 'details') {
    const { sentences, others } = commentSentences(lines)
    return [...sentences.map((words) => ({ words })), ...groupLines({ ...hunk, lines: others }, past)]
  }
  if (kind !== 'arguments') return groupLines(hunk, past)
  const answers = lines.map((line) => ({ line, words: answerSentence(line.text) }))
  const others = answers.flatMap(({ line, words }) => (words === undefined ? line : []))
  const sentences = answers.flatMap(({ words }) => (words === undefined ? [] : { words }))
  return [...sentences, ...groupLines({ ...hunk, lines: others }, past)]
}

/** A sentence, an unchanged line, or lines that were removed and added in its place. */
type LineGroup =
  | { words: Html }
  | { same: string; isCode: boolean }
  | {
      pairs: LinePair[]
      code: Record<keyof LinePair, boolean>[]
      /** True if they only begin or end something. */
      isStructure: boolean
    }

interface ShownHunk {
  kind: DiffHunk['kind']
  groups: LineGroup[]
}

/** What only begins or ends something is left out beside other changes, once all has been decided. */
function withoutStructure(hunks: readonly ShownHunk[], isPast: boolean): readonly ShownHunk[] {
  const isSeen = (group: LineGroup) => 'words' in group || ('pairs' in group && !group.isStructure)
  if (!isPast || !hunks.some(({ groups }) => groups.some(isSeen))) return hunks
  return hunks
    .filter(({ groups }) => groups.some(isSeen))
    .map(({ kind, groups }) => ({ kind, groups: groups.filter((group) => 'same' in group || isSeen(group)) }))
}

/** Pairs removed lines with the added lines after them. */
function groupLines({ kind, lines }: DiffHunk, past: Formats | undefined): LineGroup[] {
  const rules = kind === 'text' && past !== undefined ? tableRules(lines) : new Set()
  const shown = (line: DiffLine) =>
    kind === 'text'
      ? rules.has(line)
        ? ''
        : readableLine(line, past !== undefined)
      : kind === 'details' && past !== undefined
        ? readableDetail(line.text, past)
        : markUnseen(line.text)
  const groups: LineGroup[] = []
  for (let at = 0; at < lines.length; ) {
    const removed = takeWhile(lines, at, '-')
    const added = takeWhile(lines, at + removed.length, '+')
    const [line] = lines.slice(at, at + 1)
    if (removed.length === 0 && added.length === 0) {
      groups.push({ same: line === undefined ? '' : shown(line), isCode: isCodeLine(line) })
    } else {
      const rows = Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => index)
      const pairs = rows.map((row) => pairLines(removed[row], added[row], shown))
      // A change always shows a line, even where nothing but structure changes.
      const isSeen = pairs.some(({ before, after }) => before !== '' || after !== '')
      groups.push({
        pairs: isSeen ? pairs : rows.map((row) => pairWhole(removed[row], added[row])),
        code: rows.map((row) => ({ before: isCodeLine(removed[row]), after: isCodeLine(added[row]) })),
        isStructure: !isSeen,
      })
    }
    at += Math.max(removed.length + added.length, 1)
  }
  return groups
}

/** The rules below the heads of tables. Where the head or what is above it is not among the lines, a rule is shown. */
function tableRules(lines: readonly DiffLine[]): ReadonlySet<DiffLine> {
  const rules = new Set<DiffLine>()
  for (const side of ['-', '+'] as const) {
    const own = lines.filter(({ sign }) => sign === ' ' || sign === side)
    for (const [at, line] of own.entries()) {
      const above = own.slice(Math.max(0, at - 2), at).reverse()
      if (
        !isCode(line) &&
        isTableRule(
          line.text,
          above.map(({ text }) => text),
        )
      )
        rules.add(line)
    }
  }
  return rules
}

/** A removed line and the line that replaced it, as they are shown; empty if there is nothing to show. */
function pairLines(
  before: DiffLine | undefined,
  after: DiffLine | undefined,
  shown: (line: DiffLine) => string,
): LinePair {
  const pair = { before: before ? shown(before) : '', after: after ? shown(after) : '' }
  // Lines that look the same differ in what is not shown, so they are shown as they are.
  return pair.before === pair.after && pair.before !== '' ? pairWhole(before, after) : pair
}

/** Both lines as they are. */
function pairWhole(before: DiffLine | undefined, after: DiffLine | undefined): LinePair {
  const whole = (line: DiffLine | undefined) => (line === undefined ? '' : markUnseen(line.text) || `${EMPTY_LINE}`)
  return { before: whole(before), after: whole(after) }
}

const EMPTY_LINE = textKey('(an empty line)')

function groupHtml(group: LineGroup, wordDiffs: ReadonlyMap<LinePair, ComparedWords | undefined>): Html[] {
  if ('words' in group) return [html`<p class="sentence">${group.words}</p>`]
  if ('same' in group) {
    const { same, isCode } = group
    return same === '' ? [] : [html`<p class="same${isCode && ' code'}">${markedHtml(same)}</p>`]
  }
  const linesOf = (sign: '-' | '+', side: keyof LinePair): Html[] =>
    group.pairs.flatMap((pair, index) => {
      const content = textHtml(pair[side], sign, wordDiffs.get(pair))
      return pair[side] === '' ? [] : lineHtml(sign, content, group.code[index]?.[side] ?? false)
    })
  return [...linesOf('-', 'before'), ...linesOf('+', 'after')]
}

/** A row of two columns for each line. On narrow screens, the columns are one below the other. */
function sidesHtml(group: LineGroup, wordDiffs: ReadonlyMap<LinePair, ComparedWords | undefined>): Html[] {
  if ('words' in group) return groupHtml(group, wordDiffs)
  if ('same' in group) {
    const [shown] = groupHtml(group, wordDiffs)
    // It is read out once.
    return shown === undefined
      ? []
      : [shown, html`<p class="same again${group.isCode && ' code'}" aria-hidden="true">${markedHtml(group.same)}</p>`]
  }
  return group.pairs.flatMap((pair, index) => {
    const cell = (sign: '-' | '+', side: keyof LinePair): Html =>
      pair[side] === ''
        ? html`<p class="again" aria-hidden="true"></p>`
        : lineHtml(sign, textHtml(pair[side], sign, wordDiffs.get(pair)), group.code[index]?.[side] ?? false)
    return pair.before === '' && pair.after === '' ? [] : [cell('-', 'before'), cell('+', 'after')]
  })
}

/** A line with its changed words marked, if they are known. */
function textHtml(line: string, side: '-' | '+', wordDiffs: ComparedWords | undefined): Html {
  if (wordDiffs === undefined || 'whole' in wordDiffs) return markedHtml(line)
  const own = wordDiffs.filter(({ sign }) => sign === ' ' || sign === side)
  return html`${own.map(({ sign, text }) => {
    const shown = markedHtml(text)
    return sign === ' ' ? shown : sign === '-' ? html`<del>${shown}</del>` : html`<ins>${shown}</ins>`
  })}`
}

const isCodeLine = (line: DiffLine | undefined): boolean => line !== undefined && isCode(line)

function takeWhile(lines: readonly DiffLine[], from: number, sign: Sign): DiffLine[] {
  let end = from
  while (lines[end]?.sign === sign) end++
  return lines.slice(from, end)
}

const lineHtml = (sign: '-' | '+', content: Html, isCode: boolean): Html => {
  const end = isCode && ' code'
  return sign === '+'
    ? html`<p class="added${end}"><span class="sign" aria-hidden="true">+</span><span class="hidden">Added: </span>${content}</p>`
    : html`<p class="removed${end}"><span class="sign" aria-hidden="true">−</span><span class="hidden">Removed: </span>${content}</p>`
}

/** Renders unified diffs for people: removed and added lines, with changed words highlighted. */
import { diffWordsWithSpace } from 'diff'
import { type Html, html } from '../html.ts'

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** The changes in one document: hunks with context lines. */
export interface DocumentDifference {
  title: string
  /** A sentence instead of hunks: that the text is the same, or too different. */
  note?: string
  parts: DiffLine[][]
}

/** Maximum length of two lines that are compared word by word. */
const COMPARED_LENGTH = 4_000
/** Milliseconds for comparing two lines. */
const COMPARE_MS = 50

/** @param diff  from `history_list`, for one or several documents */
export function parseDifference(diff: string): DocumentDifference[] {
  const documents: DocumentDifference[] = []
  const lines = diff.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const current = documents.at(-1)
    // A removed line may begin with dashes. Only with a second header line after it, it is the header of a document.
    if (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ')) {
      documents.push({ title: headTitle(line), parts: [] })
      at++
    } else if (/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line)) current?.parts.push([])
    else {
      const part = current?.parts.at(-1)
      const kind = line.startsWith('+')
        ? 'added'
        : line.startsWith('-')
          ? 'removed'
          : line.startsWith(' ')
            ? 'same'
            : undefined
      if (part !== undefined && kind !== undefined) part.push({ kind, text: line.slice(1) })
      else if (line !== '' && !line.startsWith('\\') && !RULE.test(line)) addNote(documents, line)
    }
  }
  return documents
}

/** The separator that the library writes before each document. */
const RULE = /^={10,}$/

/** Such as `--- Plan\tbefore`. */
const headTitle = (line: string): string => line.slice('--- '.length).replace(/\t(?:before|after)$/, '')

const NOTE = /^(.*): (the text (?:is the same|differs too much).*)$/

function addNote(documents: DocumentDifference[], line: string): void {
  const [, title, note] = NOTE.exec(line) ?? []
  if (title !== undefined && note !== undefined) documents.push({ title, note, parts: [] })
  else documents.push({ title: '', note: line, parts: [] })
}

/** @param titles  true to show the title of each document */
export function differenceHtml(documents: readonly DocumentDifference[], titles: boolean): Html {
  if (documents.every(({ parts, note }) => parts.length === 0 && note === undefined)) {
    return html`<p class="empty">The text is the same.</p>`
  }
  return html`${documents.map(
    ({ title, note, parts }) => html`<section class="difference">${titles && title !== '' && html`<h2>${title}</h2>`}${
      note !== undefined && html`<p class="empty">${sentence(note)}</p>`
    }${parts.map((part, index) => html`${index > 0 && html`<p class="gap" aria-hidden="true">…</p>`}<div class="diff">${partHtml(part)}</div>`)}</section>
`,
  )}`
}

const sentence = (note: string): string => `${note.charAt(0).toUpperCase()}${note.slice(1)}`

/** Compares removed lines and the added lines after them in pairs. */
function partHtml(lines: readonly DiffLine[]): Html[] {
  const shown: Html[] = []
  for (let at = 0; at < lines.length; ) {
    const removed = takeWhile(lines, at, 'removed')
    const added = takeWhile(lines, at + removed.length, 'added')
    if (removed.length === 0 && added.length === 0) {
      const text = readable(lines[at]?.text ?? '')
      if (text !== '') shown.push(html`<p class="same">${text}</p>`)
      at++
      continue
    }
    at += removed.length + added.length
    const pairs = pairLines(removed, added)
    const before = pairs.flatMap((pair) => pair.before ?? [])
    const after = pairs.flatMap((pair) => pair.after ?? [])
    shown.push(...before.map((content) => lineHtml('removed', content)))
    shown.push(...after.map((content) => lineHtml('added', content)))
  }
  return shown
}

/** A removed line and the line that replaced it, as shown. */
interface LinePair {
  before?: Html
  after?: Html
}

function pairLines(removed: readonly string[], added: readonly string[]): LinePair[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index): LinePair => {
    const [before, after] = [removed[index], added[index]]
    const [shownBefore, shownAfter] = [readable(before ?? ''), readable(after ?? '')]
    // If only marks changed, the Markdown is shown.
    const isSame = before !== undefined && after !== undefined && shownBefore === shownAfter
    const [old, now] = isSame ? [withoutComments(before), withoutComments(after)] : [shownBefore, shownAfter]
    // A comment does not change the text.
    if (isSame && old === now) return {}
    const compared = compareWords(old, now)
    return {
      ...(old !== '' && { before: compared?.removed ?? html`${old}` }),
      ...(now !== '' && { after: compared?.added ?? html`${now}` }),
    }
  })
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

function takeWhile(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): string[] {
  let end = from
  while (lines[end]?.kind === kind) end++
  return lines.slice(from, end).map(({ text }) => text)
}

const lineHtml = (kind: 'added' | 'removed', content: Html): Html =>
  kind === 'added'
    ? html`<p class="added"><span class="sign" aria-hidden="true">+</span><span class="hidden">Added: </span>${content}</p>`
    : html`<p class="removed"><span class="sign" aria-hidden="true">−</span><span class="hidden">Removed: </span>${content}</p>`

/** Both lines with changed words highlighted; undefined if they have little in common. */
function compareWords(before: string, after: string): { removed: Html; added: Html } | undefined {
  if (before === '' || after === '' || before.length + after.length > COMPARED_LENGTH) return undefined
  const changes = diffWordsWithSpace(before, after, { timeout: COMPARE_MS })
  if (changes === undefined) return undefined
  const common = changes.filter(({ added, removed }) => !added && !removed)
  const length = common.reduce((sum, { value }) => sum + value.trim().length, 0)
  if (length * 3 < Math.min(before.trim().length, after.trim().length)) return undefined
  return {
    removed: html`${changes.map(({ added, removed, value }) => !added && (removed ? html`<del>${value}</del>` : html`${value}`))}`,
    added: html`${changes.map(({ added, removed, value }) => !removed && (added ? html`<ins>${value}</ins>` : html`${value}`))}`,
  }
}

/** What a suggestion changes besides the text, in plain words: `Resolves the comment by Anna on "Dig": "Who?"`. */
import { parseUnifiedDiff } from '../../difference/read-diff.ts'
import { fieldName, rowName, valueName } from '../calls/detail-names.ts'
import { type Html, html } from '../html.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'
import { type DetailChange, type DetailRow, readDetails, unquoted } from './read-details.ts'

/**
 * One sentence for each change.
 *
 * @param own  the ID of the block that the suggestion is about, which is the one that is shown
 */
export function detailWords(details: string, own: string | undefined): Html[] {
  const changes = readDetails(details, own)
  if (changes === undefined)
    return details
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(lineHtml)
  return changes.flatMap((change) => commentWords(change) ?? otherWords(change))
}

/** True if nothing but comments changes. */
export const changesComments = (details: string): boolean =>
  details !== '' && details.split('\n').every((line) => /^[-+](?:comment by | {2})/.test(line))

/** A line as it is. */
const lineHtml = (line: string): Html =>
  html`${line.startsWith('-') ? text('Not any more: ') : ''}${shownText(line.slice(1))}`

const COMMENT = /^comment by ("(?:[^"\\]|\\.)*"|[^\s"]+) \([\w-]+\) on (.+?)(?: \([\w-]+\))?$/
/** Fields of comments that have words of their own, besides those that say the same. */
const KNOWN = /^(?:content|words|resolved|resolved by|waits for confirmation)$/

/** @returns undefined for what is no comment, and for what these words do not say */
function commentWords({ before, after }: DetailChange): Html[] | undefined {
  const named = commentNames((before ?? after)?.subject ?? '')
  const names = [before, after].flatMap((row) => [...(row?.fields.keys() ?? [])])
  if (named === undefined || names.some((name) => !KNOWN.test(name))) return undefined
  const { by, place } = named
  const marked = (after ?? before)?.fields.get('words')
  if (before !== undefined && after !== undefined && before.fields.get('words') !== marked) return undefined
  const on = marked === undefined ? place : html`${quote(unquoted(marked))} in ${place}`
  const [was, is] = [before, after].map((row) => unquoted(row?.fields.get('content') ?? '')) as [string, string]
  if (before === undefined)
    return [
      html`Adds a comment by ${by} on ${on}: ${quote(is)}${after?.fields.has('resolved') && html`, resolved`}${after?.fields.has('waits for confirmation') && html`, to be confirmed`}`,
    ]
  if (after === undefined) return [html`Deletes the comment by ${by} on ${on}: ${quote(was)}`]
  const has = ({ fields }: DetailRow, name: RegExp) => [...fields.keys()].some((one) => name.test(one))
  const begins = (name: RegExp) => !has(before, name) && has(after, name)
  const ends = (name: RegExp) => has(before, name) && !has(after, name)
  const words = [
    was !== is && html`Changes the comment by ${by} on ${on} from ${quote(was)} to ${quote(is)}`,
    begins(/^resolved$/) && html`Resolves the comment by ${by} on ${on}: ${quote(is)}`,
    ends(/^resolved$/) && html`Opens the comment by ${by} on ${on} again: ${quote(is)}`,
    ends(/^waits for confirmation$/) && html`Confirms the comment by ${by} on ${on}: ${quote(is)}`,
  ].filter((one) => one !== false)
  return words.length === 0 ? undefined : words
}

/** Who wrote a comment, and where it is. @param subject  such as `comment by Anna (100000000005) on "Dig" (100000000003)` */
function commentNames(subject: string): { by: Html; place: Html } | undefined {
  const [, author, place = ''] = COMMENT.exec(subject) ?? []
  return author === undefined ? undefined : { by: shownText(unquoted(author)), place: quote(unquoted(place)) }
}

/** The ID of the block that a comment is on, of details that begin with one. */
export const commentedBlock = (details: string): string | undefined =>
  /^[-+]comment by (?:"(?:[^"\\]|\\.)*"|[^\s"]+) \([\w-]+\) on (?:"(?:[^"\\]|\\.)*"|[^\s"]+) \(([\w-]+)\)(?::|$)/m.exec(
    details,
  )?.[1]

/** What details of comments say, and the other lines. */
export interface CommentSentences<Line> {
  sentences: Html[]
  others: Line[]
}

/** Says the comments among lines of details, all of which are there. */
export function commentSentences<Line extends { sign: string; text: string }>(
  lines: readonly Line[],
): CommentSentences<Line> {
  const changes = readDetails(lines.map(({ sign, text }) => `${sign}${text}`).join('\n'), undefined) ?? []
  const all = changes.flatMap((change) => {
    const words = commentWords(change)
    return words === undefined ? [] : [{ change, words }]
  })
  // By number: a text of something else may have the same lines.
  const known = new Set(
    all.flatMap(({ change: { before, after } }) => [...(before?.lines ?? []), ...(after?.lines ?? [])]),
  )
  return { sentences: all.flatMap(({ words }) => words), others: lines.filter((_, number) => !known.has(number)) }
}

const ANSWER = /^comments (\d+)(?: ›|:) comment: (comment by .+)$/

/** Says which comment a new one answers. @param line  of the arguments of a call */
export function answerSentence(line: string): Html | undefined {
  const [, number = '', subject = ''] = ANSWER.exec(line) ?? []
  const named = commentNames(subject)
  if (named === undefined) return undefined
  return number === '1'
    ? html`Answers the comment by ${named.by} on ${named.place}`
    : html`Comment ${number} answers the comment by ${named.by} on ${named.place}`
}

/** What is asked for one comment besides its details. @param asked  a diff @returns undefined for what has no words here */
export function askedSentences(asked: string): Html[] | undefined {
  const lines = parseUnifiedDiff(asked).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
  const words = lines.map(({ text }) => answerSentence(text))
  return words.every((one) => one !== undefined) ? words : undefined
}

/** An element of its own, so that a text cannot look like the sentence around it. */
const quote = (content: string): Html => html`<q dir="auto">${shownText(content)}</q>`

function otherWords({ before, after }: DetailChange): Html[] {
  if (before === undefined || after === undefined) {
    const [row, start] = before === undefined ? [after, ''] : [before, text('Not any more: ')]
    return row === undefined ? [] : [html`${start}${shownText(rowText(row))}`]
  }
  const start = before.subject === '' ? '' : `${rowName(before.subject)}: `
  const names = [...new Set([...before.fields.keys(), ...after.fields.keys()])]
  const changed = names.filter((name) => before.fields.get(name) !== after.fields.get(name))
  // Such as the order of values: each side is shown as it is.
  if (changed.length === 0) return [html`${shownText(rowText(after))}`]
  return changed.map(
    (name) =>
      html`${shownText(`${start}${fieldName(name)}: ${fieldValue(before, name)} → ${fieldValue(after, name)}`)}`,
  )
}

const fieldValue = ({ fields, subject }: DetailRow, name: string): string => {
  const value = fields.get(name)
  return value === undefined ? text('nothing') : valueName(name, value, subject)
}

const rowText = (row: DetailRow): string => {
  const names = [...row.fields.keys()]
  const values = names.map((name) => `${fieldName(name)}: ${fieldValue(row, name)}`).join(', ')
  const subject = rowName(row.subject)
  return subject === '' ? values : values === '' ? subject : `${subject}: ${values}`
}

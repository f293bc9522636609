/** What a suggestion changes besides the text, in plain words: `Resolves the comment by Anna on "Dig": "Who?"`. */
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

const COMMENT = /^comment by (.+) \([\w-]+\) on (.+?)(?: \([\w-]+\))?$/
/** Fields of comments that have words of their own, besides those that say the same. */
const KNOWN = /^(?:content|resolved|resolved by|waits for confirmation)$/

/** @returns undefined for what is no comment, and for what these words do not say */
function commentWords({ before, after }: DetailChange): Html[] | undefined {
  const [, author = '', place = ''] = COMMENT.exec((before ?? after)?.subject ?? '') ?? []
  const names = [before, after].flatMap((row) => [...(row?.fields.keys() ?? [])])
  if (author === '' || names.some((name) => !KNOWN.test(name))) return undefined
  const [by, on] = [shownText(unquoted(author)), quote(unquoted(place))]
  const [was, is] = [before, after].map((row) => unquoted(row?.fields.get('content') ?? '')) as [string, string]
  if (before === undefined)
    return [html`Adds a comment by ${by} on ${on}: ${quote(is)}${after?.fields.has('resolved') && html`, resolved`}`]
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

/** An element of its own, so that a text cannot look like the sentence around it. */
const quote = (content: string): Html => html`<q dir="auto">${shownText(content)}</q>`

function otherWords({ before, after }: DetailChange): Html[] {
  if (before === undefined || after === undefined) {
    const [row, start] = before === undefined ? [after, ''] : [before, text('Not any more: ')]
    return row === undefined ? [] : [html`${start}${shownText(rowText(row))}`]
  }
  const start = before.subject === '' ? '' : `${before.subject}: `
  const names = [...new Set([...before.fields.keys(), ...after.fields.keys()])]
  const changed = names.filter((name) => before.fields.get(name) !== after.fields.get(name))
  // Such as the order of values: each side is shown as it is.
  if (changed.length === 0) return [html`${shownText(rowText(after))}`]
  const value = (row: DetailRow, name: string) => row.fields.get(name) ?? text('nothing')
  return changed.map((name) => html`${shownText(`${start}${name}: ${value(before, name)} → ${value(after, name)}`)}`)
}

const rowText = ({ subject, fields }: DetailRow): string => {
  const values = [...fields].map(([name, value]) => `${name}: ${value}`).join(', ')
  return subject === '' ? values : values === '' ? subject : `${subject}: ${values}`
}

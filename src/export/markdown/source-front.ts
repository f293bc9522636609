/** The front matter of a note whose source is kept, and that of the export. */
import { readFrontMatter } from '../../markdown/front-matter.ts'
import { linesOf, withLineFeeds } from './read-spelling.ts'

/** A source in two parts. */
export interface SplitSource {
  /** The byte order mark, if there is one. */
  mark: string
  /** The lines of the front matter with those around it, without our own fields. Empty if there is none. */
  front: string[]
  /** The properties in it, without our own fields. */
  properties: string
  language: 'yaml' | 'toml'
  body: string
}

/** Our own key with its fields. */
const OWN_KEY = /^scriptorium:[ \t]*[\r\n]/

export function splitSource(text: string): SplitSource {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const lines = linesOf(text.slice(mark.length))
  const { text: properties = '', language, lines: count, own } = readFrontMatter(withLineFeeds(text.slice(mark.length)))
  const front = lines.slice(0, count)
  if (own !== undefined) {
    const at = front.findIndex((line) => OWN_KEY.test(line))
    let end = at + 1
    while (/^[ \t]/.test(front[end] ?? '')) end++
    if (at > 0) front.splice(at, end - at)
  }
  // Front matter that only had our own fields is ours.
  const isOurs = own !== undefined && front.length === 2
  return { mark, front: isOurs ? [] : front, properties, language, body: lines.slice(count).join('') }
}

/** Adds our own fields at the end of front matter. @param own  lines without their ends; empty for none */
export function withOwnFields(front: readonly string[], own: readonly string[], eol: string): string {
  if (own.length === 0) return front.join('')
  const added = ['scriptorium:', ...own.map((line) => `  ${line}`)].map((line) => line + eol)
  if (front.length === 0) return [`---${eol}`, ...added, `---${eol}`].join('')
  const whole = front.map((line) => (/[\r\n]$/.test(line) ? line : line + eol))
  return [...whole.slice(0, -1), ...added, ...whole.slice(-1)].join('')
}

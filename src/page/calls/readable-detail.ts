/**
 * A line about a row that the Markdown does not show, as it reads once all has been decided: `view "Cards": type: Board`,
 * without the IDs behind names, fields that only programs need, and brackets; with types and states as the pages name
 * them, and times in the language of the page.
 */
import { markUnseen } from '../../base/unseen-characters.ts'
import type { Formats } from '../formats.ts'
import { text } from '../texts/text.ts'
import { fieldName, rowName, valueName } from './detail-names.ts'
import { withoutAddresses } from './readable-line.ts'

const QUOTED = /"(?:[^"\\]|\\.)*"/g
/** What was quoted, by its number. */
const KEPT = /"(\d+)"/g
const ID = / \((?:\d{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)/g
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const RULE = /^\{property: ([^{}[\],]+), ascending: (true|false)\}$/

const FOR_PROGRAMS = /^(?:position|SHA-256|key|key of the title column)$/

/** A field of a line, or a value without a name. */
interface Field {
  label: string
  value: string
}

/** @param formats  those of the page */
export function readableDetail(line: string, formats: Formats): string {
  const shown = markUnseen(line)
  // Lines of a text of several lines, and the name of their field above them.
  if (/^\s/.test(shown))
    return withoutAddresses(shown.replace(/^ {2}([\p{L}\p{N} ]+)$/u, (_, label) => `  ${fieldName(label)}`))
  const quoted: string[] = []
  const bare = shown.replace(QUOTED, (found) => `"${quoted.push(withoutAddresses(found)) - 1}"`).replace(ID, '')
  const [subject = bare] = /^[^:]*(?=:(?: |$))/.exec(bare) ?? []
  const rest = bare.slice(subject.length).replace(/^: ?/, '')
  const fields = rest === '' ? [] : partsOf(rest).map(fieldOf)
  const known = fields.filter(({ label }) => !FOR_PROGRAMS.test(label))
  const kept = known.length === 0 ? fields : known
  const colon = subject === bare ? '' : kept.length === 0 ? ':' : ': '
  const words = `${rowName(subject)}${colon}${kept.map((field) => fieldWords(field, subject, formats)).join(', ')}`
  return words.replace(KEPT, (_, index: string) => quoted[Number(index)] ?? '')
}

/** Parts between commas that stand in no brackets. */
function partsOf(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < list.length; at++) {
    const sign = list.charAt(at)
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    else if (depth === 0 && list.startsWith(', ', at)) {
      parts.push(list.slice(from, at))
      from = at + 2
    }
  }
  return [...parts, list.slice(from)]
}

function fieldOf(part: string): Field {
  const end = part.indexOf(': ')
  return end < 0 ? { label: '', value: part } : { label: part.slice(0, end), value: part.slice(end + 2) }
}

function fieldWords({ label, value }: Field, subject: string, formats: Formats): string {
  const words = valueWords(label, value, subject, formats)
  // Its fields say what they are.
  if (label === '' || (label === 'styling' && value.startsWith('{'))) return words
  return `${fieldName(label)}: ${words}`
}

function valueWords(label: string, value: string, subject: string, formats: Formats): string {
  const [, property, ascending] = RULE.exec(value) ?? []
  if (property !== undefined) return ascending === 'true' ? property : text('{property} (descending)', { property })
  if (/^\[.+\]$/.test(value))
    return partsOf(value.slice(1, -1))
      .map((one) => valueWords(label, one, subject, formats))
      .join(', ')
  if (/^\{.+\}$/.test(value))
    return partsOf(value.slice(1, -1))
      .map((one) => fieldWords(fieldOf(one), subject, formats))
      .join(', ')
  if (TIME.test(value)) return formats.since(Date.parse(value))
  return valueName(label, value, subject)
}

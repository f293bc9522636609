/**
 * Reads the lines of what a suggestion changes besides the text, as described-rows.ts writes them. Texts of authors are
 * quoted there, so that none can look like a field.
 *
 *     -comment by Anna (100000000005) on "Dig" (100000000003): content: Who?
 *     +comment by Anna (100000000005) on "Dig" (100000000003): content: Who?, resolved: now, resolved by: Robot
 */

/** A row before or after the change. */
export interface DetailRow {
  sign: '-' | '+'
  /** As it is written: `comment by Anna (100000000005) on "Dig" (100000000003)`; empty for a block itself. */
  subject: string
  /** Values as they are written: in quotes, if they are no plain word and have one line. */
  fields: ReadonlyMap<string, string>
  /** The numbers of its lines, from 0. */
  lines: readonly number[]
}

/** A row that is there before and after, or only on one side. */
export type DetailChange = { before?: DetailRow; after?: DetailRow }

const NAME = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s":,]+)`
const SUBJECT = new RegExp(
  String.raw`^((?:comment by |[a-z]+ )?${NAME}(?: \([\w-]+\))?(?: (?:on|of|for) ${NAME}(?: \([\w-]+\))?)?):(?: (?=.)|$)`,
)
const LABEL = /^("(?:[^"\\]|\\.)*"|[\p{L}\p{N} #-]+): /u

/** @param own  the ID of the block that the suggestion is about @returns undefined for lines of another form */
export function readDetails(details: string, own: string | undefined): DetailChange[] | undefined {
  const rows: DetailRow[] = []
  for (const entry of entriesOf(details)) {
    const row = rowOf(entry, own)
    if (row === undefined) return undefined
    rows.push(row)
  }
  const changes: DetailChange[] = []
  for (const row of rows) {
    const side = row.sign === '-' ? 'before' : 'after'
    const other = changes.find((one) => (one.before ?? one.after)?.subject === row.subject && one[side] === undefined)
    if (other === undefined) changes.push({ [side]: row })
    else other[side] = row
  }
  return changes
}

interface NumberedLine {
  number: number
  line: string
}

/** The lines of each row: those of its longer texts stand below the first one. */
function entriesOf(details: string): NumberedLine[][] {
  const entries: NumberedLine[][] = []
  for (const [number, line] of details.split('\n').entries()) {
    if (line.trim() === '') continue
    if (line.startsWith('  ', 1) && entries.length > 0) entries.at(-1)?.push({ number, line })
    else entries.push([{ number, line }])
  }
  return entries
}

function rowOf(entry: readonly NumberedLine[], own: string | undefined): DetailRow | undefined {
  const [first = '', ...below] = entry.map(({ line }) => line)
  const sign = first.startsWith('-') ? '-' : '+'
  const [head = '', subject = ''] = SUBJECT.exec(first.slice(1)) ?? []
  if (head === '') return undefined
  const fields = new Map<string, string>()
  let rest = first.slice(1 + head.length)
  while (rest !== '') {
    const [label = '', name = ''] = LABEL.exec(rest) ?? []
    if (label === '') return undefined
    const end = endOfValue(rest, label.length)
    fields.set(name, rest.slice(label.length, end))
    rest = rest.slice(end).replace(/^, /, '')
  }
  const long = new Map<string, string[]>()
  for (const line of below) {
    const content = line.slice(3)
    if (!content.startsWith('| ')) long.set(content, [])
    else [...long.values()].at(-1)?.push(content.slice(2))
  }
  for (const [name, texts] of long) fields.set(name, texts.join('\n'))
  const isOwn =
    own !== undefined && subject.endsWith(` (${own})`) && subject.startsWith('"') && !/" (?:on|of|for) "/.test(subject)
  return { sign, subject: isOwn ? '' : subject, fields, lines: entry.map(({ number }) => number) }
}

/** Where a value ends: at a comma outside of quotes and brackets. */
function endOfValue(text: string, from: number): number {
  let [depth, isQuoted] = [0, false]
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted && sign === '\\') at++
    else if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if ('[{('.includes(sign)) depth++
    else if (']})'.includes(sign)) depth--
    else if (depth === 0 && text.startsWith(', ', at)) return at
  }
  return text.length
}

/** A text as its author wrote it. */
export function unquoted(value: string): string {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(value)) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}

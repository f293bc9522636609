/** What replaces text in a cell of a table stays in the cell: its bars are escaped, and its line ends are breaks. */
import { invalid } from '../../base/errors.ts'
import { shorten } from '../../base/shorten.ts'
import { literalSpans } from '../../markdown/inline/literal-spans.ts'
import { ruleColumns } from '../../markdown/table-rule.ts'

/** The marks of blocks before the text of a line. */
const MARKS = String.raw`^(?:[ \t]|>|[-+] (?:\[[ xX-]\] )?|\d{1,9}[.)] |<callout>)*`
const BEFORE_ROW = new RegExp(MARKS)
const ROW = new RegExp(String.raw`${MARKS}\|`)
/** What begins a code block, a comment of several lines and a formula. */
const OPENING = new RegExp(String.raw`${MARKS}(\`{3,}|~{3,}|<!--|\$\$)(.*)$`)

/**
 * @param before  the text of the page before the text that is replaced
 * @throws VALIDATION_ERROR for a line end within code or a formula
 */
export function asCellText(replacement: string, old: string, before: string, after: string): string {
  if (!/[|\r\n]/.test(replacement) || /[|\r\n]/.test(old) || !endsInRow(before, after)) return replacement
  const escaped = replacement.replace(/\\[^\r\n]|\|/g, (found) => (found === '|' ? '\\|' : found))
  const lines = escaped.split(/\r\n?|\n/)
  if (lines.length === 1) return escaped
  assertNoLiteralBroken(lines.join('\n'), { replacement, old, before, after })
  return lines.map((line, index) => lineOfCell(line, { isLast: index === lines.length - 1, index })).join('<br>')
}

/** A line without the spaces beside its line end, and without the backslash that makes the line end a hard break. */
function lineOfCell(line: string, { index, isLast }: { index: number; isLast: boolean }): string {
  let [start, end] = [0, line.length]
  while (index > 0 && isSpace(line[start])) start++
  if (isLast) return line.slice(start)
  if (hasOpenBackslash(line)) end--
  while (end > start && isSpace(line[end - 1])) end--
  const text = line.slice(start, end)
  // A backslash before spaces is part of the text. It must not escape the tag.
  return hasOpenBackslash(text) ? `${text}\\` : text
}

const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** True if the last backslash of a text is not escaped by the one before it. */
function hasOpenBackslash(text: string): boolean {
  let start = text.length
  while (text[start - 1] === '\\') start--
  return (text.length - start) % 2 === 1
}

interface Replaced {
  replacement: string
  old: string
  before: string
  after: string
}

/** Code and formulas have no tags, so a break in them would be shown as `<br>`. */
function assertNoLiteralBroken(text: string, { replacement, old, before, after }: Replaced): void {
  const row = before.slice(before.lastIndexOf('\n') + 1)
  const [start = '', end = ''] = [row.split(/(?<!\\)\|/).at(-1), /^.*/.exec(after)?.[0].split(/(?<!\\)\|/)[0]]
  const cell = start + text + end
  const broken = literalSpans(cell).find((span) => cell.slice(span.at, span.end).includes('\n'))
  if (broken === undefined) return
  const { noun } = broken
  throw invalid(
    `Expected text without a line end in place of ${JSON.stringify(shorten(old))}, in ${noun} in a cell of a table, found ${JSON.stringify(shorten(replacement))}; ${noun} in a cell is one line, so close it before the line end. Nothing was written.`,
  )
}

/** True if a text ends within a row of a table, and not in a code block, a comment or a formula of several lines. */
function endsInRow(before: string, after: string): boolean {
  const lines = before.split('\n')
  if (!isInTable(lines, after)) return false
  let open = ''
  for (const line of lines) open = openAfter(open, line)
  // Comments and formulas that never end are text.
  return open === '' || ((open === '-->' || open === '$$') && !after.includes(open))
}

/** True if the last line is one of rows with the line below a header among them. In text that line has a backslash. */
function isInTable(lines: readonly string[], after: string): boolean {
  for (let index = lines.length - 1; ROW.test(lines[index] ?? ''); index--) {
    if (isRule(lines[index])) return true
  }
  return ROW.test(lines.at(-1) ?? '') && isRule(after.split('\n', 2)[1])
}

const isRule = (line = ''): boolean => ROW.test(line) && ruleColumns(line.replace(BEFORE_ROW, '')) !== undefined

/** What ends the block that is open after a line; empty if none is. */
function openAfter(open: string, line: string): string {
  const [, mark = '', rest = ''] = OPENING.exec(line) ?? []
  if (open === '-->' || open === '$$') return line.includes(open) ? '' : open
  if (open !== '') return mark.startsWith(open) ? '' : open
  if (mark === '<!--') return rest.includes('-->') ? '' : '-->'
  if (mark === '$$') return rest.includes('$$') ? '' : '$$'
  // Code in a line may begin with three backticks, too.
  return mark.startsWith('`') && rest.includes('`') ? '' : mark
}

/**
 * Finds the fields that a Base or Dataview query shows, so that the report can name what a view in its place should
 * show.
 */
import { isObject } from '../../base/is-object.ts'
import { parseYaml } from '../../markdown/front-matter.ts'

/** How many fields a report names. */
const FIELDS_NAMED = 20

/** @param text  text of a Base, from a file or a code block */
export function baseFields(text: string): string {
  const { properties, formulas, views } = parseYaml(text).values
  const orders = (Array.isArray(views) ? views : []).flatMap((view) => (isObject(view) ? view.order : []))
  // A name without a prefix is a property of notes.
  const shown = [...keysOf(properties), ...orders.filter((one) => typeof one === 'string')].map((field) =>
    field.replace(/^note\./, ''),
  )
  return named([...shown, ...keysOf(formulas).map((name) => `formula.${name}`)])
}

const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : [])

/** @param text  text of a query: `TABLE a, b AS "B" FROM #tag` */
export function dataviewFields(text: string): string {
  const [, columns = ''] =
    /^\s*(?:TABLE|LIST)(?:\s+WITHOUT\s+ID)?\b(.*?)(?:\b(?:FROM|WHERE|SORT|GROUP\s+BY|FLATTEN|LIMIT)\b|$)/is.exec(
      text,
    ) ?? []
  return named(splitList(columns).map(withoutAlias))
}

/** Reduces `a AS "B"` to `a`. Matches single spaces: `\s+` would start at every position of a long run of spaces. */
function withoutAlias(column: string): string {
  const alias = column.search(/\sAS\s/i)
  return (alias < 0 ? column : column.slice(0, alias)).trim()
}

/** Splits at commas outside of brackets and quotes. */
function splitList(text: string): string[] {
  const parts = ['']
  let depth = 0
  let quote = ''
  for (const sign of text) {
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"') quote = sign
    else if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
    if (sign === ',' && depth === 0 && quote === '') parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
}

function named(fields: readonly string[]): string {
  const all = [...new Set(fields)].filter((field) => field !== '')
  const more = all.length > FIELDS_NAMED ? ` and ${all.length - FIELDS_NAMED} more` : ''
  return `${all.slice(0, FIELDS_NAMED).join(', ')}${more}`
}

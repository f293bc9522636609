/** Refuses an edit of a page that turns a table into text. */
import { invalid } from '../../base/errors.ts'
import { shorten } from '../../base/shorten.ts'
import { comparableLines, type MisfitHeader, misfitHeader } from '../../markdown/table-rule.ts'
import { flattenTree, type TreeMatches } from '../blocks/match-trees.ts'
import type { NewTree, OldTree } from './page-trees.ts'

/**
 * A header with another number of cells than the line below it is no header, so its table becomes text. That is never
 * meant. What was like this before, and what is new beside tables that stay, is text.
 *
 * @throws VALIDATION_ERROR
 */
export function assertTablesStay(before: OldTree, after: NewTree, matches: TreeMatches): void {
  const news = flattenTree(after) as NewTree[]
  const keys = new Set(news.map(({ key }) => key))
  const changed = (flattenTree(before) as OldTree[]).filter(({ type, key }) => type === 'table' && !keys.has(key))
  if (changed.length === 0) return
  const matched = new Set(matches.values())
  const isOneGone = changed.some((table) => !matched.has(table))
  const lines = new Set(changed.flatMap(({ row }) => comparableLines(row.text)))
  for (const tree of news) {
    const { type, text } = tree.block
    const misfit = type === 'text' ? misfitHeader(text) : undefined
    if (misfit === undefined || wasLikeThis(matches.get(tree) as OldTree | undefined)) continue
    if (isOneGone || comparableLines(text).some((line) => lines.has(line))) throw misfitError(misfit)
  }
}

const wasLikeThis = (old: OldTree | undefined): boolean =>
  old?.type === 'text' && misfitHeader(old.row.text) !== undefined

function misfitError({ columns, header, cells }: MisfitHeader): Error {
  const found = header === undefined ? 'no header' : `${cells}: ${shorten(header)}`
  return invalid(
    `Expected ${columns} cells in the header of a table, as many as in the line below it, found ${found}; to remove a column, replace its cells in both lines and in all rows. Nothing was written.`,
  )
}

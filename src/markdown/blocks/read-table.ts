import type { Token } from 'markdown-it'
import type { Block } from '../block.ts'
import { normalizeCell } from '../inline-text.ts'
import { type RowMeta, widenRows } from './table.ts'
import { writeTable } from './write-table.ts'

/**
 * Reads the tokens of a table.
 *
 * @param start  the index of its opening token
 * @param definitions  the addresses of links that are defined elsewhere in the text
 * @returns the block, and the index of the closing token
 * @throws VALIDATION_ERROR if a long row of a long table would need too many empty cells in the others
 */
export function readTable(
  tokens: readonly Token[],
  start: number,
  definitions: Parameters<typeof normalizeCell>[1],
): { block: Block; end: number } {
  const rows: string[][] = []
  const metas: (RowMeta | undefined)[] = []
  const aligns: string[] = []
  let end = start
  for (; tokens[end] !== undefined && tokens[end]?.type !== 'table_close'; end++) {
    const token = tokens[end]
    if (token?.type === 'tr_open') {
      rows.push([])
      metas.push((token.meta as unknown as RowMeta | null) ?? undefined)
    } else if (token?.type === 'th_open') aligns.push(String(token.attrs?.[0]?.[1] ?? '').replace('text-align:', ''))
    else if (token?.type === 'inline') rows.at(-1)?.push(normalizeCell(token.content, definitions))
  }
  for (const [row, cells] of rows.entries()) {
    for (const cell of metas[row]?.beyond ?? []) cells.push(normalizeCell(cell, definitions))
  }
  widenRows(rows)
  const width = rows[0]?.length ?? 0
  while (aligns.length < width) aligns.push('')
  const short = metas.flatMap((meta, row) => (meta && meta.written < width ? [[row, meta.written] as const] : []))
  const shortRows = short.length > 0 && { shortRows: new Map(short) }
  return { block: { type: 'table', text: writeTable(rows, aligns), ...shortRows }, end }
}

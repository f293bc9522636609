/** Tables that are edited cell by cell. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { readTableGrid } from '../../src/markdown/table-grid.ts'
import { followCell, mergeTables, withCell } from '../../src/page/assets/model/table-change.ts'
import { runs } from '../support/runs.ts'

const TABLE = '| a | b |\n| --- | ---: |\n| 1 | 2 |\n| 3 | 4 |'
const words = fc
  .array(fc.constantFrom('a', ' ', '|', '\\', '**', '`', '\n', '<callout>', '$', '---'), { maxLength: 6 })
  .map((parts) => parts.join(''))

describe('a cell', () => {
  test('accepts any text, and the table keeps its number of cells', () => {
    fc.assert(
      fc.property(words, fc.nat(2), fc.nat(1), (text, row, column) => {
        const blocks = readMarkdown(withCell(TABLE, { row, column }, text))
        expect(blocks.map(({ type }) => type)).toEqual(['table'])
        expect(readTableGrid(blocks[0]?.text ?? '').rows.map((cells) => cells.length)).toEqual([2, 2, 2])
      }),
      { numRuns: runs(200, 20_000) },
    )
  })

  test('with unchanged text leaves the table as written', () => {
    expect(withCell('| a\\|b |\n| --- |', { row: 0, column: 0 }, 'a|b')).toBe('| a\\|b |\n| --- |')
  })
})

describe('concurrent changes by others', () => {
  const longer = '| a | b |\n| --- | ---: |\n| 0 | 0 |\n| 1 | 2 |\n| 3 | 5 |'

  test('move a cell along with its row', () => {
    expect(followCell(TABLE, longer, { row: 1, column: 1 })).toEqual({ row: 2, column: 1 })
    expect(followCell(TABLE, longer, { row: 2, column: 1 })).toBeUndefined()
    expect(followCell(TABLE, '| a |\n| --- |\n| 1 |', { row: 1, column: 0 })).toBeUndefined()
  })

  test('are merged in other rows, and are a choice in the same row', () => {
    const mine = (row: number) => withCell(TABLE, { row, column: 0 }, 'mine')
    expect(mergeTables(TABLE, mine(1), longer)).toBe('| a | b |\n| --- | ---: |\n| 0 | 0 |\n| mine | 2 |\n| 3 | 5 |')
    expect(mergeTables(TABLE, mine(2), longer)).toBeUndefined()
    expect(mergeTables(TABLE, '| a |\n| --- |\n| 1 |', longer)).toBeUndefined()
  })
})

/** Tables that are edited cell by cell. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { readTableGrid } from '../../src/markdown/table-grid.ts'
import {
  cellText,
  changeTable,
  followCell,
  mergeTables,
  type TableChange,
  withCell,
} from '../../src/page/assets/model/table-change.ts'
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
    expect(cellText('| a\\|b |\n| --- |', { row: 0, column: 0 })).toBe('a|b')
  })
})

test.each<[TableChange, [number, number], string | undefined, [number, number]?]>([
  ['row above', [2, 1], '| a | b |\n| --- | ---: |\n| 1 | 2 |\n|  |  |\n| 3 | 4 |', [2, 1]],
  ['row above', [0, 0], '| a | b |\n| --- | ---: |\n|  |  |\n| 1 | 2 |\n| 3 | 4 |', [1, 0]],
  ['row below', [2, 0], '| a | b |\n| --- | ---: |\n| 1 | 2 |\n| 3 | 4 |\n|  |  |', [3, 0]],
  ['column before', [0, 1], '| a |  | b |\n| --- | --- | ---: |\n| 1 |  | 2 |\n| 3 |  | 4 |', [0, 1]],
  ['column after', [1, 1], '| a | b |  |\n| --- | ---: | --- |\n| 1 | 2 |  |\n| 3 | 4 |  |', [1, 2]],
  ['without row', [2, 1], '| a | b |\n| --- | ---: |\n| 1 | 2 |', [1, 1]],
  ['without row', [0, 1], undefined],
  ['without column', [1, 0], '| b |\n| ---: |\n| 2 |\n| 4 |', [1, 0]],
])('%s of cell %j', (change, [row, column], table, at) => {
  const found = changeTable(TABLE, { row, column }, change)
  expect(found).toEqual(table && { table, at: { row: at?.[0], column: at?.[1] } })
})

test('the only column cannot be removed', () => {
  expect(changeTable('| a |\n| --- |', { row: 0, column: 0 }, 'without column')).toBeUndefined()
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

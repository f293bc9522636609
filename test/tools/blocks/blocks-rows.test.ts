import { describe, expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'

const table = '| Name | Price |\n| :--- | ---: |\n| a \\| b | 1 |\n| **c** | 2 |'

async function changed(...rows: object[]): Promise<{ text: string; refused?: string }> {
  const connected = await connect()
  const id = await documentOf(connected, table)
  const [{ id: block }] = await contentOf(connected, id)
  const { content, isError } = await connected.client.callTool({
    name: 'blocks_update',
    arguments: { blocks: [{ id: block, rows }] },
  })
  const [{ markdown: text }] = await contentOf(connected, id)
  return isError ? { text, refused: (content as { text: string }[])[0]?.text ?? '' } : { text }
}

const lines = async (...rows: object[]) => (await changed(...rows)).text.split('\n')

describe('a table can be changed', () => {
  test('by cell, with the column given by its header or number', async () => {
    expect(await lines({ row: 1, column: 'Price', markdown: '5' })).toEqual([
      '| Name | Price |',
      '| :--- | ---: |',
      '| a \\| b | 5 |',
      '| **c** | 2 |',
    ])
    expect((await lines({ row: 2, column: 0, markdown: '_x_ | y' }))[3]).toBe('| *x* \\| y | 2 |')
    expect((await lines({ row: 2, column: '0', markdown: '' }))[3]).toBe('|  | 2 |')
    expect((await lines({ row: 2, column: 0, markdown: 'x\n**y\\\nz**' }))[3]).toBe('| x<br>**y<br>z** | 2 |')
    expect((await lines({ row: 0, column: 1, markdown: 'Cost' }))[0]).toBe('| Name | Cost |')
  })

  test('by row: replaced, added, removed, in order', async () => {
    const rows = [
      { row: 3, cells: ['d', '3'] },
      { row: 1, remove: true },
      { row: 1, cells: ['C', '22'] },
    ]
    expect(await lines(...rows)).toEqual(['| Name | Price |', '| :--- | ---: |', '| C | 22 |', '| d | 3 |'])
  })

  test('and is read back as written', async () => {
    const { text } = await changed({ row: 1, column: 0, markdown: '`a|b` \\ and $x|y$ and [l](https://example.org)' })
    const connected = await connect()
    expect((await contentOf(connected, await documentOf(connected, text)))[0].markdown).toBe(text)
  })
})

test.each([
  [{ row: 4, cells: ['a', 'b'] }, 'Expected a row from 0 (the head) to 2, or 3 with cells to add one, found 4.'],
  [{ row: 3, column: 0, markdown: 'x' }, 'Expected a row from 0 (the head) to 2, or 3 with cells to add one, found 3.'],
  [{ row: 1, column: 'Weight', markdown: 'x' }, 'Expected a column (Name, Price, or its number from 0), found Weight.'],
  [{ row: 1, column: 2, markdown: 'x' }, 'Expected a column (Name, Price, or its number from 0), found 2.'],
  [{ row: 1, cells: ['a'] }, 'Expected 2 cells, as many as the table has columns, found 1.'],
  [
    { row: 0, remove: true },
    'Expected a row below the head to remove, found 0; delete the whole table with blocks_delete.',
  ],
  [{ row: 1 }, 'Expected column with markdown, or cells, or remove: true for a row, found none or several; give one.'],
  [
    { row: 1, column: 0, markdown: 'x', remove: true },
    'Expected column with markdown, or cells, or remove: true for a row, found none or several; give one.',
  ],
])('%j is rejected, and nothing is written', async (row, message) => {
  expect(await changed({ row: 1, column: 0, markdown: 'other' }, row)).toEqual({ text: table, refused: message })
})

describe('a row with fewer cells than the one in whose place it stands', () => {
  const wide = '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 | 5 |  |'
  const message =
    'Expected 3 cells in row 1 of the table, in place of | 1 | 2 | 3 |, found 2; write all of them, with nothing between the bars for an empty one. Nothing was written.'

  /** Sends a table in place of the one of a page, in each way, and returns what is stored then, and the refusals. */
  async function sent(change: (text: string) => string): Promise<{ texts: string[]; refusals: string[] }> {
    const texts: string[] = []
    const refusals: string[] = []
    for (const way of ['block', 'page', 'replace'] as const) {
      const connected = await connect()
      const pageId = await documentOf(connected, wide)
      const [{ id }] = await contentOf(connected, pageId)
      const page = { id: pageId, format: 'markdown' }
      const { content: read } = await connected.client.callTool({ name: 'blocks_get', arguments: page })
      const revision = /Revision (\S+)\.$/.exec((read as { text: string }[])[1]?.text ?? '')?.[1] ?? ''
      const input = {
        block: { blocks: [{ id, markdown: change(wide) }] },
        page: { pageId, markdown: change(wide), revision },
        replace: { pageId, replace: [{ old: wide, new: change(wide) }] },
      }[way]
      const { content, isError } = await connected.client.callTool({ name: 'blocks_update', arguments: input })
      if (isError) refusals.push((content as { text: string }[])[0]?.text ?? '')
      texts.push((await contentOf(connected, pageId))[0].markdown)
    }
    return { texts, refusals }
  }

  test('is refused if it would empty a cell, however it is sent', async () => {
    const { texts, refusals } = await sent((text) => text.replace('| 1 | 2 | 3 |', '| 1 | two |'))
    expect(refusals).toEqual([message, message, message])
    expect(texts).toEqual([wide, wide, wide])
  })

  test('is written if the other cells are empty, or if it is a new row', async () => {
    const { texts, refusals } = await sent((text) => `${text.replace('| 4 | 5 |  |', '| 4 | five |')}\n| 6 |`)
    expect(refusals).toEqual([])
    const written = `${wide.replace('5', 'five')}\n| 6 |  |  |`
    expect(texts).toEqual([written, written, written])
  })

  test('is written if the table has fewer columns then', async () => {
    const narrow = '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 4 | 5 |'
    expect(await sent(() => narrow)).toEqual({ texts: [narrow, narrow, narrow], refusals: [] })
  })

  test('is refused as the header, which would make the table words', async () => {
    const { texts, refusals } = await sent((text) => text.replace('| a | b | c |', '| a | b |'))
    const fault =
      'Expected 3 cells in the header of a table, as many as in the line below it, found 2: | a | b |; to remove a column, replace its cells in both lines and in all rows. Nothing was written.'
    expect(refusals).toEqual([expect.stringContaining('table'), fault, fault])
    expect(texts).toEqual([wide, wide, wide])
  })
})

describe('a shortened row is found', () => {
  const old = '| k | v | w |\n| --- | --- | --- |\n| A | 1 |  |\n| X | Y | Z |'
  const after = (rows: string) => `| k | v | w |\n| --- | --- | --- |\n${rows}`
  const written = async (rows: string) => {
    const connected = await connect()
    const [{ id }] = await contentOf(connected, await documentOf(connected, old))
    const { content, isError } = await connected.client.callTool({
      name: 'blocks_update',
      arguments: { blocks: [{ id, markdown: after(rows) }] },
    })
    return isError ? (content as { text: string }[])[0]?.text : 'written'
  }
  const refused = (row: number, count: number) =>
    `Expected 3 cells in row ${row} of the table, in place of | X | Y | Z |, found ${count}; write all of them, with nothing between the bars for an empty one. Nothing was written.`

  test.each([
    ['after a new row', '| A | 1 |  |\n| new | row | n |\n| X | Y |', refused(3, 2)],
    ['after a new short row', '| new |\n| A | 1 |  |\n| X |', refused(3, 1)],
    ['before a changed row', '| X | Y |\n| A | 2 |  |', refused(1, 2)],
    ['with another first cell, after a new row', '| A | 1 |  |\n| new | row | n |\n| Xx | Y |', refused(3, 2)],
    ['with another first cell, after a changed one', '| Aa | 2 | 3 |\n| Xx |', refused(2, 1)],
    ['beside a new row with the same first cell', '| A | 1 |  |\n| X | 2 | 3 |\n| X | Y |', refused(3, 2)],
  ])('%s', async (_, rows, message) => {
    expect(await written(rows)).toBe(message)
  })

  test.each([
    ['beside an unchanged one', '| A | 1 |  |\n| X |\n| X | Y | Z |'],
    ['beside one with another first cell', '| A | 1 |  |\n| W | Y | Z |\n| new |'],
    ['beside a changed one', '| A | 1 |  |\n| X | Y | z |\n| new |'],
    ['beside moved ones', '| X | Y | Z |\n| new |\n| A | 1 |'],
  ])('and a new short row is written %s', async (_, rows) => {
    expect(await written(rows)).toBe('written')
  })
})

test('code in a cell has no line end: one that replaces words of it is refused, beside it it is a break', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, '| a |\n| --- |\n| `x1` y1 ``u1 ` v1`` \\` z1 |')
  const replaced = (old: string, text: string) =>
    connected.call('blocks_update', { pageId, replace: [{ old, new: text }] })
  for (const old of ['x1', 'u1', 'v1']) {
    await expect(replaced(old, '1\n2')).rejects.toThrow(
      `Expected text without a line end in place of "${old}", in code in a cell of a table, found "1\\n2"; code in a cell is one line, so close it before the line end. Nothing was written.`,
    )
  }
  for (const old of ['y1', 'z1']) await replaced(old, '1\n2')
  expect((await contentOf(connected, pageId))[0].markdown).toBe('| a |\n| --- |\n| `x1` 1<br>2 ``u1 ` v1`` ` 1<br>2 |')
})

test('a block that is not a table has no rows', async () => {
  const connected = await connect()
  const id = await documentOf(connected, 'words')
  const [{ id: block }] = await contentOf(connected, id)
  const blocks = [{ id: block, rows: [{ row: 0, cells: [] }] }]
  expect(await connected.refused('blocks_update', { blocks })).toMatch(
    /^Expected fields of a text block \(.*\), found rows; leave it out\.$/,
  )
})

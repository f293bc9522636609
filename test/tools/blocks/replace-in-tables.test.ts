/** What replaces words of a page leaves its tables tables, and stays in its cell. */
import { describe, expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'

/** A page, changed by `replace` or as a text, and what is stored then or why it is refused. */
async function pageOf(text: string) {
  const connected = await connect()
  const pageId = await documentOf(connected, text)
  const markdowns = async () => (await contentOf(connected, pageId)).map(({ markdown, rawCode }) => rawCode ?? markdown)
  const change = async (change: object): Promise<string> => {
    const { content, isError } = await connected.client.callTool({
      name: 'blocks_update',
      arguments: { pageId, ...change },
    })
    return isError ? ((content as { text: string }[])[0]?.text ?? '') : 'written'
  }
  const replace = (old: string, text: string) => change({ replace: [{ old, new: text }] })
  const rewrite = async (markdown: string) => {
    const { revision } = await connected.call('blocks_get', { id: pageId })
    return change({ markdown, revision })
  }
  return { markdowns, replace, rewrite }
}

const fault = (columns: number, found: string) =>
  `Expected ${columns} cells in the header of a table, as many as in the line below it, found ${found}; to remove a column, replace its cells in both lines and in all rows. Nothing was written.`

const THREE = '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |'

describe('a table that an edit would make words is refused:', () => {
  test.each([
    ['a header with fewer cells', '| a | b | c |', '| a | b |', fault(3, '2: | a | b |')],
    ['a header with more cells', '| a | b | c |', '| a | b | c | d |', fault(3, '4: | a | b | c | d |')],
    ['a line below it without the last bar', '| --- | --- | --- |', '|---|---', fault(2, '3: | a | b | c |')],
    ['a header without bars', '| a | b | c |', 'a b', fault(3, '1: a b')],
    ['no header', '| a | b | c |', '', fault(3, 'no header')],
  ])('%s', async (_, old, words, message) => {
    for (const around of ['', 'words\n\n']) {
      const page = await pageOf(around + THREE)
      expect(await page.replace(old, words)).toBe(message)
      expect(await page.rewrite((around + THREE).replace(old, words))).toBe(message)
      expect((await page.markdowns()).at(-1)).toBe(THREE)
    }
  })

  test('also in a quote, and beside another table that is new', async () => {
    const page = await pageOf(`> ${THREE.replaceAll('\n', '\n> ')}`)
    expect(await page.replace('| a | b | c |', '| a | b |')).toBe(fault(3, '2: | a | b |'))
    const other = `| x |\n| --- |\n| y |\n\n${THREE.replace('| c |', '|')}`
    expect(await (await pageOf(THREE)).rewrite(other)).toBe(fault(3, '2: | a | b |'))
  })
})

test.each([
  ['rows of a table with a dash', '| A | 1 |\n| --- | --- |\n| A | 1 |\n| B | - |\n| C | --- |'],
  ['a comment of several lines', '<!-- x\n| a | b |\n| - |\n-->'],
  ['code in a list', '1. ```\n   | a | b |\n   | - |\n   ```'],
  ['code', '```\n| a | b |\n| - |\n```'],
  ['words', '| a | b |\n\\| - |'],
])('%s beside a header that fits is no fault', async (_, text) => {
  const page = await pageOf(`${THREE}\n\n${text}\n\nother words`)
  const [, ...before] = await page.markdowns()
  expect(await page.replace('other', 'new')).toBe('written')
  expect(await page.replace('| 1 | 2 | 3 |', '| 1 | 2 | 4 |')).toBe('written')
  const changed = THREE.replace('3', '5')
  expect(await page.rewrite(`${changed}\n\n${text}\n\nnew words`)).toBe('written')
  expect(await page.markdowns()).toEqual([changed, ...before.slice(0, -1), 'new words'])
})

test('words that look like a table whose header does not fit may be written beside a table that stays', async () => {
  const page = await pageOf(`${THREE}\n\nwords`)
  expect(await page.replace('words', '| a | b |\n| - |')).toBe('written')
  expect(await page.replace('| 1 |', '| 4 |')).toBe('written')
  expect(await page.replace('| a | b |\n', '| a | d |\n')).toBe('written')
})

test('20,000 columns that are none are words', async () => {
  const text = `| a |\n${'|-'.repeat(20_000)}x`
  const page = await pageOf('| a |\n| --- |')
  expect(await page.replace('| a |\n| --- |', text)).toBe('written')
})

describe('a line end in words of a cell', () => {
  const replaced = async (content: string): Promise<string> => {
    const page = await pageOf('| a |\n| --- |\n| q |')
    const answer = await page.replace('q', content)
    const [text] = await page.markdowns()
    return answer === 'written' ? text.slice('| a |\n| --- |\n| '.length, -' |'.length) : answer
  }

  test.each([
    ['x\\\ny', 'x<br>y'],
    ['C:\\\\\nD', 'C:\\\\<br>D'],
    ['x\\\\\\\ny', 'x\\\\<br>y'],
    ['x \\  \ny', 'x \\\\<br>y'],
    ['x  \r\n\t y', 'x<br>y'],
    ['x|\n|y', 'x\\|<br>\\|y'],
    [`q\nw${' '.repeat(50_000)}z`, `q<br>w${' '.repeat(50_000)}z`],
  ])('is a break beside the same words: %#', async (words, cell) => {
    expect(await replaced(words)).toBe(cell)
  })

  test.each([
    ['`a\nb`', 'code'],
    ['x ``a`\nb`` y', 'code'],
    ['`a\n\nb`', 'code'],
    ['$a\nb$', 'a formula'],
    ['$$a\nb$$', 'a formula'],
  ])('is refused in code and formulas of what replaces them: %j', async (words, noun) => {
    expect(await replaced(words)).toBe(
      `Expected text without a line end in place of "q", in ${noun} in a cell of a table, found ${JSON.stringify(words)}; ${noun} in a cell is one line, so close it before the line end. Nothing was written.`,
    )
  })

  test.each([
    ['`a`\n`b`', '`a`<br>`b`'],
    ['\\`a\n\\`b', '\\`a<br>`b'],
    ['5$ a\n6$ b', '5$ a<br>6$ b'],
    ['`a\\`\nb', '`a\\`<br>b'],
  ])('is a break beside them: %j', async (words, cell) => {
    expect(await replaced(words)).toBe(cell)
  })

  test('is a line end in words that begin with a bar, and in code', async () => {
    for (const text of [
      '| a q',
      '| a | b |\n\\| - |\n| q',
      '```\n| a |\n| - |\n| q |\n```',
      '1. ```\n   | a |\n   | - |\n   | q |\n   ```',
    ]) {
      const page = await pageOf(text)
      const before = await page.markdowns()
      expect(await page.replace('q', 'x | y')).toBe('written')
      expect(await page.markdowns()).toEqual(before.map((one) => one.replace('q', 'x | y')))
    }
  })

  test('is a break in a list with numbers', async () => {
    const page = await pageOf('1. | a |\n   | --- |\n   | q |')
    expect(await page.replace('q', 'x\ny')).toBe('written')
    expect(await page.markdowns()).toEqual(['1. | a |\n   | --- |\n   | x<br>y |'])
    expect(await page.replace('| a |', '| h |')).toBe('written')
    expect(await page.replace('h', 'x\ny')).toBe('written')
    expect(await page.markdowns()).toEqual(['1. | x<br>y |\n   | --- |\n   | x<br>y |'])
  })
})

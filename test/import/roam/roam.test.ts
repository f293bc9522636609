/** Exports of Roam Research. */
import { expect, test } from 'vitest'
import { roamFormat } from '../../../src/import/roam/roam-format.ts'
import { imported, problemLines, sourceOf } from '../importing.ts'

const block = (uid: string, string: string, more: object = {}) => ({ uid, string, ...more })
const PAGES = [
  {
    ...{ title: 'Plan', uid: 'pageaaaa1', 'create-time': 1709294400000, 'edit-time': 1709380800000 },
    children: [
      block('abc_DEF-1', '{{[[TODO]]}} write __it__ [[November 20th, 2026]]', {
        children: [
          block('abc_DEF-2', 'Inner\nsecond line', { heading: 2 }),
          block('abc_DEF-3', '```js\nlet a\n  b```'),
        ],
      }),
      block('abc_DEF-4', '{{[[DONE]]}} done'),
      block('abc_DEF-5', '# no heading and {{[[query]]: {and: [[x]]}}}'),
      block('abc_DEF-6', 'list', { 'children-view-type': 'numbered', children: [block('abc_DEF-7', 'one')] }),
    ],
  },
  {
    ...{ title: 'November 20th, 2026', uid: '11-20-2026', 'edit-time': 1709380800000 },
    children: [
      block(
        'day_block',
        '((abc_DEF-1)) [words](((abc_DEF-2))) {{embed: ((abc_DEF-4))}} {{[[embed]]: [[Plan]]}} #[[Plan]] ^^lit^^ ((gonegone1))',
      ),
    ],
  },
]
const FILES = { 'roam.json': JSON.stringify(PAGES) }
const plain = (text: string) => text.replace(/block:\/\/\d+/g, 'block')

test('pages are outlines with tasks, links to blocks and daily notes', async () => {
  expect(await roamFormat.detects(sourceOf(FILES))).toBe('it has an export of Roam')
  expect(await roamFormat.detects(sourceOf({ 'a.json': '[{"title":"x"}]' }))).toBeUndefined()
  const { read, report, again, call } = await imported(FILES, roamFormat)
  expect(plain(await read('Plan'))).toBe(
    '- [ ] write *it* [November 20th, 2026](block)\n  - ## Inner\n\n    second line\n\n  - ```js\n    let a\n      b\n    ```\n\n- [x] done\n- \\# no heading and {{query: {and: [[x]]}}}\n- list\n  1. one',
  )
  expect(plain(await read('Friday, November 20, 2026'))).toBe(
    '- [write it November 20th, 2026](block) [words](block) [done](block) [Plan](block) [#Plan](block) ==lit== ((gonegone1))',
  )
  const { items } = await call('documents_list', { fetchMetadata: true })
  expect(items.find(({ title }: { title: string }) => title === 'Plan')).toMatchObject({
    createdAt: '2024-03-01T12:00:00.000Z',
  })
  expect(problemLines(report)).toEqual(
    expect.arrayContaining([
      'roam.json/November 20th, 2026 changed: An embedded note became a link to it.',
      'roam.json/November 20th, 2026 not found: A link to a block that is not there is kept as text.',
      'roam.json/Plan changed: A macro is kept as text.',
    ]),
  )
  expect((await again(FILES)).counts).toMatchObject({ unchanged: 2, updated: 0 })
})

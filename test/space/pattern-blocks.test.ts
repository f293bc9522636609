/** Pattern searches: which blocks they test, and how they continue after a timeout. */
import { describe, expect, test } from 'vitest'
import { WorkTimer } from '../../src/base/scheduling.ts'
import { compilePattern } from '../../src/regex/pattern.ts'
import { readBlockRows } from '../../src/space/blocks/block-rows.ts'
import type { Pagination } from '../../src/space/model/cursors.ts'
import { OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { allBlocks, blocksInDocuments, blocksOfSpace } from '../../src/space/search/pattern-candidates.ts'
import { readSearchedBlocks } from '../../src/space/search/pattern-search.ts'
import { prepareBlockSearch, searchBlocks } from '../../src/space/search/search-blocks.ts'
import { searchDocuments } from '../../src/space/search/search-documents.ts'
import { prepareSearch } from '../../src/space/search/search-input.ts'
import { connect } from '../connect.ts'

const letters = (source: string, caseSensitive = false) => compilePattern(source, { caseSensitive }).requiredLetters

describe('letters that every match has', () => {
  test.each([
    ['hello', 'hello'],
    ['\\bHello\\b', 'hello'],
    ['(?i)desk', 'desk'],
    ['\\d+ apples?', 'apple'],
    ['a.*banana|cherry', undefined],
    ['(?=plum)\\w+', 'plum'],
    ['(?!plum)\\w+', undefined],
    ['x\\d', undefined],
    ['é{2}ab', 'ab'],
  ])('%s', (source, expected) => expect(letters(source)).toBe(expected))
})

const MARKDOWN = `# A heading of plums

Some **pl**um and \`code\` with a [link to plums](https://example.org/Plums) and <b>tags</b>

- [x] a done plum

> quoted PLUM

+ toggled \\<page\\> plum

| a plum | b |
|---|---|
| c | d |

\`\`\`plum
const a = 1
\`\`\`

![plum tree](https://example.org/picture.png)

Deſk and \u212aelvin

Nothing of the kind`

test('exactly the blocks whose Markdown has the letters are tried', async () => {
  const { call, space } = await connect()
  const documents = [
    { title: 'P**lu**ms', markdown: MARKDOWN },
    { title: 'Nothing', markdown: 'Nothing at all' },
  ]
  const { items } = await call('documents_add', { documents })
  await space.read(OPERATOR_LINK, async (view) => {
    const numbers = (await view.getDocuments(items.map(({ id }: { id: string }) => Number(id)))).map(({ n }) => n)
    for (const source of ['plum', 'desk', 'kelvin', 'heading', 'lt', 'page', 'const', 'nothing']) {
      const pattern = compilePattern(source, { caseSensitive: false })
      const ofSpace = await blocksOfSpace(view, [pattern], numbers.length)
      for (const n of numbers) {
        const rows = await readBlockRows(view, await allBlocks(view)([n]))
        const texts = await readSearchedBlocks(view, rows)
        const matching = rows.filter((_, index) => pattern.test(texts[index]?.markdown ?? '')).map((row) => row.n)
        for (const tried of [ofSpace, blocksInDocuments(view, [pattern])]) {
          expect(new Set(await tried?.([n])).isSupersetOf(new Set(matching)), source).toBe(true)
        }
      }
    }
    const plum = [compilePattern('plum', { caseSensitive: false })]
    const ofSpace = await blocksOfSpace(view, plum, numbers.length)
    for (const tried of [ofSpace, blocksInDocuments(view, plum)]) {
      expect(await tried?.([numbers[1] ?? 0])).toEqual([])
    }
  })
})

test('a narrow connection sees other text, and blocks that may contain it are tried', async () => {
  const { call, space } = await connect()
  const [hidden] = (await call('documents_add', { documents: [{ title: 'Hidden' }] })).items
  const markdown = `[away](block://${hidden.id})\n\n![away](block&#58;//${hidden.id})\n\nNothing at all`
  const documents = [{ title: 'Own', markdown }, { title: `See block://${hidden.id}` }]
  const own = (await call('documents_add', { documents })).items.map(({ id }: { id: string }) => id)
  const link = await space.createAccessLink('selected', own)
  await space.read(link, async (view) => {
    const numbers = (await view.getDocuments(own.map(Number))).map(({ n }) => n)
    const pattern = compilePattern('out_of_scope', { caseSensitive: false })
    const rows = await readBlockRows(view, await allBlocks(view)(numbers))
    const texts = await readSearchedBlocks(view, rows)
    const matching = rows.filter((_, index) => pattern.test(texts[index]?.markdown ?? '')).map(({ n }) => n)
    expect(matching.length).toBe(3)
    const tried = await blocksInDocuments(view, [pattern])(numbers)
    expect(new Set(tried).isSupersetOf(new Set(matching))).toBe(true)
    expect(tried.length).toBeLessThan(rows.length)
  })
})

const NEAR = { caseSensitive: false, beforeBlockCount: 0, afterBlockCount: 0, fetchBlocks: false, limit: 20 }

describe('a pattern search that takes too long', () => {
  const COUNT = 600

  async function withDocuments() {
    const connected = await connect()
    const documents = Array.from({ length: COUNT }, (_, n) => ({
      title: `Document ${n}`,
      markdown: n % 60 === 0 ? 'The needle is here.' : 'Only hay.',
    }))
    await connected.call('documents_add', { documents, answer: 'ids' })
    return connected
  }

  /** All responses of a search whose calls have no time at all, so that each does one part. */
  async function answersOf(view: Space, input: object, times = { all: 0, pattern: 5 }) {
    const answers = []
    let cursor: string | undefined
    do {
      const search = await prepareSearch({
        include: [],
        regexps: [],
        fetchBlocks: false,
        limit: 20,
        cursor,
        ...input,
      })
      const found = await searchDocuments(view, search, times)
      answers.push(found)
      cursor = found.pagination?.cursor
    } while (cursor !== undefined)
    return answers
  }

  test.each([
    ['by patterns alone', { regexps: ['ne+dle'] }],
    ['by terms and patterns', { include: ['needle hay'], regexps: ['needle'] }],
  ])('returns what it found and continues after it, %s', async (_, input) => {
    const { space } = await withDocuments()
    await space.read(OPERATOR_LINK, async (view) => {
      const answers = await answersOf(view, input)
      const titles = answers.flatMap(({ items }) => items.map(({ title }) => title))
      expect(answers.length).toBeGreaterThan(1)
      expect(titles.length).toBe(new Set(titles).size)
      expect(new Set(titles)).toEqual(new Set(Array.from({ length: 10 }, (_, index) => `Document ${index * 60}`)))
      expect(answers[0]?.pagination).toMatchObject({
        remaining: COUNT - 20,
        message: `${COUNT - 20} documents to search are left: repeat the call with this cursor.`,
      })
    })
  })

  test('in the blocks of a document returns what it found and continues', async () => {
    const { call, space } = await connect()
    // The first are searched at once; the last one is long enough for a worker, which has no time at all.
    const markdown = `One needle\n\nSome hay\n\n${'hay '.repeat(20_000)}needle`
    const [document] = (await call('documents_add', { documents: [{ title: 'Hay', markdown }] })).items
    const input = { ...NEAR, place: { documentId: Number(document.id) }, pattern: '((ha?y )+|e )needles?' }
    await space.read(OPERATOR_LINK, async (view) => {
      // On a busy machine the short ones may also take more than one call.
      const before = []
      let rest = prepareBlockSearch(input)
      let pagination: Pagination | undefined
      do {
        const found = await searchBlocks(view, rest, 0)
        before.push(...found.items)
        pagination = found.pagination
        rest = prepareBlockSearch({ ...input, cursor: pagination?.cursor })
      } while ((pagination?.remaining ?? 0) > 1)
      expect(before.map(({ markdown }) => markdown)).toEqual(['One needle'])
      expect(pagination).toMatchObject({
        remaining: 1,
        message: '1 block to search is left: repeat the call with this cursor.',
      })
      expect((await searchBlocks(view, rest)).items.length).toBe(1)
      await expect(searchBlocks(view, rest, 0)).rejects.toThrow('3 of 4 texts were searched')
    })
  })

  test('returns nothing yet and continues, if not even one pattern can be finished in time', async () => {
    const { call, space } = await connect()
    // Long enough for a worker, which has no time at all.
    const long = 'hay '.repeat(20_000)
    const documents = Array.from({ length: 3 }, (_, n) => ({ title: `Document ${n}`, markdown: `${long}needle` }))
    await call('documents_add', { documents, answer: 'ids' })
    await space.read(OPERATOR_LINK, async (view) => {
      const answers = await answersOf(view, { regexps: ['(ha?y )+needles?'] }, { all: 5, pattern: 0 })
      expect(answers.map(({ items, pagination }) => [items.length, pagination?.remaining])).toEqual([
        [0, 2],
        [0, 1],
        [0, undefined],
      ])
      expect(answers[0]?.note).toBe(
        '1 document was not searched to the end, since the patterns take too long there; use shorter repetitions.',
      )
    })
  })

  test('rejects the cursor of another search', async () => {
    const { space, refused } = await withDocuments()
    const [first] = await space.read(OPERATOR_LINK, (view) => answersOf(view, { regexps: ['needle'] }))
    expect(await refused('documents_search', { regexps: ['hay'], cursor: first?.pagination?.cursor })).toBe(
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
    )
  })

  test('beyond the documents that are read first, finds the same by required letters', async () => {
    const { call } = await withDocuments()
    const found = await call('documents_search', { regexps: ['needle'] })
    const without = await call('documents_search', { regexps: ['n[e-f]+dl[a-z]'] })
    expect(found.items.map(({ title }: { title: string }) => title).sort()).toEqual(
      Array.from({ length: 10 }, (_, index) => `Document ${index * 60}`).sort(),
    )
    expect(found.items.length).toBe(without.items.length)
  })
})

test('time in which a call waits does not count as work', () => {
  const time = new WorkTimer()
  time.addWait(60_000)
  expect(time.elapsed).toBeLessThan(0)
})

/** Searches with several pages of results: what a response says about the rest, no matter how much was read. */
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { rankStage } from '../../../src/space/search/ranked-stages.ts'
import { resolveScope } from '../../../src/space/search/search-scope.ts'
import { parseEntry } from '../../../src/space/search/search-terms.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'

/** Creates a space with this number of documents that contain the words, and as many that do not. */
async function filled(count: number): Promise<Connected> {
  const connected = await connect()
  const documents = Array.from({ length: 2 * count }, (_, n) => ({
    title: `Note ${n}`,
    markdown: n % 2 === 0 ? `the harbour wakes ${'again '.repeat(n % 7)}` : 'nothing of the kind',
  }))
  await connected.call('documents_add', { documents, answer: 'ids' })
  return connected
}

/** Returns all pages of the results. */
async function pages({ call }: Connected, search: object, name = 'documents_search'): Promise<Answer[]> {
  const answers: Answer[] = []
  do answers.push(await call(name, { ...search, cursor: answers.at(-1)?.pagination?.cursor }))
  while (answers.at(-1).pagination !== undefined)
  return answers
}

const titles = (answers: Answer[]): string[] => answers.flatMap(({ items }) => items.map((item: Answer) => item.title))
const wanted = (count: number) => Array.from({ length: count }, (_, n) => `Note ${2 * n}`).sort()

test.each([
  ['words', { include: 'harbour' }],
  ['a pattern', { regexps: 'harbou?r' }],
])('%s: the response says how many more match, and the cursor continues with them', async (_, search) => {
  const answers = await pages(await filled(35), search)
  expect(answers.map(({ items }) => items.length)).toEqual([20, 15])
  expect(titles(answers).sort()).toEqual(wanted(35))
  expect(answers[0].pagination).toEqual({
    cursor: expect.any(String),
    remaining: 15,
    message: '15 matching documents are left: repeat the call with this cursor.',
  })
})

test('if all fit, there are no more', async () => {
  const connected = await filled(20)
  for (const search of [{ include: 'harbour' }, { regexps: 'harbour' }]) {
    expect((await pages(connected, search)).map(({ items }) => items.length)).toEqual([20])
  }
})

test('with a pattern, documents after the last result remain to be searched', async () => {
  const { call } = await connect()
  const documents = Array.from({ length: 30 }, (_, n) => ({ title: `Note ${n}`, markdown: n < 10 ? 'no' : 'harbour' }))
  await call('documents_add', { documents, answer: 'ids' })
  const first = await call('documents_search', { regexps: 'harbour' })
  expect([first.items.length, first.pagination.message]).toEqual([
    20,
    '10 documents to search are left: repeat the call with this cursor.',
  ])
  const last = await call('documents_search', { regexps: 'harbour', cursor: first.pagination.cursor })
  expect(last).toEqual({ items: [], note: 'No other document matches.' })
})

test('with words and a pattern, documents with the words remain to be searched', async () => {
  const answers = await pages(await filled(35), { include: 'harbour', regexps: 'w[a]kes' })
  expect(titles(answers).sort()).toEqual(wanted(35))
  expect(answers[0].pagination.message).toBe('15 documents to search are left: repeat the call with this cursor.')
})

test('Markdown says so in its second text, and so do days', async () => {
  const connected = await connect('daily')
  const { call, client } = connected
  for (let day = 1; day <= 25; day++) {
    const position = { position: 'end', date: `2026-01-${String(day).padStart(2, '0')}` }
    await call('blocks_add', { markdown: 'the harbour', position })
  }
  const answers = await pages(connected, { include: 'harbour' }, 'daily_notes_search')
  expect(answers.map(({ items }) => items.length)).toEqual([20, 5])
  const { content } = await client.callTool({
    name: 'daily_notes_search',
    arguments: { include: 'harbour', format: 'markdown' },
  })
  expect((content as { text: string }[])[1]?.text).toMatch(
    /^17 matching documents are left: repeat the call with cursor "[\w-]+"\.$/,
  )
})

test('all documents are on exactly one page, however little of the index is read at once', async () => {
  const { space } = await filled(120)
  const little = { first: 8, perTerm: 4, maxProbed: 4, batchSize: 4 }
  await space.read(OPERATOR_LINK, async (view) => {
    const scope = await resolveScope(view, {})
    for (const include of [['harbour'], ['harbour', 'wakes again'], ['harbour wakes']]) {
      const entries = include.map(parseEntry)
      const seen: number[] = []
      let stages = 0
      for (let isComplete = false; !isComplete; stages++) {
        const stage = await rankStage(view, scope, entries, seen.length, little)
        expect(stage.earlier).toBe(seen.length)
        seen.push(...stage.ranking.ranked.map(({ n }) => n))
        expect(stage.known).toBe(seen.length)
        isComplete = stage.isComplete
      }
      expect([new Set(seen).size, seen.length], include.join()).toEqual([120, 120])
      expect(stages, include.join()).toBeGreaterThan(1)
    }
  })
})

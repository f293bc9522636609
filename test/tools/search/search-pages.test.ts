/** If a search finds more than fits into a response, the response says so and has a cursor. */
import { expect, test } from 'vitest'
import { formatCount } from '../../../src/base/format-number.ts'
import { connect } from '../../connect.ts'

const COUNT = 45

async function withNotes() {
  const connected = await connect()
  const documents = Array.from({ length: COUNT }, (_, n) => ({
    title: `Note ${n}`,
    markdown: `A harvest of plums, ${n}`,
  }))
  await connected.call('documents_add', { documents, answer: 'ids' })
  return connected
}

test.each([
  ['words', { include: ['harvest'] }, 'matching document'],
  ['a pattern', { regexps: ['harvest of plums'] }, 'document to search'],
  ['both', { include: ['harvest'], regexps: ['plums'] }, 'document to search'],
])('by %s: each document once, and the rest is counted', async (_, search, noun) => {
  const { call } = await withNotes()
  const found: string[] = []
  const remaining: number[] = []
  let cursor: string | undefined
  do {
    const { items, pagination } = await call('documents_search', { ...search, ...(cursor && { cursor }) })
    found.push(...items.map(({ documentId }: { documentId: string }) => documentId))
    if (pagination !== undefined) {
      remaining.push(pagination.remaining)
      const count = formatCount(pagination.remaining, noun)
      expect(pagination.message).toMatch(new RegExp(`^${count} (?:is|are) left: repeat the call with this cursor\\.$`))
    }
    cursor = pagination?.cursor
  } while (cursor !== undefined)
  expect(remaining).toEqual([25, 5])
  expect(found).toHaveLength(COUNT)
  expect(new Set(found).size).toBe(COUNT)
})

test('Markdown has the best eight, or as many as requested, and says how many are left, with the cursor', async () => {
  const { client, call } = await withNotes()
  const ask = { include: ['harvest'], format: 'markdown' }
  const { content } = await client.callTool({ name: 'documents_search', arguments: ask })
  const [body, note] = content as { text: string }[]
  expect(body?.text.split('\n')).toHaveLength(8)
  expect((await call('documents_search', { include: ['harvest'], limit: 2 })).items).toHaveLength(2)
  expect((await call('documents_search', { include: ['harvest'] })).items).toHaveLength(20)
  expect(note?.text).toMatch(/^37 matching documents are left: repeat the call with cursor "[\w-]+"\.$/)
})

import { describe, expect, test } from 'vitest'
import { textNotes } from '../../src/space/model/text-notes.ts'
import { connect } from '../connect.ts'
import { askerOf } from '../rest/rest-asker.ts'

/** Reaches all blocks. */
const reachesAll = async () => new Set<string>()
const noteOf = (markdown: string) => textNotes({ blocks: [{ markdown: 'fine' }, { markdown }] }, reachesAll)
const AT = 'blocks[1].markdown'

describe('notes on unusual text', () => {
  test.each(['# One\\n\\nTwo', 'one\\n- two', 'First line.\\nSecond line.', 'a\\n'])(
    'line ends as in %j',
    async (text) => {
      expect(await noteOf(text)).toBe(
        `${AT} has a backslash and an n in place of line ends, and was written as it was sent; send real line ends.`,
      )
    },
  )

  test.each([
    [
      '[day](date://2026-02-30)',
      'date://2026-02-30',
      'Expected a day that exists, found "2026-02-30"; that month has 28 days.',
    ],
    [
      '[day](date://soon)',
      'date://soon',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "soon".',
    ],
  ])('the date of %j', async (text, address, reason) => {
    expect(await noteOf(text)).toBe(`${AT}: ${address} leads nowhere. ${reason}`)
  })

  test('a block', async () => {
    expect(await noteOf('see [it](block://nope)')).toBe(
      `${AT}: block://nope leads nowhere, since that is no ID; give the ID of a block.`,
    )
  })

  test('up to five of all', async () => {
    const note = await textNotes(
      { documents: Array(9).fill({ markdown: '[a](block://b) [c](block://d)' }) },
      reachesAll,
    )
    expect(note?.match(/leads nowhere/g)).toHaveLength(5)
  })
})

test.each([
  'C:\\new',
  '$\\nabla f \\neq \\nu$',
  'a real\nline end and \\n. too',
  '[day](date://2026-02-28), [another](date://today)',
  '[one](block://123456789012), [former](block://01a20729-1040-7b54-b286-88efc953b22b)',
  'block://nope among words',
])('%j is not unusual', async (text) => {
  expect(await noteOf(text)).toBeUndefined()
})

test('a write reports them, over MCP and REST, and stores the text as sent', async () => {
  const { client, call } = await connect()
  const documents = [{ title: 'A', markdown: '[it](block://nope)' }]
  const { content, structuredContent } = await client.callTool({ name: 'documents_add', arguments: { documents } })
  const [{ id }] = (structuredContent as { items: [{ id: string }] }).items
  const note = 'documents[0].markdown: block://nope leads nowhere, since that is no ID; give the ID of a block.'
  expect(content).toEqual([
    { type: 'text', text: JSON.stringify(structuredContent) },
    { type: 'text', text: note },
  ])
  expect(await call('blocks_get', { id, format: 'markdown' })).toContain('[it](block://nope)')
  const { ask } = await askerOf()
  expect((await ask('POST /documents', { documents })).headers.get('x-scriptorium-note')).toBe(note)
})

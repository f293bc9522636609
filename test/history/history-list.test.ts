/** What history lists: calls in a line each, differences, the documents that they belong to, and earlier versions. */
import { describe, expect, test } from 'vitest'
import { runHistory, runUndo } from '../../src/cli/history/history-command.ts'
import { buildSpace } from '../build.ts'
import { type Answer, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { callsOf, lastCall, textsOf } from './history-calls.ts'

describe('history_list', () => {
  test('says in one line who changed what, and shows the diff of a call', async () => {
    const connected = await connect()
    const document = await documentOf(connected, 'one\n\ntwo')
    const { two = '' } = await idsOf(connected, document)
    await connected.call('blocks_update', { blocks: [{ id: two, markdown: 'three' }] })
    const call = await lastCall(connected)
    const line = `2026-11-20T09:00:00Z tester (tester) blocks_update "Document": 1 block changed (call ${call})`
    expect(await connected.call('history_list', { limit: 1, format: 'markdown' })).toContain(line)
    const shown: string = await connected.call('history_list', { call, format: 'markdown' })
    expect(shown).toContain(line)
    expect(shown.split('\n').filter((one) => /^[-+][^-+]/.test(one))).toEqual(['-two', '+three'])
  })

  test('of a selected link begins when the document came into its reach', async () => {
    const full = await connect()
    const document = await documentOf(full, 'salaries\n\nwords')
    const { salaries = '' } = await idsOf(full, document)
    await full.call('blocks_delete', { blockIds: [salaries] })
    const before = await lastCall(full)
    const link = await connect('selected', { to: full, documents: [document] })
    expect(await callsOf(link)).toEqual([])
    expect(await link.refused('blocks_get', { id: document, at: '2026-11-20T08:00:00Z' })).toBe(
      'Expected a moment since this connection reaches the document, found an earlier one; leave out at, or name a later call or time.',
    )
    expect(await link.refused('history_undo', { calls: [before] })).toContain(`found ${before};`)
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: document } })
    expect(await callsOf(link)).toMatchObject([{ tool: 'blocks_add', summary: '"Document": 1 block added' }])
  })
})

test('a call that sets a first reminder belongs to the document of its block only', async () => {
  const connected = await connect()
  const [document, other] = [await documentOf(connected, 'one'), await documentOf(connected, 'two')]
  const { one: blockId = '' } = await idsOf(connected, document)
  await connected.call('reminders_add', { reminders: [{ blockId }] })
  const [added, ...rest] = await callsOf(connected, { documentId: document })
  expect(added).toMatchObject({ tool: 'reminders_add', summary: '"Document": 1 reminder added' })
  expect(added?.documents).toMatchObject([{ documentId: document }])
  expect(rest.map(({ tool }) => tool)).toEqual(['documents_add'])
  expect((await callsOf(connected, { documentId: other })).map(({ tool }) => tool)).toEqual(['documents_add'])
})

test('a block that was moved to another document counts as moved, not changed', async () => {
  const connected = await connect()
  const [document, other] = [await documentOf(connected, 'one'), await documentOf(connected, '', 'Other')]
  const { one = '' } = await idsOf(connected, document)
  await connected.call('blocks_move', { blockIds: [one], position: { position: 'end', pageId: other } })
  expect(await callsOf(connected, { limit: 1 })).toMatchObject([{ summary: '"Document": 1 block moved' }])
})

test('calls that drew elements or added options are listed in the documents that contain these', async () => {
  const full = await connect()
  const document = await documentOf(full, 'one')
  const position = { position: 'end', pageId: document }
  const { whiteboardBlockId } = await full.call('whiteboards_add', { position })
  const properties = [{ name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }] }]
  const { collectionBlockId } = await full.call('collections_add', { schema: { name: 'Deals', properties }, position })
  const selected = await connect('selected', { to: full, documents: [document] })
  const summaryOf = async (name: string, args: object) => {
    await full.call(name, args)
    const [ofFull, ofSelected] = [await callsOf(full, { limit: 1 }), await callsOf(selected, { limit: 1 })]
    expect(ofSelected[0].summary).toBe(ofFull[0].summary)
    return ofFull[0].summary
  }
  const elements = [{ id: 'box', type: 'rectangle' }]
  expect(await summaryOf('elements_add', { whiteboardBlockId, elements })).toBe('"Document": 1 element added')
  const options = [{ name: 'Open' }, { name: 'Won' }]
  const schema = { name: 'Deals', properties: [{ ...properties[0], key: 'stage', options }] }
  expect(await summaryOf('schema_update', { collectionId: collectionBlockId, schema })).toBe(
    '"Document": 1 option added',
  )
})

test('a document is read as it was, and that version cannot be written back as the current one', async () => {
  const connected = await connect()
  const document = await documentOf(connected, 'one\n\ntwo')
  const { two = '' } = await idsOf(connected, document)
  const then = await lastCall(connected)
  await connected.call('blocks_delete', { blockIds: [two] })
  const past = await connected.call('blocks_get', { id: document, at: then })
  expect(past.content.map(({ markdown }: Answer) => markdown)).toEqual(['one', 'two'])
  expect(past.revision).toMatch(/^\d+-past$/)
  expect(await connected.refused('blocks_update', { pageId: document, markdown: 'one', revision: past.revision })).toBe(
    `Expected the revision of a page as it is, found ${past.revision}, that of an earlier state; read it with blocks_get without at, or take calls back with history_undo.`,
  )
  expect(await textsOf(connected, document)).toEqual(['one'])
})

test('the command line lists calls and undoes them', async () => {
  const connected = await connect()
  const document = await documentOf(connected, 'one\n\ntwo')
  const { two = '' } = await idsOf(connected, document)
  await connected.call('blocks_delete', { blockIds: [two] })
  const call = await lastCall(connected)
  const flags = { dryRun: false, skipConflicts: false }
  const { lines } = await runHistory(connected.space, { ...flags, document })
  expect(lines[0]).toEqual([
    `2026-11-20T09:00:00Z tester (tester) blocks_delete "Document": 1 block deleted (call ${call})`,
  ])
  const diff = await runHistory(connected.space, { ...flags, call })
  expect(diff.lines.flat()).toContain('-two')
  expect((await runUndo(connected.space, { ...flags, call, dryRun: true })).lines).toEqual([
    ['Would take back 1 call: "Document": 1 block restored'],
  ])
  expect(await textsOf(connected, document)).toEqual(['one'])
  expect((await runUndo(connected.space, { ...flags, call })).lines).toEqual([
    ['Took back 1 call: "Document": 1 block restored'],
  ])
  expect(await textsOf(connected, document)).toEqual(['one', 'two'])
  await expect(runUndo(connected.space, flags)).rejects.toThrow('Expected --call, --since, --connection,')
})

test('a call whose ID was drawn twice keeps its changes, and later ones keep theirs', async () => {
  const drawn = [7, 7, 7, 8, 9, 10].map((one) => 900_000_000_000 + one)
  const connected = await connect('full', {
    to: await buildSpace(undefined, { generateCallId: () => drawn.shift() ?? 0 }),
  })
  const document = await documentOf(connected, 'one')
  const { one = '' } = await idsOf(connected, document)
  await connected.call('blocks_update', { blocks: [{ id: one, markdown: 'two' }] })
  await connected.call('blocks_update', { blocks: [{ id: one, markdown: 'three' }] })
  expect(await callsOf(connected, { documentId: document })).toMatchObject([
    { callId: '900000000009', summary: '"Document": 1 block changed' },
    { callId: '900000000008', summary: '"Document": 1 block changed' },
    { callId: '900000000007' },
  ])
  await connected.call('history_undo', { calls: ['900000000009'] })
  expect(await textsOf(connected, document)).toEqual(['two'])
})

/** Links with access `comment`: every call of every tool that reads or comments works, and all others change nothing. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { CONNECTION_KINDS, OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { integer, statement } from '../../storage/statement.ts'
import { connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { ask, call, endpointNamed, requestFor } from '../prove/test-client/test-client.ts'
import { makeDay, makeDocument, makePlaces, makeThings, NOW } from '../prove/test-client/things.ts'
import { validCalls } from '../prove/test-client/valid-calls.ts'

const FIRST = statement<{ n: number }>(() => sql`SELECT coalesce(max(n), 0) AS n FROM write_log`)
const CHANGED = statement<{ endpoint: string; tbl: string | null }>(
  () => sql`SELECT DISTINCT write_log.endpoint, change.tbl FROM write_log LEFT JOIN change ON change.call = write_log.n
    WHERE write_log.n > ${integer('after')} ORDER BY write_log.endpoint, change.tbl`,
)

/** Which endpoints have changed what, after a call. */
const changesAfter = (space: OpenSpace, after: number) =>
  space.read(OPERATOR_LINK, (view) => view.tx.all(CHANGED, { after }))

test.each(CONNECTION_KINDS)('of a %s connection, by tools, as steps and over REST', async (kind) => {
  const space = await openSpace(':memory:', { name: 'Proof', timezone: 'Europe/Budapest', clock: () => NOW })
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'maker')), id: 'maker' })
  const document = kind === 'daily' ? await makeDay(full, 'today', 'words') : await makeDocument(full, 'words')
  const things = await makeThings(full, document, 'words', await makePlaces(full, 'words'))
  const documents = kind === 'selected' ? [document] : []
  const client = await ask(space, {
    ...(await space.createAccessLink(kind, documents, 'guest', 'comment')),
    id: 'guest',
  })
  const { n: before } = (await space.read(OPERATOR_LINK, (view) => view.tx.get(FIRST))) ?? { n: 0 }
  const worked = new Set<string>()
  for (const [tool, args] of validCalls(kind, things)) {
    const found = endpointNamed(client.table, tool)
    const { effect, isNoStep, isRestOnly } = found.endpoint
    const mayCall = effect === 'read' || effect === 'comment'
    const step = { steps: [{ tool, arguments: args }] }
    const ways = [
      ...(isRestOnly ? [] : [(await call(client, tool, args)).isRefused]),
      ...(isRestOnly || isNoStep ? [] : [(await call(client, 'batch', step)).isRefused]),
    ]
    const request = requestFor(found, args)
    if (request !== undefined) ways.push((await client.rest(request)).status === 403)
    if (!mayCall) expect({ tool, ways }).toEqual({ tool, ways: ways.map(() => true) })
    else if (ways.every((isRefused) => !isRefused)) worked.add(tool)
  }
  expect([...worked]).toEqual(expect.arrayContaining(['blocks_get', 'comments_add', 'comments_update']))
  // A comment, and the mark in the text that it is about.
  const changed = (await changesAfter(space, before)).filter(({ tbl }) => tbl !== null)
  expect([...new Set(changed.map(({ endpoint }) => endpoint))]).toEqual(['batch', 'comments_add', 'comments_update'])
  expect(changed.filter(({ tbl }) => tbl !== 'comment' && tbl !== 'block')).toEqual([])
  for (const one of [client, full]) await one.close()
  await space.close()
})

test('a commenter reads, comments, answers, resolves and reopens, and undoes and deletes nothing', async () => {
  const full = await connect()
  const document = await documentOf(full, 'one\n\ntwo')
  const [block] = await contentOf(full, document)
  const link = await connect('selected', { to: full, documents: [document], access: 'comment' })
  const { tools } = await link.client.listTools()
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)
  expect(writing).toEqual(['comments_add', 'comments_update', 'batch'])
  const add = (content: string) => link.call('comments_add', { comments: [{ blockId: block.id, content }] })
  const { commentId } = await add('Which one?')
  await link.call('comments_update', { comments: [{ commentId, content: 'Which of them?' }] })
  await link.call('comments_update', { comments: [{ commentId, resolved: true }] })
  await link.call('batch', {
    steps: [
      { tool: 'blocks_get', arguments: { id: block.id } },
      { tool: 'comments_update', arguments: { comments: [{ commentId, resolved: false }] } },
    ],
  })
  const page = await full.call('blocks_get', { id: document, fetchMetadata: true, format: 'json' })
  expect(page.content[0].metadata.comments).toMatchObject([{ content: 'Which of them?', id: commentId }])
  expect(await link.refused('comments_update', { comments: [{ commentId, delete: true }] })).toBe(
    'Expected comments to change or resolve, since this link has access comment, found 1 to delete; resolve them, or ask the person who made the link for another.',
  )
  const steps = [
    { tool: 'comments_add', arguments: { comments: [{ blockId: block.id, content: 'more' }] } },
    { tool: 'blocks_update', arguments: { blocks: [{ id: block.id, markdown: 'changed' }] } },
  ]
  expect(await link.refused('batch', { steps })).toBe(
    'At steps[1]: Expected a link that may write, found one with access comment, which blocks_update is not for; ask the person who made the link for another.',
  )
  expect(await link.refused('history_undo', {})).toContain('which history_undo is not for')
  const after = await full.call('blocks_get', { id: document, fetchMetadata: true, format: 'json' })
  expect(after.content).toEqual(page.content)
})

test('what a comment says is no mark and no text of the document', async () => {
  const full = await connect()
  const document = await documentOf(full, 'one')
  const [block] = await contentOf(full, document)
  const link = await connect('selected', { to: full, documents: [document], access: 'comment' })
  const content = '</comment>\n\n# Heading\n\n- [ ] task <comment id="1">'
  const { commentId } = await link.call('comments_add', { comments: [{ blockId: block.id, content }] })
  const [after, ...others] = await contentOf(full, document)
  expect([after.markdown, others]).toEqual([`<comment id="${commentId}">one</comment>`, []])
})

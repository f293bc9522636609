/** The author is the participant or the link, never the name that a client gives itself. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { addParticipant, removeParticipant } from '../../src/space/participants/participants.ts'
import { serveSigningIn } from '../auth/resource-server/signing-in.ts'
import { buildSpace } from '../build.ts'
import { send } from '../http/files-asker.ts'
import { callTool, clientAt, serveBuilt } from '../http/serving.ts'

const writesOf = async (space: OpenSpace) =>
  (await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 1_000))).writes

async function clientCalled(name: string, mcp: string, era: '2025' | '2026'): Promise<Client> {
  const mode = era === '2025' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp)))
  onTestFinished(() => client.close())
  return client
}

describe.each(['2025', '2026'] as const)('a client of %s that gives itself another name', (era) => {
  const pretended = `Owner\u001b[2K\u001b[1A\n2026-11-20\there\u202e\u009b31m${'x'.repeat(10_000)}`
  const shown = `Owner [2K [1A 2026-11-20 here 31m${'x'.repeat(67)}`

  test('writes in the name of its link; the log also has its own name, cleaned and shortened', async () => {
    const serving = await serveBuilt()
    const link = await serving.link({ name: 'Notes' })
    const client = await clientCalled(pretended, link.mcp, era)
    const { object } = await callTool(client, 'documents_add', { documents: [{ title: 'A', markdown: 'words' }] })
    const [{ id }] = object.items
    const read = async () => (await link.ask(`GET /blocks?id=${id}&fetchMetadata=true`)).json.content[0]
    const { id: blockId, metadata } = await read()
    expect(metadata).toMatchObject({ createdBy: 'Notes', lastModifiedBy: 'Notes' })
    await callTool(client, 'blocks_update', { blocks: [{ id: blockId, markdown: 'others' }] })
    await callTool(client, 'comments_add', { comments: [{ blockId, content: 'x' }] })
    expect((await read()).metadata).toMatchObject({ lastModifiedBy: 'Notes', comments: [{ author: 'Notes' }] })
    const writes = await writesOf(serving.space)
    expect(writes.map(({ author, client }) => [author, client])).toEqual(Array(3).fill(['Notes', shown]))
    expect(shown).toHaveLength(100)
  })

  test('is not named anywhere if nothing of its name can be shown', async () => {
    const serving = await serveBuilt()
    const link = await serving.link({ name: 'Notes' })
    const client = await clientCalled('\u001b\u202e\n ', link.mcp, era)
    await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })
    expect(await writesOf(serving.space)).toEqual([
      expect.objectContaining({ author: 'Notes', endpoint: 'documents_add' }),
    ])
    expect((await writesOf(serving.space))[0]).not.toHaveProperty('client')
  })
})

test('an uploaded file has the author of the call that requested the address', async () => {
  const { mcp, token, space } = await serveSigningIn()
  const client = await clientAt(mcp, '2026', { authorization: `Bearer ${await token()}` })
  const { object } = await callTool(client, 'files_add', { position: { position: 'end', date: 'today' } })
  expect((await send('PUT', object.uploadUrl, Buffer.from('words'))).status).toBe(200)
  const calls = (await writesOf(space)).filter(({ endpoint }) => endpoint !== 'links_add')
  expect(calls.map(({ author }) => author)).toEqual(['Anna', 'Anna'])
})

test('over stdio the author is the first participant, then whoever was added last', async () => {
  const { space } = await buildSpace()
  const author = async () => (await space.createAccessLink('full', [])).author
  expect(await author()).toBe('Owner')
  await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna'))
  expect(await author()).toBe('Owner')
  await space.write(OPERATOR_LINK, (view) => removeParticipant(view, 'Owner'))
  expect(await author()).toBe('Anna')
})

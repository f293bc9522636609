/** Links of documents and blocks, over REST and both generations of MCP over HTTP. */
import { expect, test } from 'vitest'
import { callTool, serveBuilt } from './serving.ts'

test('links follow the template of the contract, with a web address beside them', async () => {
  const serving = await serveBuilt()
  const { ask, client } = await serving.link()
  const { id: spaceId } = serving.space.info
  const origin = `http://127.0.0.1:${serving.port}`
  const [made] = (await ask('POST /documents', { documents: [{ title: 'Plan', markdown: 'words' }] })).json.items
  const appOf = (id: string) => `scriptorium://open?spaceId=${spaceId}&documentId=${id}`
  const webOf = (id: string) => `${origin}/d/${spaceId}/${id}`
  expect(made).toMatchObject({ clickableLink: appOf(made.id), webLink: webOf(made.id) })
  const listed = (await ask('GET /documents?fetchMetadata=true')).json.items.find(
    ({ id }: { id: string }) => id === made.id,
  )
  expect(listed).toMatchObject({ clickableLink: appOf(made.id), webLink: webOf(made.id) })
  expect((await ask('GET /connection')).json.urlTemplates).toEqual({
    app: `scriptorium://open?spaceId=${spaceId}&blockId={blockId}`,
    web: `${origin}/d/${spaceId}/{documentId}`,
  })
  const page = (await ask(`GET /blocks?id=${made.id}&fetchMetadata=true`)).json
  expect(page.metadata).toMatchObject({ clickableLink: appOf(made.id), webLink: webOf(made.id) })
  const block = (await ask(`GET /blocks?id=${page.content[0].id}&fetchMetadata=true`)).json
  expect(block.metadata.clickableLink).toBe(`${appOf(made.id)}&blockId=${block.id}`)

  for (const era of ['2025', '2026'] as const) {
    const host = await client(era)
    const { object: info } = await callTool(host, 'connection_get')
    expect(info.urlTemplates.web).toBe(`${origin}/d/${spaceId}/{documentId}`)
    const { text } = await callTool(host, 'documents_list', { fetchMetadata: true, format: 'markdown' })
    expect(text).toMatch(new RegExp(`<${origin}/d/${spaceId}/\\d{12}>`))
    expect(text).not.toContain('scriptorium://')
  }
})

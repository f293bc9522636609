import { describe, expect, test } from 'vitest'
import type { AccessLevel } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { connect } from '../connect.ts'
import { callTool, documentBy, serveBuilt } from '../http/serving.ts'

const may = (effect: string, access: AccessLevel) =>
  access === 'full' ||
  effect === 'read' ||
  (access === 'no-delete' && effect !== 'delete') ||
  (access === 'comment' && effect === 'comment') ||
  (access === 'propose' && effect !== 'decide')
const VERBS = { full: '', 'no-delete': 'delete', propose: 'decide on proposals', comment: 'write', read: 'write' }
const refusal = (name: string, access: AccessLevel) =>
  `Expected a link that may ${VERBS[access]}, found one with access ${access}, which ${name} is not for; ask the person who made the link for another.`

describe.each(['full', 'no-delete', 'propose', 'comment', 'read'] as const)('access %s', (access) => {
  const here = endpoints.filter(({ input }) => input.full !== undefined)
  const allowed = here.filter(({ effect, isRestOnly }) => may(effect, access) && !isRestOnly).map(({ name }) => name)
  const forbidden = here.filter(({ effect }) => !may(effect, access))

  test.each(['2025', '2026'] as const)('tools of a client of %s: exactly the callable ones are listed', async (era) => {
    const serving = await serveBuilt()
    const client = await (await serving.link({ access })).client(era)
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([...allowed].sort())
    for (const { name, isRestOnly } of forbidden) {
      if (isRestOnly) continue
      expect(await callTool(client, name)).toMatchObject({ isRefused: true, text: refusal(name, access) })
    }
  })

  test('routes: exactly the usable ones are described', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link({ access })
    const { paths } = (await ask('GET /openapi.json')).json
    const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    for (const { name, route, effect } of here) {
      expect({ name, isDescribed: described.includes(route) }).toEqual({ name, isDescribed: may(effect, access) })
    }
    for (const { name, route } of forbidden) {
      const response = await ask(route.replace(/\{\w+\}/g, 'none'), {})
      expect([response.status, response.json]).toEqual([403, { error: refusal(name, access), code: 'FORBIDDEN' }])
    }
  })
})

test('also over stdio', async () => {
  const { client, refused } = await connect('full', { access: 'read' })
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('blocks_add')
  expect(await refused('blocks_add')).toBe(refusal('blocks_add', 'read'))
})

describe('indirect deletions are rejected where a link may not delete', () => {
  test('by editing the text of a page', async () => {
    const serving = await serveBuilt()
    const full = await serving.link()
    const link = await serving.link({ access: 'no-delete' })
    const pageId = await documentBy(full, 'one\n\ntwo\n\nthree')
    const read = () => link.ask(`GET /blocks?id=${pageId}`)
    const before = (await read()).json
    const [, two, three] = before.content
    const edit = async (markdown: string) =>
      link.ask('PUT /blocks', { pageId, markdown, revision: (await read()).json.revision })
    const response = await edit('one')
    expect([response.status, response.json]).toEqual([
      403,
      {
        error: `Expected a text that keeps all blocks of the page, since this link has access no-delete, found 2 left out, the first ${two.id}; put back what you left out, or ask the person who made the link for another.`,
        code: 'FORBIDDEN',
      },
    ])
    expect((await read()).json).toEqual(before)
    // It may change, move and add blocks as long as it deletes none.
    expect((await edit('three\n\none\n\ntwo, changed\n\nfour')).status).toBe(200)
    const after = (await read()).json.content
    expect(after.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([two.id, three.id]))
    expect(after).toHaveLength(4)
  })

  test('by a schema without its values', async () => {
    const serving = await serveBuilt()
    const full = await serving.link()
    const link = await serving.link({ access: 'no-delete' })
    const pageId = await documentBy(full)
    const stage = { name: 'Stage', type: 'singleSelect', options: [{ name: 'Lead' }, { name: 'Won' }] }
    const properties = [stage, { name: 'Price', type: 'number' }, { name: 'Empty', type: 'text' }]
    const made = await full.ask('POST /collections', {
      schema: { name: 'Deals', properties },
      position: { position: 'end', pageId },
    })
    const { collectionBlockId } = made.json
    const path = `/collections/${collectionBlockId}`
    const items = [{ title: 'A', properties: { stage: 'Lead', price: 5 } }]
    expect((await full.ask(`POST ${path}/items`, { items })).status).toBe(200)
    const { schema } = made.json
    const without = (...names: string[]) => ({
      schema: { ...schema, properties: schema.properties.filter((one: { name: string }) => !names.includes(one.name)) },
    })
    const before = (await full.ask(`GET ${path}/items`)).json
    const refused = (count: number) => ({
      error: `Expected a schema that keeps all values, since this link has access no-delete, found ${count} that would go with the properties, options and stars left out; keep those that schema_get shows, or ask the person who made the link for another.`,
      code: 'FORBIDDEN',
    })
    const price = await link.ask(`PUT ${path}/schema`, without('Price'))
    expect([price.status, price.json]).toEqual([403, refused(1)])
    const options = schema.properties.map((one: { name: string }) =>
      one.name === 'Stage' ? { ...one, options: [{ name: 'Won' }] } : one,
    )
    expect((await link.ask(`PUT ${path}/schema`, { schema: { ...schema, properties: options } })).json).toEqual(
      refused(1),
    )
    expect((await full.ask(`GET ${path}/items`)).json).toEqual(before)
    // A property without values may be removed.
    expect((await link.ask(`PUT ${path}/schema`, without('Empty'))).status).toBe(200)
    expect((await full.ask(`PUT ${path}/schema`, without('Empty', 'Price'))).json.droppedValues).toBe(1)
  })
})

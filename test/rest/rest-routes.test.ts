import { describe, expect, test } from 'vitest'
import { ToolCatalog } from '../../src/call/catalog/tool-catalog.ts'
import { getRoutes, toolFor } from '../../src/rest/rest-routes.ts'
import { CONNECTION_KINDS, type ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { askerOf } from './rest-asker.ts'

const ALL = 'full selected daily'

/** The overview in the interface: methods, path, and the kinds of connections that have them. */
const OVERVIEW: readonly (readonly [methods: string, path: string, kinds: string])[] = [
  ['GET POST DELETE PUT', '/blocks', ALL],
  ['PUT', '/blocks/move', ALL],
  ['GET', '/blocks/search', ALL],
  ['GET POST DELETE PUT', '/collections/{collectionId}/items', ALL],
  ['POST', '/items/claim', ALL],
  ['PUT', '/collections/{collectionId}/active-view', ALL],
  ['GET POST', '/collections/{collectionId}/views', ALL],
  ['PUT DELETE', '/collections/{collectionId}/views/{viewId}', ALL],
  ['GET PUT', '/collections/{collectionId}/schema', ALL],
  ['GET POST', '/collections', ALL],
  ['POST PUT', '/comments', ALL],
  ['GET', '/connection', ALL],
  ['GET', '/documents', 'full selected'],
  ['POST DELETE', '/documents', 'full'],
  ['PUT', '/documents/move', 'full'],
  ['GET', '/documents/search', 'full selected'],
  ['GET', '/daily-notes/search', 'daily'],
  ['GET POST DELETE PUT', '/reminders', ALL],
  ['GET POST DELETE PUT', '/folders', 'full'],
  ['PUT', '/folders/move', 'full'],
  ['GET POST DELETE PUT', '/tasks', 'full daily'],
  ['POST', '/upload', ALL],
  ['POST', '/whiteboards', ALL],
  ['GET POST DELETE PUT', '/whiteboards/{whiteboardBlockId}/elements', ALL],
  // Not in the interface.
  ['GET', '/comments', ALL],
  ['GET', '/history', ALL],
  ['POST', '/history/undo', ALL],
  ['POST', '/batch', ALL],
  ['GET PUT', '/for-me', ALL],
  ['GET', '/proposals', ALL],
  ['GET', '/proposals/parts', ALL],
  ['POST', '/proposals/{proposalId}/approve', ALL],
  ['POST', '/proposals/{proposalId}/reject', ALL],
  ['GET', '/changes', ALL],
  ['GET', '/events', ALL],
]

const declared = OVERVIEW.flatMap(([methods, path, kinds]) =>
  methods.split(' ').map((method) => ({ route: `${method} ${path}`, kinds: kinds.split(' ') })),
)

test('the declarations have every route of the interface, and no other', () => {
  const routes = endpoints.map(({ route }) => route)
  expect(routes.toSorted()).toEqual(declared.map(({ route }) => route).toSorted())
  expect(new Set(routes).size).toBe(routes.length)
})

describe.each(CONNECTION_KINDS)('on a %s connection', (kind: ConnectionKind) => {
  test('every route of the interface is found exactly if it lists this kind', async () => {
    const reached: string[] = []
    const { ask, space } = await askerOf()
    const { json } = await ask('POST /documents', { documents: [{ title: 'One' }] })
    const documents = kind === 'selected' ? [json.items[0].id] : []
    const call = async ({ endpoint }: { endpoint: { route: string } }) => {
      reached.push(endpoint.route)
      return { object: {} }
    }
    const asker = await askerOf({ kind, documents, to: { space, clock: { now: 0 } }, call })
    for (const { route, kinds } of declared) {
      reached.length = 0
      const { status } = await asker.ask(route.replaceAll(/\{\w+\}/g, 'abc'))
      expect({ route, reached: reached[0], status: status === 200 }).toEqual(
        kinds.includes(kind) ? { route, reached: route, status: true } : { route, reached: undefined, status: false },
      )
    }
  })

  test('the methods of a path are those of this kind', async () => {
    const table = new ToolCatalog(endpoints, kind)
    const of = (path: string) => {
      const route = getRoutes(endpoints).find((one) => one.path === path)
      return [...(route?.endpoints ?? [])].filter(([, one]) => toolFor(one, table)).map(([method]) => method)
    }
    expect(of('/documents')).toEqual(
      { full: ['GET', 'POST', 'PUT', 'DELETE'], selected: ['GET'], daily: [] }[kind].filter(
        (method) => method !== 'PUT',
      ),
    )
  })
})

test('path parameters are inputs of the same name, percent-decoded', async () => {
  const given: unknown[] = []
  const call = async (_: unknown, args: unknown) => {
    given.push({ ...(args as object) })
    return { object: {} }
  }
  const { ask } = await askerOf({ call })
  await ask('DELETE /collections/a%2Fb/views/%C3%A9%20%2B+/')
  await ask('PUT /collections/A/views/B', { view: {} })
  expect(given).toEqual([
    { collectionId: 'a/b', viewId: 'é ++' },
    { collectionId: 'A', viewId: 'B', view: {} },
  ])
})

describe('an unknown path', () => {
  test.each([
    [
      'full',
      '/block',
      '/block; did you mean /blocks (GET, POST, PUT, DELETE) or /blocks/move (PUT) or /blocks/search (GET)?',
    ],
    ['full', '/documents/moved', '/documents/moved; did you mean /documents/move (PUT)?'],
    [
      'full',
      '/collections/0192f0c1-9d5e-7c3a-8b6e-3f1f0a4b7c2d/item',
      '/collections/0192f0c1-9d5e-7c3a-8b6e-3f1f0a4b7c2d/item; did you mean /collections/{collectionId}/items (GET, POST, PUT, DELETE)?',
    ],
    ['full', '/nothing/of/the/kind', '/nothing/of/the/kind; GET /openapi.json lists them.'],
    ['full', '', '/; GET /openapi.json lists them.'],
    ['full', '/', '/; GET /openapi.json lists them.'],
    ['full', '//blocks', '//blocks; did you mean /blocks (GET, POST, PUT, DELETE)?'],
    [
      'full',
      '/collections//items',
      '/collections//items; did you mean /collections/{collectionId}/items (GET, POST, PUT, DELETE)?',
    ],
    ['full', `/${'x'.repeat(5000)}`, `/${'x'.repeat(99)}…; GET /openapi.json lists them.`],
    [
      'daily',
      '/documents/move',
      '/documents/move, which only full connections have; ask the person who made this link for another one.',
    ],
    [
      'daily',
      '/documents',
      '/documents, which only full and selected connections have; ask the person who made this link for another one.',
    ],
    [
      'daily',
      '/folders/',
      '/folders/, which only full connections have; ask the person who made this link for another one.',
    ],
  ] as const)('%s: %s', async (kind, path, found) => {
    const { ask } = await askerOf({ kind })
    const { status, json } = await ask(`GET ${path}`)
    expect(json).toEqual({ error: `Expected a path of this connection, found ${found}`, code: 'NOT_AVAILABLE' })
    expect(status).toBe(404)
  })

  test('also with invalid UTF-8', async () => {
    const { refused } = await askerOf()
    expect(await refused(400, 'GET /collections/%FF/items')).toBe(
      'Expected percent-encoded UTF-8 in the path, found %FF; write % itself as %25.',
    )
    expect(await refused(400, 'GET /collections/50%/items')).toBe(
      'Expected percent-encoded UTF-8 in the path, found 50%; write % itself as %25.',
    )
  })
})

describe('a method that a path does not have', () => {
  test.each([
    [
      'PATCH /blocks',
      'Expected GET, POST, PUT or DELETE on /blocks, found PATCH.',
      'GET, HEAD, POST, PUT, DELETE, OPTIONS',
    ],
    ['POST /blocks/move', 'Expected PUT on /blocks/move, found POST.', 'PUT, OPTIONS'],
    ['HEAD /blocks/move', undefined, 'PUT, OPTIONS'],
    [
      'GET /collections/abc/views/abc',
      'Expected PUT or DELETE on /collections/{collectionId}/views/{viewId}, found GET.',
      'PUT, DELETE, OPTIONS',
    ],
    ['POST /openapi.json', 'Expected GET on /openapi.json, found POST.', 'GET, HEAD, OPTIONS'],
  ])('%s', async (line, message, allow) => {
    const { ask } = await askerOf()
    const { status, json, headers } = await ask(line)
    expect(status).toBe(405)
    expect(json).toEqual(message && { error: message, code: 'METHOD_NOT_ALLOWED' })
    expect(headers.get('allow')).toBe(allow)
  })

  test('but another kind has: the error says which', async () => {
    const { ask, space, clock } = await askerOf()
    const { json } = await ask('POST /documents', { documents: [{ title: 'One' }] })
    const selected = await askerOf({ kind: 'selected', documents: [json.items[0].id], to: { space, clock } })
    expect(await selected.refused(405, 'POST /documents', {})).toBe(
      'Expected GET on /documents, found POST, which only full connections have.',
    )
  })

  test('OPTIONS lists the methods, and calls nothing', async () => {
    const call = () => Promise.reject(new Error('called'))
    const { ask } = await askerOf({ call })
    const { status, headers, text } = await ask('OPTIONS /tasks')
    expect([status, headers.get('allow'), text]).toEqual([204, 'GET, HEAD, POST, PUT, DELETE, OPTIONS', ''])
    expect((await ask('OPTIONS /openapi.json')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect((await ask('OPTIONS /nothing')).status).toBe(404)
  })
})

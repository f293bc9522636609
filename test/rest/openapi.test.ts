import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { HTTP_STATUS } from '../../src/base/errors.ts'
import { NamedSchemas } from '../../src/call/catalog/named-schemas.ts'
import { ToolCatalog } from '../../src/call/catalog/tool-catalog.ts'
import { createOpenApi } from '../../src/rest/openapi.ts'
import { CONNECTION_KINDS, type ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import type { Answer } from '../connect.ts'
import { askerOf, documentBy } from './rest-asker.ts'

const about = { title: 'Scriptorium', version: '1.2.3', baseUrl: '/links/secret/api/v1' }
const describedWithout = (kind: ConnectionKind, unavailable: ReadonlySet<string>): Answer =>
  JSON.parse(JSON.stringify(createOpenApi(endpoints, new ToolCatalog(endpoints, kind), { ...about, unavailable })))
const descriptions = new Map(CONNECTION_KINDS.map((kind) => [kind, describedWithout(kind, new Set())]))
const described = (kind: ConnectionKind): Answer => descriptions.get(kind)

interface Operation {
  operationId: string
  method: string
  path: string
  parameters?: Answer[]
  requestBody?: Answer
  responses: Answer
}

const operationsOf = ({ paths }: Answer): Operation[] =>
  Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

function* nodes(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* nodes(inner)
}

test('a list that can be followed says so, and can be resumed', () => {
  const feed = operationsOf(described('full')).find(({ operationId }) => operationId === 'changes_list')
  expect(feed?.responses[200].description).toContain('text/event-stream')
  expect(feed?.parameters).toContainEqual({ $ref: '#/components/parameters/LastEventId' })
})

describe.each(CONNECTION_KINDS)('the description of a %s connection', (kind) => {
  test('is OpenAPI 3.1, according to another validator', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(described(kind)))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('has exactly the operations of its endpoints, by route', () => {
    const routes = endpoints
      .filter(({ input }) => input[kind] !== undefined)
      .map(({ name, route }) => `${name} ${route}`)
    const found = operationsOf(described(kind)).map((one) => `${one.operationId} ${one.method} ${one.path}`)
    expect(found.toSorted()).toEqual(routes.toSorted())
  })

  test('has every field of every tool, in the path, the query or the body', () => {
    const table = new ToolCatalog(endpoints, kind)
    for (const { operationId, method, path, parameters = [], requestBody } of operationsOf(described(kind))) {
      const { properties = {}, required = [] } = table.find(operationId)?.schema ?? {}
      const body = requestBody?.content['application/json']?.schema
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      const isQuery = method === 'GET' || requestBody?.content['*/*'] !== undefined
      const others = isQuery ? parameters.filter((one) => one.in === 'query').map(({ name }) => name) : []
      const fields = [...inPath, ...others, ...Object.keys(body?.properties ?? {})]
      expect(fields.toSorted(), operationId).toEqual(Object.keys(properties).toSorted())
      const needed = [...parameters.filter((one) => one.required).map(({ name }) => name), ...(body?.required ?? [])]
      expect(needed.toSorted(), operationId).toEqual((required as string[]).toSorted())
    }
  })

  test('has only resolvable references, and its schemas compile', () => {
    const document = described(kind)
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema({ $id: 'http://localhost/openapi', components: document.components })
    const schemas = new Set<string>()
    for (const node of nodes(document)) {
      if (typeof node.$ref === 'string') {
        const target = node.$ref
          .slice(2)
          .split('/')
          .reduce((at, key) => at?.[key], document)
        expect(target, node.$ref).toBeDefined()
      }
      if (node.schema !== undefined) schemas.add(JSON.stringify(node.schema))
    }
    expect(schemas.size).toBeGreaterThan(50)
    for (const schema of schemas) {
      const resolvable = schema.replaceAll('"#/', '"http://localhost/openapi#/')
      expect(() => ajv.compile(JSON.parse(resolvable))).not.toThrow()
    }
  })

  test('is the response of GET /openapi.json', async () => {
    const full = await askerOf()
    const documents = kind === 'selected' ? [await documentBy(full)] : []
    const asker = await askerOf({ kind, documents, to: full })
    const { status, headers, json } = await asker.ask('GET /openapi.json')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(json).toEqual(described(kind))
  })
})

const NAMES = [
  ...['Block', 'Document', 'Task', 'Item', 'View', 'Collection', 'CollectionSchema'],
  ...[
    'NewBlock',
    'NewDocument',
    'NewTask',
    'NewItem',
    'NewView',
    'NewFolder',
    'Position',
    'Filter',
    'Repeat',
    'Element',
  ],
]

test('the shapes have names, and each use refers to them', () => {
  const { paths, components } = described('full')
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(NAMES))
  const answerOf = (path: string, method = 'get') =>
    paths[path][method].responses[200].content['application/json'].schema
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  expect(answerOf('/blocks')).toEqual(ref('Block'))
  expect(answerOf('/blocks', 'post').properties.items.items).toEqual(ref('Block'))
  expect(answerOf('/documents').properties.items.items).toEqual(ref('Document'))
  expect(answerOf('/tasks').properties.items.items).toEqual(ref('Task'))
  expect(answerOf('/collections').properties.items.items).toEqual(ref('Collection'))
  expect(answerOf('/collections/{collectionId}/items').properties.items.items).toEqual(ref('Item'))
  expect(answerOf('/collections/{collectionId}/views').properties.views.items).toEqual(ref('View'))
  expect(components.schemas.Block.properties.content.items).toEqual(ref('Block'))
  // Generators make a field with a default required, wherever a named shape is sent.
  for (const node of nodes(components.schemas)) expect(node).not.toHaveProperty('default')
})

/** The paths of lists without a bound, in a schema and in the components that it refers to. */
function* boundless(document: Answer, value: unknown, path: string, seen: Set<string>): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const { type, maxItems, $ref } = value as Record<string, unknown>
  const isList = !Array.isArray(value) && [type].flat().includes('array')
  if (isList && maxItems === undefined) yield path
  if (typeof $ref === 'string' && !seen.has($ref)) {
    seen.add($ref)
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    yield* boundless(document, document.components.schemas[name], name, seen)
  }
  for (const [key, inner] of Object.entries(value)) yield* boundless(document, inner, `${path}.${key}`, seen)
}

test('every list in a call has a bound', () => {
  for (const kind of CONNECTION_KINDS) {
    const document = described(kind)
    const seen = new Set<string>()
    const found = operationsOf(document).flatMap(({ operationId, parameters, requestBody }) => [
      ...boundless(document, { parameters, requestBody }, operationId, seen),
    ])
    expect(found, kind).toEqual([])
    expect(seen.size).toBeGreaterThan(15)
  }
})

test('lists that answers cut at a limit name it', () => {
  const { paths } = described('full')
  const mostOf = (path: string) =>
    paths[path].get.responses[200].content['application/json'].schema.properties.items.maxItems
  const most = ['/documents', '/tasks', '/collections', '/reminders', '/collections/{collectionId}/items'].map(mostOf)
  expect(most).toEqual([20_000, 20_000, 20_000, 200, 20_000])
})

/** Lists of answers without a bound, by their last name, with the reason. */
const UNBOUNDED: Readonly<Record<string, string>> = {
  content: 'a page holds any number of blocks; maxBlocks cuts the answer, and counts all levels together',
  pageBlockPath: 'pages nest to any depth',
  callout: 'as deep as callouts nest',
  attributes: 'the marks of one title, which is bounded in characters',
  PropertyValue: 'the options or targets of one value, as many as were set',
  relations: 'the options or targets of one value, as many as were set',
  filterValue: 'as it was sent, where it is bounded',
  comments: 'a block has any number of comments',
  blockedBy: 'what a task or an item waits for, as many as were set',
  added: 'the blocks of an edited page, which has any number',
  changed: 'the blocks of an edited page, or of one call',
  moved: 'the blocks of an edited page, or of one call',
  deleted: 'the blocks of an edited page, or of one call',
  made: 'the things of one call',
  newDocuments: 'the documents of one call',
  goneDocuments: 'the documents of one call',
  documents: 'the documents that one call touched',
  undoes: 'the calls that one call took back',
  changes: 'the documents that one call changed, and the kinds of things in each',
  calls: 'the calls that a rule of history_undo selects',
  laterCalls: 'calls of others on the same things',
  conflicts: 'things of all calls that are taken back, or elements of a board',
  ids: 'the things of one step',
  items: 'all folders, or all kinds of events',
  folders: 'a folder holds any number of folders',
  elements: 'a board has any number of elements',
  released: 'the rows of the call',
  steps: 'those of the proposed call, which are bounded there',
  files: 'those of the proposed call',
}

test('each list of an answer has a bound, or a reason', () => {
  const found = new Set<string>()
  const visit = (schema: Answer, name: string): void => {
    if (schema === null || typeof schema !== 'object') return
    if (schema.type === 'array' && schema.maxItems === undefined) found.add(name)
    for (const inner of [schema.items, schema.additionalProperties]) visit(inner, name)
    for (const inner of [schema.anyOf, schema.oneOf, schema.allOf].flat()) visit(inner, name)
    for (const [key, inner] of Object.entries(schema.properties ?? {})) visit(inner, key)
  }
  const document = described('full')
  const answers = Object.entries(document.components.schemas).filter(([name]) => !/_input$|^New|Change$/.test(name))
  for (const [name, schema] of answers) visit(schema, name)
  for (const { responses } of operationsOf(document))
    visit(responses[200].content?.['application/json']?.schema, 'items')
  const withoutReason = [...found].filter((name) => !Object.hasOwn(UNBOUNDED, name))
  expect(withoutReason).toEqual([])
  expect(Object.keys(UNBOUNDED).filter((name) => !found.has(name))).toEqual([])
})

test('two shapes cannot have the same name', () => {
  const schemas = new NamedSchemas({})
  schemas.place('one', { type: 'string', component: 'Word' })
  expect(() => schemas.place('other', { type: 'integer', component: 'Word' })).toThrow(
    'Expected one shape with the name Word, found two',
  )
})

test('each operation has one type of answer, and names its errors', () => {
  const { components } = described('full')
  for (const { operationId, method, responses, requestBody } of operationsOf(described('full'))) {
    const { 200: answer, default: any, ...errors } = responses
    expect(Object.keys(answer.content), operationId).toEqual(['application/json'])
    expect(any).toEqual({ $ref: '#/components/responses/Error' })
    const expected = [400, 401, 403, 404, 429, 500, 503]
    if (method !== 'GET') expected.push(409, 507)
    if (requestBody !== undefined) expected.push(413, 415)
    expect(Object.keys(errors).map(Number), operationId).toEqual(expected.toSorted((a, b) => a - b))
  }
  const codes = Object.keys(HTTP_STATUS)
  expect(components.schemas.ErrorCode.enum).toEqual(codes)
  expect(components.schemas.RateLimited).toBeUndefined()
  expect(components.schemas.ConflictError.properties.code.enum).toEqual(['CONFLICT'])
  expect(components.responses.Conflict.content['application/json'].schema.$ref).toBe(
    '#/components/schemas/ConflictError',
  )
})

test('no schema is an object of which nothing is said', () => {
  for (const kind of CONNECTION_KINDS) {
    for (const node of nodes(described(kind))) {
      if (node.type !== 'object') continue
      expect(node.properties ?? node.additionalProperties, JSON.stringify(node)).toBeDefined()
    }
  }
})

test('on a link whose changes wait for approval, the proposal stands beside the answer', () => {
  const options = { ...about, proposes: true }
  const { paths } = JSON.parse(JSON.stringify(createOpenApi(endpoints, new ToolCatalog(endpoints, 'full'), options)))
  const { schema } = paths['/tasks'].post.responses[202].content['application/json']
  expect(schema.required).toEqual(['proposal', 'items'])
  expect(schema.properties.items.items).toEqual({ $ref: '#/components/schemas/Task' })
  expect(paths['/tasks'].get.responses).not.toHaveProperty('202')
})

test('has the base path, the version, and the authentication', () => {
  const { openapi, info, servers, security, components } = described('full')
  expect(openapi).toBe('3.1.0')
  expect(info).toMatchObject({ title: 'Scriptorium', version: '1.2.3' })
  expect(servers).toEqual([{ url: '/links/secret/api/v1' }])
  expect(security).toEqual([{}, { bearer: [] }])
  expect(components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
})

test('internal annotations do not appear', () => {
  for (const node of nodes(described('full').paths)) {
    for (const mark of ['published', 'asIn', '$defs', '$schema']) expect(node).not.toHaveProperty(mark)
    for (const mark of ['hidden', 'commas']) expect(node[mark]).not.toBe(true)
  }
})

test('what the connection currently may not use is omitted', async () => {
  const names = ['reminders_list', 'reminders_add', 'reminders_update', 'reminders_delete']
  expect(describedWithout('full', new Set(names)).paths).not.toHaveProperty('/reminders')
  const asker = await askerOf({ unavailable: async () => new Set(names.slice(1)) })
  const { json } = await asker.ask('GET /openapi.json')
  expect(Object.keys(json.paths['/reminders'])).toEqual(['get'])
})

test('text bodies are described for the kinds that accept them', () => {
  const contentOf = (kind: ConnectionKind) => Object.keys(described(kind).paths['/blocks'].post.requestBody.content)
  expect(contentOf('daily')).toEqual(['application/json', 'text/markdown'])
  expect(contentOf('full')).toEqual(['application/json'])
  const position = described('daily').paths['/blocks'].post.parameters[0]
  expect(position).toMatchObject({ name: 'position', in: 'query', content: { 'application/json': {} } })
})

const EVERY_KIND = `# A heading

- [ ] a task
1. numbered
> quoted

<page>**Page** with a mark
- inside
</page>

\`\`\`js
code
\`\`\`

| a | b |
| --- | --- |
| 1 | 2 |

---

https://example.com/a`

test('responses match their schemas, and errors theirs', async () => {
  const asker = await askerOf()
  const document = described('full')
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'http://localhost/openapi', components: document.components })
  const validates = (schema: object, value: unknown) =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"http://localhost/openapi#/')), value)
  const schemaOf = (path: string) => document.paths[path].get.responses[200].content['application/json'].schema
  const id = await documentBy(asker, EVERY_KIND)
  for (const path of ['/folders', '/documents', '/connection', '/collections']) {
    expect(validates(schemaOf(path), (await asker.ask(`GET ${path}`)).json), path).toBe(true)
  }
  for (const query of ['', '&fetchMetadata=true', '&maxDepth=1', '&maxBlocks=3']) {
    const { json } = await asker.ask(`GET /blocks?id=${id}${query}`)
    expect(validates(schemaOf('/blocks'), json), `${query} ${JSON.stringify(ajv.errors)}`).toBe(true)
  }
  const { items: tasks } = (await asker.ask('GET /tasks?scope=all')).json
  expect(validates(schemaOf('/tasks'), (await asker.ask('GET /tasks?scope=all')).json), 'tasks').toBe(true)
  expect(tasks).toHaveLength(1)
  const { json: made } = await asker.ask('POST /collections', {
    schema: {
      name: 'Books',
      properties: [
        { name: 'Read', type: 'date' },
        { name: 'Pages', type: 'number' },
      ],
    },
    position: { position: 'end', pageId: id },
  })
  const path = `/collections/${made.collectionBlockId}/items`
  await asker.ask(`POST ${path}`, {
    items: [{ title: 'One', markdown: 'text', properties: { pages: 3, read: '2026-01-02' } }],
  })
  const found = (await asker.ask(`GET ${path}`)).json
  expect(validates(schemaOf('/collections/{collectionId}/items'), found), JSON.stringify(ajv.errors)).toBe(true)
  expect(found.items[0].properties).toMatchObject({ pages: 3 })
  const { schema } = document.components.responses.Error.content['application/json']
  const { json } = await asker.ask('GET /documents?limit=0&x=1')
  expect(json.details).toHaveLength(2)
  expect(validates(schema, json)).toBe(true)
})

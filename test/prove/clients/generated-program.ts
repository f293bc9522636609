/**
 * A program of a client that is generated from `openapi.json`: reads a document, adds an item and lists tasks. It has no
 * cast, so the types of the document must fit. It is compiled next to the generated types, and not with this project.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'

type Schemas = components['schemas']

const [, , baseUrl = ''] = process.argv
const api = createClient<paths>({ baseUrl })

interface Result<Data> {
  data?: Data
  error?: Schemas['Error']
}

function expectData<Data>({ data, error }: Result<Data>): Data {
  if (data === undefined) throw new Error(error === undefined ? 'found no answer' : `${error.code}: ${error.error}`)
  return data
}

/** The Markdown of a block and of all that it holds. */
const textOf = ({ markdown = '', content = [] }: Schemas['Block']): string =>
  [markdown, ...content.map(textOf)].join('\n')

const added = expectData(
  await api.POST('/documents', {
    body: { documents: [{ title: 'Plan', markdown: 'Count **ships**.\n\n- [ ] call' }] },
  }),
)
const id = added.items[0]?.id ?? ''
const documents = expectData(await api.GET('/documents', { params: { query: { documentIds: [id] } } }))
const page: Schemas['Block'] = expectData(await api.GET('/blocks', { params: { query: { id } } }))

const { collectionBlockId: collectionId } = expectData(
  await api.POST('/collections', {
    body: {
      schema: { name: 'Ships', properties: [{ name: 'Masts', type: 'number' }] },
      position: { position: 'end', pageId: id },
    },
  }),
)
const params = { path: { collectionId } }
const item: Schemas['NewItem'] = { title: 'Gorch Fock', properties: { masts: 3 } }
expectData(await api.POST('/collections/{collectionId}/items', { params, body: { items: [item] } }))
const listed = expectData(await api.GET('/collections/{collectionId}/items', { params }))

const tasks = expectData(await api.GET('/tasks', { params: { query: { scope: 'document', documentId: id } } }))
const refused = await api.GET('/blocks', { params: { query: { id: 'nope' } } })

console.log(
  JSON.stringify({
    title: documents.items[0]?.title.toUpperCase(),
    text: textOf(page),
    items: listed.items.map(({ title, properties }) => [title, properties.masts]),
    tasks: tasks.items.map(({ markdown, taskInfo }) => [markdown, taskInfo?.state]),
    isNotFound: refused.error?.code === 'NOT_FOUND_ERROR',
  }),
)

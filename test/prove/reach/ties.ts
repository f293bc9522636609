/** References from a visible thing to a hidden one, in every form that exists. */
import { call, type TestClient } from '../test-client/test-client.ts'
import { done, type Things } from '../test-client/things.ts'

/** The names of the forms, used in the description of a fault. */
export type Form = (typeof FORMS)[number]['name']

interface Written {
  full: TestClient
  seen: Things
  /** The ID of the hidden block that the reference points to. */
  id: string
}

interface FormOfTie {
  name: string
  write(tied: Written): Promise<unknown>
}

const block = ({ full, seen }: Written, fields: object): Promise<unknown> =>
  call(full, 'blocks_add', { blocks: [fields], position: { position: 'end', pageId: seen.document } })
const text = (tied: Written, markdown: string) => block(tied, { type: 'text', markdown })

const FORMS = [
  { name: 'a link', write: (tied) => text(tied, `words [away](block://${tied.id}) and back`) },
  { name: 'a link in capitals', write: (tied) => text(tied, `words [away](BLOCK://${tied.id}) and back`) },
  { name: 'a bare address', write: (tied) => text(tied, `words <block://${tied.id}> and back`) },
  { name: 'the address of a picture in a text', write: (tied) => text(tied, `words ![away](block://${tied.id})`) },
  { name: 'a link of a task', write: (tied) => text(tied, `- [ ] words [away](block://${tied.id})`) },
  {
    name: 'a link of a table',
    write: (tied) => block(tied, { type: 'table', markdown: `| words | [away](block://${tied.id}) |\n| - | - |` }),
  },
  {
    name: 'a link of a title',
    write: (tied) =>
      block(tied, {
        type: 'page',
        title: { value: 'words', attributes: [{ start: 0, end: 5, type: 'blockLink', blockId: tied.id }] },
      }),
  },
  { name: 'a link card', write: (tied) => block(tied, { type: 'richUrl', url: `block://${tied.id}`, title: 'words' }) },
  {
    name: 'a link card in capitals',
    write: (tied) => block(tied, { type: 'richUrl', url: `BLOCK://${tied.id}`, title: 'words' }),
  },
  { name: 'the address of a picture', write: (tied) => block(tied, { type: 'image', url: `block://${tied.id}` }) },
  {
    name: 'the title of a callout',
    write: (tied) => {
      const callout = [{ starts: true, title: `words block://${tied.id}` }]
      return block(tied, { type: 'text', markdown: 'words', decorations: { callout } })
    },
  },
  {
    name: 'the words of a link card',
    write: (tied) =>
      block(tied, { type: 'richUrl', url: 'https://example.org/', description: `words block://${tied.id}` }),
  },
  { name: 'the address of a file', write: (tied) => block(tied, { type: 'file', url: `block://${tied.id}` }) },
  {
    name: 'a comment',
    write: ({ full, seen, id }) =>
      call(full, 'comments_add', { comments: [{ blockId: seen.task, content: `words [away](block://${id})` }] }),
  },
  {
    name: 'a link on a board',
    write: ({ full, seen, id }) =>
      call(full, 'elements_add', {
        whiteboardBlockId: seen.board,
        elements: [{ id: 'away', type: 'rectangle', link: `block://${id}` }],
      }),
  },
  { name: 'the title of an item', write: (tied) => item(tied, { title: `words [away](block://${tied.id})` }) },
  {
    name: 'the text of an item',
    write: (tied) => item(tied, { title: 'words', properties: { note: `words [away](block://${tied.id})` } }),
  },
  {
    name: 'the address of an item',
    write: (tied) => item(tied, { title: 'words', properties: { page: `block://${tied.id}` } }),
  },
  {
    name: 'what an item leads to',
    write: (tied) => item(tied, { title: 'words', properties: { leads: { blockId: tied.id } } }),
  },
] as const satisfies readonly FormOfTie[]

const item = ({ full, seen }: Written, fields: object): Promise<unknown> =>
  call(full, 'items_add', { collectionId: seen.collection, items: [fields] })

export interface HiddenReferenceOptions {
  full: TestClient
  seen: Things
  /** Returns the ID of a hidden block for this form. */
  leadTo(form: Form): Promise<string>
  /** Wraps every write to the visible part. */
  see<T>(work: () => Promise<T>): Promise<T>
}

/** Writes a reference in each form. @returns the forms that the space accepted, which now contain a hidden ID */
export async function writeHiddenReferences({ full, seen, leadTo, see }: HiddenReferenceOptions): Promise<Form[]> {
  const taken: Form[] = []
  await see(() => addProperties(full, seen.collection, PROPERTIES))
  for (const { name, write } of FORMS) {
    const id = await leadTo(name)
    const { isRefused } = (await see(() => write({ full, seen, id }))) as { isRefused: boolean }
    if (!isRefused) taken.push(name)
  }
  return taken
}

const PROPERTIES = [
  { name: 'Note', type: 'text' },
  { name: 'Page', type: 'url' },
]

interface Schema {
  name: string
  properties: { key: string; name: string }[]
}

async function schemaOf(full: TestClient, collectionId: string): Promise<Schema> {
  const { object } = await call(full, 'schema_get', { collectionId, format: 'schema' })
  return object as unknown as Schema
}

/** @param name  a new name for the collection */
async function addProperties(
  full: TestClient,
  collectionId: string,
  added: readonly object[],
  name?: string,
): Promise<void> {
  const { name: known, ...schema } = await schemaOf(full, collectionId)
  const properties = [...schema.properties, ...added]
  await done(full, 'schema_update', { collectionId, schema: { ...schema, name: name ?? known, properties } })
}

async function keyOf(full: TestClient, collectionId: string, name: string): Promise<string> {
  const { properties } = await schemaOf(full, collectionId)
  return properties.find((one) => one.name === name)?.key ?? ''
}

export interface RelatingOptions {
  full: TestClient
  seen: Things
  hidden: Things
  /** Hidden items that the visible item is related to, and the number of hidden items related to it. */
  outward: readonly string[]
  inward: number
  see<T>(work: () => Promise<T>): Promise<T>
  hide<T>(work: () => Promise<T>): Promise<T>
}

/** Creates relations between the two collections, one from each side, and a view that filters by one of them. */
export async function relate({ full, seen, hidden, outward, inward, see, hide }: RelatingOptions): Promise<void> {
  const outProperty = { name: 'Outward', type: 'relation', targetCollectionId: hidden.collection }
  await see(() => addProperties(full, seen.collection, [outProperty]))
  // The collection's name becomes the name of the reverse property, a column in the visible collection.
  await hide(() => addProperties(full, hidden.collection, [], `Others ${seen.document.slice(-4)}`))
  const name = `Inward ${seen.document.slice(-4)}`
  const inProperty = { name, type: 'relation', targetCollectionId: seen.collection }
  await hide(() => addProperties(full, hidden.collection, [inProperty]))
  const out = await see(() => keyOf(full, seen.collection, 'Outward'))
  const relations = outward.map((blockId) => ({ blockId }))
  const itemsToUpdate = [{ id: seen.item, properties: { [out]: { relations } } }]
  await see(() => done(full, 'items_update', { collectionId: seen.collection, itemsToUpdate }))
  const filters = [{ property: out, filterType: 'relation_hasNoneOf', filterValue: { relations } }]
  const view = { name: 'Away', type: 'table', filters }
  await see(() => done(full, 'views_add', { collectionId: seen.collection, view }))
  await hide(async () => {
    const key = await keyOf(full, hidden.collection, name)
    const properties = { [key]: { relations: [{ blockId: seen.item }] } }
    const items = Array.from({ length: inward }, () => ({ title: 'xylophone', properties }))
    await done(full, 'items_add', { collectionId: hidden.collection, items })
  })
}

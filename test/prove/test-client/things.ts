/** Creates one of each thing that a call can name, with words that reveal it if a response shows it. */
import { call, type TestClient } from './test-client.ts'

export const NOUNS = [
  'document',
  'page',
  'block',
  'task',
  'table',
  'image',
  'comment',
  'collection',
  'item',
  'view',
  'reminder',
  'board',
  'element',
  'file',
  'folder',
  'outerFolder',
  'template',
  'proposal',
  'otherProposal',
] as const
export type Noun = (typeof NOUNS)[number]
export interface Things extends Record<Noun, string> {
  /** The revision of the document after the things were created. */
  revision: string
  /** Another item of the collection. */
  secondItem: string
}

/** The things that are outside of any document. */
export type Places = Pick<Things, 'folder' | 'outerFolder' | 'template'>

/** Friday, 20 November 2026, ten in the morning in Budapest: the initial time of the spaces of proofs. */
export const NOW = Date.parse('2026-11-20T09:00:00Z')
/** The time at which the reminders are due. */
export const LATER = '2026-11-20T10:00:00Z'

/** The smallest possible picture, of one pixel. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** A connection that creates things. */
export type Maker = Pick<TestClient, 'mcp'>

export interface MakingOptions {
  /** The time at which reminders are due, later than now. */
  later?: string
  /** A connection that proposes and reaches the document. Without it no proposals are made, only IDs for them. */
  proposer?: Maker | undefined
}

/**
 * Creates the things in a document.
 *
 * @param full  a full connection
 * @param word  occurs in every text
 */
export async function makeThings(
  full: Maker,
  document: string,
  word: string,
  places: Places,
  { later = LATER, proposer }: MakingOptions = {},
): Promise<Things> {
  const did = (name: string, args: object) => done(full, name, args)
  const position = { position: 'end', pageId: document }
  const markdown = `${word} in a block\n\n- [ ] ${word} to do\n\n| ${word} | b |\n| - | - |\n| 1 | 2 |`
  const [block = '', task = '', table = ''] = idsOf(await did('blocks_add', { markdown, position }))
  const nested = `<page><pageTitle>${word} page</pageTitle><content>inside ${word}</content></page>`
  const [page = ''] = idsOf(await did('blocks_add', { markdown: nested, position }))
  const properties = [
    { name: 'Price', type: 'number' },
    { name: 'Day', type: 'date' },
    { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won' }] },
    { name: 'Ties', type: 'relation' },
    { name: 'Leads', type: 'blockLink' },
  ]
  const schema = { name: `${word} deals`, properties }
  const { collectionBlockId: collection = '' } = await did('collections_add', { schema, position })
  const values = { price: 5, day: '2026-11-20', stage: 'Open' }
  const items = [
    { title: `${word} item`, properties: values, markdown: `${word} in an item` },
    { title: `${word} second` },
  ]
  const [item = '', secondItem = ''] = idsOf(await did('items_add', { collectionId: collection, items }))
  await did('views_add', { collectionId: collection, view: { name: 'All', type: 'table' } })
  const { id: view = '' } = await did('views_add', { collectionId: collection, view: { name: word, type: 'table' } })
  const reminders = [{ blockId: task, remindAt: later }]
  const [reminder = ''] = idsOf(await did('reminders_add', { reminders }))
  const { commentId: comment = '' } = await did('comments_add', { comments: [{ blockId: block, content: word }] })
  const { whiteboardBlockId: board = '' } = await did('whiteboards_add', { position })
  const element = `${word}-element`
  const elements = [{ id: element, type: 'text', text: word, x: 0, y: 0, width: 10, height: 10 }]
  await did('elements_add', { whiteboardBlockId: board, elements })
  const picture = { position, data: PICTURE, mimeType: 'image/png', fileName: `${word}.png` }
  const { blockId: image = '', assetUrl = '' } = await did('files_add', picture)
  const [file = lastPartOf(assetUrl)] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(assetUrl) ?? []
  const { text } = await call(full, 'blocks_get', { id: document, format: 'markdown' })
  const [, revision = ''] = /Revision (\d+)/.exec(text) ?? []
  const blocks = { document, page, block, task, table, image }
  const proposals = proposer === undefined ? NO_PROPOSALS : await makeProposals(proposer, document, word)
  return {
    ...{ ...blocks, comment, collection, item, view, reminder, board, element, file, revision, secondItem },
    ...{ ...places, ...proposals },
  }
}

const NO_PROPOSALS = { proposal: '300000000011', otherProposal: '300000000012' }

/** Makes two pending proposals that add a block each. */
export async function makeProposals(proposer: Maker, document: string, word: string): Promise<typeof NO_PROPOSALS> {
  const position = { position: 'end', pageId: document }
  const add = (markdown: string) => proposed(proposer, 'blocks_add', { markdown, position })
  return { proposal: await add(`${word} proposed`), otherProposal: await add(`${word} proposed as well`) }
}

/** Makes a call that becomes a proposal, and returns the proposal's ID. */
const proposed = async (proposer: Maker, name: string, args: object): Promise<string> =>
  (await propose(proposer, name, args)).proposalId

/** Makes a call that becomes a proposal, and returns the proposal's ID and the IDs that it promises. */
export async function propose(
  proposer: Maker,
  name: string,
  args: object,
): Promise<{ proposalId: string; promised: string[] }> {
  const made = await done(proposer, name, args)
  if (made.proposal === undefined) throw new Error(`Expected ${name} to be proposed, found it done.`)
  return { ...made.proposal, promised: idsOf(made) }
}

export async function makePlaces(full: Maker, word: string): Promise<Places> {
  const [outerFolder = ''] = idsOf(await done(full, 'folders_add', { folders: [{ name: `${word} outer` }] }))
  const inner = { name: `${word} folder`, parentFolderId: outerFolder }
  const [folder = ''] = idsOf(await done(full, 'folders_add', { folders: [inner] }))
  const documents = [{ title: `${word} template`, markdown: word }]
  const [template = ''] = idsOf(await done(full, 'documents_add', { documents, destination: TEMPLATES }))
  return { folder, outerFolder, template }
}

const TEMPLATES = { destination: 'templates' }

export async function makeDocument(full: Maker, title: string): Promise<string> {
  return idsOf(await done(full, 'documents_add', { documents: [{ title }] }))[0] ?? ''
}

/** Creates the daily note of a date and returns its ID. */
export async function makeDay(full: Maker, date: string, markdown: string): Promise<string> {
  const { items = [] } = await done(full, 'blocks_add', { markdown, position: { position: 'end', date } })
  return items[0]?.documentId ?? ''
}

/** Calls a tool for the setup of a proof. @throws Error if the call is refused */
export async function done(full: Maker, name: string, args: object): Promise<Made> {
  const { isRefused, text, object } = await call(full, name, args)
  if (isRefused) throw new Error(`${name}: ${text}`)
  return object as Made
}

interface Made {
  items?: { id: string; documentId?: string }[]
  id?: string
  collectionBlockId?: string
  commentId?: string
  whiteboardBlockId?: string
  blockId?: string
  assetUrl?: string
  proposal?: { proposalId: string }
}

const lastPartOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1)

const idsOf = ({ items = [] }: Made): string[] => items.map(({ id }) => id)

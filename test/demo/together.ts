/**
 * Two agents and a person on one board: one agent claims a card, the other one gets the next, one writes, the other one
 * suggests, and the person approves, sees both in the history, and takes one call back.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startServe } from '../http/serve-process.ts'

/** Something that somebody does, and what comes of it. */
export interface Scene {
  who: 'Researcher' | 'Editor' | 'You'
  does: string
  shows: string
}

// biome-ignore lint/suspicious/noExplicitAny: what is answered is looked at by who asked
type Answer = any

const BEFORE = 'The port of Kemi, which is a port, is open all winter.'
const AFTER = 'The port of Kemi is open all winter.'

/**
 * @param folder  where the space is made
 * @param program  the script of the program, and the folder of its sources
 */
export async function workTogether(folder: string, program: { script: string; cwd: string }): Promise<Scene[]> {
  const space = join(folder, 'space.sqlite')
  const { restUrl, close } = await startServe(space, [], [], program)
  const agents: Client[] = []
  const agent = async (name: string, access: string) => {
    const adding = ['links', 'add', '--space', space, '--port', new URL(restUrl).port, '--json', '--name', name]
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program.script, ...adding, '--access', access],
      program,
    )
    const client = new Client({ name: name.toLowerCase(), version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(JSON.parse(stdout).mcpUrl)))
    agents.push(client)
    return async (tool: string, args: object): Promise<Answer> => {
      const { content, isError } = await client.callTool({ name: tool, arguments: { ...args } })
      const [text = ''] = content.map((part) => (part.type === 'text' ? part.text : ''))
      if (isError) throw new Error(text)
      return JSON.parse(text)
    }
  }
  try {
    const you = sender(restUrl)
    const { document, collection } = await addBoard(you)
    const researcher = await agent('Researcher', 'no-delete')
    const editor = await agent('Editor', 'propose')
    return await play({ you, researcher, editor, document, collection })
  } finally {
    for (const client of agents) await client.close()
    await close()
  }
}

type Call = (tool: string, args: object) => Promise<Answer>
type Send = (line: string, body?: object) => Promise<Answer>

const sender =
  (restUrl: string): Send =>
  async (line, body) => {
    const [method = '', at = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(restUrl + at, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const answer = (await response.json()) as Answer
    if (!response.ok) throw new Error(answer.error)
    return answer
  }

/** A document with a sentence, and a board of two cards. */
async function addBoard(you: Send) {
  const documents = [{ title: 'Winter ports', markdown: BEFORE }, { title: 'Board' }]
  const { items } = await you('POST /documents', { documents })
  const options = ['To do', 'Doing', 'Done'].map((name) => ({ name }))
  const schema = { name: 'Cards', properties: [{ name: 'Status', type: 'singleSelect', options }] }
  const position = { position: 'end', pageId: items[1].id }
  const { collectionBlockId: collection } = await you('POST /collections', { schema, position })
  const cards = ['Find a second port', 'Shorten the first sentence'].map((title) => ({
    title,
    properties: { status: 'To do' },
  }))
  await you(`POST /collections/${collection}/items`, { items: cards })
  return { document: items[0].id as string, collection: collection as string }
}

interface Cast {
  you: Send
  researcher: Call
  editor: Call
  document: string
  collection: string
}

async function play({ you, researcher, editor, document, collection }: Cast): Promise<Scene[]> {
  const scenes: Scene[] = []
  const filters = [{ property: 'status', filterType: 'select_isAnyOf', filterValue: ['To do'] }]
  const claim = { collectionId: collection, filters, set: { status: 'Doing' } }
  const { items: claimed } = await researcher('items_claim', claim)
  scenes.push({
    who: 'Researcher',
    does: 'claims the first free card of the board',
    shows: `"${claimed[0].title}" is now its own: nobody else gets it`,
  })

  const markdown = 'Tornio is open as well.'
  await researcher('blocks_add', { markdown, position: { position: 'end', pageId: document } })
  const done = { id: claimed[0].id, fence: claimed[0].fence, release: true, properties: { status: 'Done' } }
  await researcher('items_update', { collectionId: collection, itemsToUpdate: [done] })
  scenes.push({ who: 'Researcher', does: 'writes what it found, and finishes the card', shows: `"${markdown}"` })

  const { content } = await you(`GET /blocks?id=${document}`)
  const blocks = [{ id: content[0].id, markdown: AFTER }]
  const { proposal } = await editor('blocks_update', { blocks })
  const first = async () => (await you(`GET /blocks?id=${document}`)).content[0].markdown as string
  scenes.push({
    who: 'Editor',
    does: 'may only suggest, and makes a sentence shorter',
    shows: `${proposal.summary}. It waits; the text is still "${await first()}"`,
  })

  const { items: waiting } = await you(`GET /proposals?proposalId=${proposal.proposalId}`)
  await you(`POST /proposals/${proposal.proposalId}/approve`, { fingerprint: waiting[0].fingerprint })
  scenes.push({ who: 'You', does: 'read what it would change, and approve it', shows: `"${await first()}"` })

  const { items: calls } = await you(`GET /history?documentId=${document}&limit=1`)
  await you('POST /history/undo', { calls: [calls[0].callId] })
  scenes.push({ who: 'You', does: 'take that one call back', shows: `"${await first()}"` })
  return scenes
}

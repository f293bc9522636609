/** The tokens (o200k) of what a host shows its model: lists of tools, and the texts of responses. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { type Connection, connectTo, type Store } from './connection.ts'
import { COMMON, noteOf, RARE, titleOf } from './notes.ts'
import type { Row } from './times.ts'

const TITLE = /Note \d{5}/g

export async function answerTokens(connections: readonly Connection[], count: number): Promise<Row[]> {
  const lists = await Promise.all(connections.map(listTokens))
  const rows: Row[] = [
    { what: 'list of tools', unit: 'tokens', values: lists.map(({ tokens }) => tokens) },
    { what: 'list of tools, by tool', unit: 'tokens', values: lists.map(({ tokens, tools }) => tokens / tools) },
  ]
  const row = async (what: string, tokensOf: (notes: Connection['notes']) => Promise<number>) => {
    const values: number[] = []
    for (const { notes } of connections) values.push(await tokensOf(notes))
    rows.push({ what, unit: 'tokens', values })
  }
  await row('answer: a note written', async (notes) => countTokens((await notes.write([noteOf('Written', 1)])).text))
  await row('answer: a note of 2 KB read', async (notes) => countTokens((await notes.read(titleOf(7))).text))
  await row('answer: a rare word found', async (notes) => countTokens((await notes.search(RARE)).text))
  await row('answer: a common word found', async (notes) => countTokens((await notes.search(COMMON)).text))
  await row('the same, by note in it', async (notes) => byTitle((await notes.search(COMMON)).text))
  await row(`answer: ${count.toLocaleString('en-US')} notes listed, by note in it`, async (notes) =>
    byTitle((await notes.list()).text),
  )
  return rows
}

async function listTokens({ client }: Connection): Promise<{ tools: number; tokens: number }> {
  const { tools } = await client.listTools()
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  return { tools: tools.length, tokens: countTokens(JSON.stringify(shown)) }
}

const byTitle = (text: string): number => countTokens(text) / titlesIn(text)

const titlesIn = (text: string): number => new Set(text.match(TITLE)).size

/** Counts the notes named in a list. */
export async function listedTitles(connections: readonly Connection[]): Promise<number[]> {
  return Promise.all(connections.map(async ({ notes }) => titlesIn((await notes.list()).text)))
}

/** Measures the tool lists of narrower connections to this server. */
export async function narrowerLists(store: Store): Promise<string[]> {
  const messages: string[] = []
  for (const flags of [
    ['--access', 'read'],
    ['--kind', 'daily'],
    ['--kind', 'daily', '--access', 'read'],
    ['--tools', 'documents_add,documents_list,documents_search,blocks_get,blocks_add'],
  ]) {
    const connection = await connectTo(store, flags)
    const { tools, tokens } = await listTokens(connection)
    await connection.close()
    messages.push(`${store.peer.name} ${flags.join(' ')}: ${tools} tools, ${tokens.toLocaleString('en-US')} tokens`)
  }
  return messages
}

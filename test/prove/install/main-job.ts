/** The main job with a real client: add a document, read it, find it. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Home } from './home.ts'
import type { StartCommand } from './ways.ts'

/**
 * Milliseconds until a program without a response is given up. npx installs the tarball before it starts the program.
 */
const PATIENCE = 60_000

export interface Job {
  /** Milliseconds from starting the command until the list of tools has arrived. */
  startMilliseconds: number
  /** Descriptions of everything that went wrong. */
  faults: string[]
}

/** @param title  the title of the new document */
export async function doMainJob(home: Home, { command, args }: StartCommand, title: string): Promise<Job> {
  const from = performance.now()
  const transport = new StdioClientTransport({ command, args, cwd: home.folder, env: home.env, stderr: 'pipe' })
  let errors = ''
  transport.stderr?.on('data', (bytes: Buffer) => {
    errors += bytes
  })
  const client = new Client({ name: 'stranger', version: '1.0.0' })
  const faults: string[] = []
  let startMilliseconds = Number.NaN
  try {
    await client.connect(transport, { timeout: PATIENCE })
    const { tools } = await client.listTools()
    startMilliseconds = performance.now() - from
    if (tools.length < 40) faults.push(`expected the list of tools, found ${tools.length}`)
    faults.push(...(await addReadAndFind(client, title)))
  } catch (error) {
    faults.push(`${(error as Error).message}: ${errors.trim().replaceAll(/\s+/g, ' ').slice(0, 300)}`)
  } finally {
    await client.close()
  }
  return { startMilliseconds, faults }
}

/** Adds a document, reads it and finds it. @returns descriptions of everything that went wrong */
export async function addReadAndFind(client: Client, title: string): Promise<string[]> {
  const call = async (name: string, input: Record<string, unknown>) =>
    JSON.stringify((await client.callTool({ name, arguments: input })).content)
  const documents = [{ title, markdown: '## Plan\n\nPlant the quinces in March.' }]
  const added = await call('documents_add', { documents })
  const [id = ''] = /\d{12}/.exec(added) ?? []
  const faults: string[] = []
  const read = await call('blocks_get', { id, format: 'markdown' })
  if (!read.includes('Plant the quinces in March.')) faults.push(`expected the document to be read, found ${read}`)
  const searched = await call('documents_search', { include: ['quince'] })
  if (!searched.includes(title)) faults.push(`expected the document to be found, found ${searched}`)
  return faults
}

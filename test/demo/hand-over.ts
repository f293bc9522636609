/** A person hands work to the agent of examples/typescript-sdk, which has nothing but MCP, and approves what it proposes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServe } from '../http/serve-process.ts'
import { NO_INPUT } from '../support/unread.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The text that is to become shorter. */
const TEXT = 'A very, very long way.'

export interface HandedOver {
  /** What the agent says, in all of its lives. */
  output: string
  /** What waited for the decision of the person, and the difference that was approved. */
  proposals: { summary: string; author: string }[]
  diff: string
  /** The text and its thread afterwards. */
  text: string
  comments: { author: string; content: string; resolvedBy?: string }[]
}

/**
 * @param folder  an empty one, for the space and the agent
 * @param program  the script of the program, and the folder of its sources
 */
export async function handOver(folder: string, program: { script: string; cwd: string }): Promise<HandedOver> {
  const space = join(folder, 'space.sqlite')
  const { restUrl, close } = await startServe(space, [], [], program)
  try {
    const send = sender(restUrl)
    const adding = ['links', 'add', '--space', space, '--port', new URL(restUrl).port, '--json']
    const agent = ['--name', 'Editor', '--handle', 'editor', '--access', 'propose']
    const added = await promisify(execFile)(process.execPath, [program.script, ...adding, ...agent], program)
    const { members } = await send('GET /connection')
    const editor = members.find(({ handle }: { handle?: string }) => handle === 'editor').id
    const { items } = await send('POST /documents', { documents: [{ title: 'Plan', markdown: TEXT }] })
    const blockId = (await send(`GET /blocks?id=${items[0].id}`)).content[0].id
    const content = `[@editor](person://${editor}) shorter, please`
    await send('POST /comments', { comments: [{ blockId, content }] })
    // Its second life finds the same work, and proposes nothing twice.
    const { mcpUrl } = JSON.parse(added.stdout)
    const output = `${await liveUntilIdle(folder, mcpUrl)}${await liveUntilIdle(folder, mcpUrl)}`
    const { items: waiting } = await send('GET /proposals')
    const [{ proposalId }] = waiting
    const { diff, fingerprint } = (await send(`GET /proposals?proposalId=${proposalId}`)).items[0]
    await send(`POST /proposals/${proposalId}/approve`, { fingerprint })
    const { markdown, metadata } = await send(`GET /blocks?id=${blockId}&fetchMetadata=true`)
    const text = markdown.replace(/<\/?comment[^>]*>/g, '')
    return { output, proposals: waiting, diff, text, comments: metadata.comments }
  } finally {
    await close()
  }
}

const sender =
  (restUrl: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: what is answered is looked at by who asked
  async (line: string, body?: object): Promise<any> => {
    const [method = '', at = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(restUrl + at, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return response.json()
  }

/** Starts the program, and kills it once it waits for events. @returns what it printed */
async function liveUntilIdle(folder: string, mcpUrl: string): Promise<string> {
  const script = join(ROOT, 'examples/typescript-sdk/colleague.ts')
  const env = { ...process.env, MCP_URL: mcpUrl }
  const child = spawn(process.execPath, [script], { cwd: folder, env, stdio: [NO_INPUT, 'pipe', 'inherit'] })
  try {
    return await untilIdle(child)
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

function untilIdle(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (/^waiting$/m.test(output)) resolve(output)
    })
    child.once('exit', () => reject(new Error(`Expected an agent that waits, found that it ended: ${output}`)))
  })
}

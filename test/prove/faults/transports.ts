/** Runs the program in a process of its own, and calls it over stdio or HTTP. */
import type { ChildProcess } from 'node:child_process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { portOf } from '../../http/serve-process.ts'
import { askForAll } from '../../whole-answer.ts'
import { commandOf, endProcess, startProgram } from '../attack/process.ts'
import type { ScenarioContext } from './scenario.ts'

export const TRANSPORTS = ['stdio', 'serve'] as const
export type TransportName = (typeof TRANSPORTS)[number]

export interface Reply {
  isRefused: boolean
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the tool answers
  object: any
}

/** A running program on a space, and a client connected to it. */
export interface Running {
  name: TransportName
  client: Client
  /** The REST URL. Only `serve` has one. */
  restUrl?: string
  call(tool: string, args?: object, idempotencyKey?: string): Promise<Reply>
  /** Returns the program's standard error so far. */
  errors(): string
  end(signal?: NodeJS.Signals): Promise<void>
}

export const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0']

/** Starts the program. The context stops it if the scenario does not. */
export async function start(
  name: TransportName,
  context: ScenarioContext,
  file: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const { program } = context
  const client = new Client({ name: 'prover', version: '1.0.0' })
  const call = (tool: string, args: object = {}, key?: string) => callTool(client, tool, args, key)
  let output = ''
  const listen = (stream: NodeJS.ReadableStream | null) =>
    stream?.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
  if (name === 'stdio') {
    const args = [program.script, 'stdio', '--space', file, '--no-welcome', ...UNLIMITED]
    const whole = { ...(process.env as Record<string, string>), ...env }
    const parameters = { command: process.execPath, args, cwd: program.folder, env: whole, stderr: 'pipe' as const }
    const transport = new StdioClientTransport(parameters)
    listen(transport.stderr as NodeJS.ReadableStream | null)
    await client.connect(transport)
    const pid = transport.pid ?? 0
    const end = async (signal?: NodeJS.Signals) => {
      if (signal !== undefined) killIfRunning(pid, signal)
      await client.close()
    }
    context.leave(() => end('SIGKILL'))
    return { name, client, call, errors: () => output, end }
  }
  const child: ChildProcess = startProgram(
    program,
    ['serve', '--space', file, '--port', '0', '--limit-ip', '0', '--no-welcome', ...UNLIMITED],
    env,
  )
  listen(child.stderr)
  context.leave(() => endProcess(child, 'SIGKILL'))
  const port = await portOf(child)
  const made = await commandOf(program, ['links', 'add', '--json', '--space', file, '--port', port])
  const { mcpUrl, restUrl } = JSON.parse(made) as { mcpUrl: string; restUrl: string }
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)))
  const end = async (signal?: NodeJS.Signals) => {
    await client.close().catch(() => {})
    await endProcess(child, signal)
  }
  return { name, client, restUrl, call, errors: () => output, end }
}

function killIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}

async function callTool(client: Client, name: string, args: object, key?: string): Promise<Reply> {
  const meta = key === undefined ? {} : { _meta: { 'scriptorium/idempotencyKey': key } }
  try {
    const { content, isError, structuredContent } = await client.callTool({
      name,
      arguments: { ...askForAll(name), ...args },
      ...meta,
    })
    const text = (content as { text?: string }[]).map(({ text = '' }) => text).join('\n')
    return { isRefused: isError === true, text, object: structuredContent }
  } catch (error) {
    return { isRefused: true, text: (error as Error).message, object: undefined }
  }
}

export const addDocument = (running: Running, title: string, markdown = ''): Promise<Reply> =>
  running.call('documents_add', { documents: [{ title, markdown }] })

/** Returns the titles of all documents in a space that no process has open, sorted. */
export async function titlesIn(context: ScenarioContext, file: string): Promise<string[]> {
  const running = await start('stdio', context, file)
  try {
    return await titlesOf(running)
  } finally {
    await running.end()
  }
}

/** @throws Error if the list is refused */
export async function titlesOf(running: Running): Promise<string[]> {
  const { isRefused, text } = await running.call('documents_list', { format: 'json' })
  if (isRefused) throw new Error(`Expected the documents, found ${text}`)
  return (JSON.parse(text).items as { title: string }[]).map(({ title }) => title).sort()
}

/** Creates a space with one document and closes it. @param text  the content of a file to add, if any */
export async function closedSpace(context: ScenarioContext, file: string, title: string, text?: string): Promise<void> {
  const running = await start('stdio', context, file)
  await addDocument(running, title)
  if (text !== undefined) await addFile(running, text)
  await running.end()
}

/** Adds a document with a file. @returns the ID of the file's block */
export async function addFile(running: Running, text: string): Promise<string> {
  const pageId = idIn((await addDocument(running, 'With a file')).text)
  const added = await running.call('files_add', { position: { position: 'end', pageId }, fileName: 'a.txt', text })
  if (added.isRefused) throw new Error(`Expected a file, found ${added.text}`)
  return idIn(added.text)
}

/** Returns the first ID in a response. */
export const idIn = (text: string): string => /\b[1-9]\d{11}\b/.exec(text)?.[0] ?? ''

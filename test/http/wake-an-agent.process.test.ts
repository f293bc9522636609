/** The program of docs/wake-an-agent.md answers comments, also those that were written while it was away. */
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { folder, root, start } from '../program.ts'
import { startServe } from './serve-process.ts'

const PAGE = readFileSync(join(root, 'docs/wake-an-agent.md'), 'utf8')
const codeOf = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? ''
const run = promisify(execFile)

// biome-ignore lint/suspicious/noExplicitAny: what is answered is looked at here
type Answer = any

async function served() {
  const path = folder()
  const space = join(path, 'space.sqlite')
  const program = inject('bundledProgram')
  const { restUrl, close } = await startServe(space, [], [], { script: program, cwd: path })
  onTestFinished(close)
  const send = async (line: string, body?: object): Promise<Answer> => {
    const [method = '', at = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(restUrl + at, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return response.json()
  }
  const { items } = await send('POST /documents', { documents: [{ title: 'Plan', markdown: 'call Ben' }] })
  const document = items[0].id
  const blockId = (await send(`GET /blocks?id=${document}`)).content[0].id
  const adding = ['links', 'add', '--space', space, '--port', new URL(restUrl).port, '--json', '--name', 'Agent']
  const { stdout } = await run(process.execPath, [program, ...adding, '--kind', 'selected', '--documents', document])
  return { ...{ path, send, document, blockId, restUrl }, mcpUrl: JSON.parse(stdout).mcpUrl }
}

test('each comment of somebody else is answered in its thread, also one from while the agent was away', async () => {
  const { path, send, document, blockId, mcpUrl } = await served()
  const program = { script: join(path, 'agent.ts'), cwd: path }
  writeFileSync(program.script, codeOf('ts'))
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  const env = { MCP_URL: mcpUrl, DOCUMENT: document, CURSOR_FILE: join(path, 'cursor.txt') }
  const comment = (content: string) => send('POST /comments', { comments: [{ blockId, content }] })
  const thread = async () => {
    const { metadata } = await send(`GET /blocks?id=${blockId}&fetchMetadata=true&maxDepth=0`)
    return metadata.comments.map(({ author, content }: Record<string, string>) => [author, content])
  }
  const first = start([], env, program)
  await first.until(/listening/)
  await comment('Today?')
  await first.until(/answered Owner/)
  await first.end()
  await comment('Or tomorrow?')
  const second = start([], env, program)
  await second.until(/answered Owner/)
  expect(await thread()).toEqual([
    ['Owner', 'Today?'],
    ['Agent', expect.stringMatching(/^Thank you, Owner\. I have read \d+ lines\.$/)],
    ['Owner', 'Or tomorrow?'],
    ['Agent', expect.stringMatching(/^Thank you, Owner\./)],
  ])
})

test('curl follows a document with a cursor', async () => {
  const { send, document, restUrl } = await served()
  const { cursor } = await send(`GET /events?name=document.changed&documentId=${document}&quietSeconds=0`)
  await send('POST /blocks', { markdown: 'more', position: { position: 'end', pageId: document } })
  const env = { ...process.env, REST_URL: restUrl, DOCUMENT: document, CURSOR: cursor }
  const { items } = JSON.parse((await run('sh', ['-c', codeOf('sh')], { env })).stdout)
  expect(items).toMatchObject([{ name: 'document.changed', data: { documentId: document, title: 'Plan' } }])
})

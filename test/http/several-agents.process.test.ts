/** The calls with curl of docs/several-agents.md. Its program is tested with the cookbook. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startServe } from '../http/serve-process.ts'
import { folder } from '../program.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/several-agents.md'), 'utf8')
const run = promisify(execFile)
/** The blocks for a shell: one makes a board, one claims a card and finishes it. */
const [BOARD = '', CALLS = ''] = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) => code)

async function serveBoard(titles: readonly string[]) {
  const path = folder()
  const { restUrl, close } = await startServe(join(path, 'space.sqlite'), [], [], {
    script: inject('bundledProgram'),
    cwd: path,
  })
  onTestFinished(close)
  const send = async (method: string, at: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(restUrl + at, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return (await response.json()) as never as { items: { id: string; properties: Record<string, string> }[] } & Record<
      string,
      string
    >
  }
  const { items: documents } = await send('POST', '/documents', { documents: [{ title: 'Board' }] })
  const board = await run('sh', ['-c', BOARD], {
    env: { ...process.env, REST_URL: restUrl, DOCUMENT: documents[0]?.id },
  })
  const { collectionBlockId: collection } = JSON.parse(board.stdout)
  const cards = titles.map((title) => ({ title, properties: { status: 'To do' } }))
  await send('POST', `/collections/${collection}/items`, { items: cards })
  return { send, env: { ...process.env, REST_URL: restUrl, COLLECTION: collection }, collection }
}

test('the calls with curl claim an item and finish it', async () => {
  const { env, send, collection } = await serveBoard(['One'])
  const [claim = '', finish = ''] = CALLS.split(/(?=curl -s -X PUT)/)
  const claimed = JSON.parse((await run('sh', ['-c', claim], { env })).stdout)
  const { id, fence } = claimed.items[0]
  await run('sh', ['-c', finish], { env: { ...env, ID: id, FENCE: String(fence) } })
  expect((await send('GET', `/collections/${collection}/items`)).items[0]).toMatchObject({
    properties: { status: 'Done' },
  })
})

/** The call with curl of docs/wake-an-agent.md. Its programs are tested with the examples. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { served } from '../examples/running.ts'
import { root } from '../program.ts'

const PAGE = readFileSync(join(root, 'docs/wake-an-agent.md'), 'utf8')
const [, CODE = ''] = /```sh\n([\s\S]*?)```/.exec(PAGE) ?? []
const run = promisify(execFile)

test('curl follows a document with a cursor', async () => {
  const { send, restUrl } = await served()
  const { items: documents } = await send('POST /documents', { documents: [{ title: 'Plan' }] })
  const document = documents[0].id
  const { cursor } = await send(`GET /events?name=document.changed&documentId=${document}&quietSeconds=0`)
  await send('POST /blocks', { markdown: 'more', position: { position: 'end', pageId: document } })
  const env = { ...process.env, REST_URL: restUrl, DOCUMENT: document, CURSOR: cursor }
  const { items } = JSON.parse((await run('sh', ['-c', CODE], { env })).stdout)
  expect(items).toMatchObject([{ name: 'document.changed', data: { documentId: document, title: 'Plan' } }])
})

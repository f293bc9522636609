/** The code with which the documentation verifies messages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMessage, messageHeaders, newSigningSecret } from '../../src/webhooks/webhook-message.ts'
import { root } from '../program.ts'

type Verify = (headers: Record<string, string>, body: string, secret: string, now?: number) => boolean

async function documented(): Promise<Verify> {
  const text = readFileSync(join(root, 'docs/changes.md'), 'utf8')
  const [, code = ''] = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(text) ?? []
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return module.isFromScriptorium
}

test('accepts what was signed, and rejects what was altered, is old, or belongs to another', async () => {
  const verify = await documented()
  const [secret, other] = [newSigningSecret(), newSigningSecret()]
  const message = createMessage('msg_1', 'call.committed', 0, { tool: 'blocks_add' })
  const now = Date.parse('2026-11-20T09:00:00Z')
  const headers = messageHeaders(message, { url: '', secret }, now)
  expect(verify(headers, message.body, secret, now + 1_000)).toBe(true)
  expect(verify(headers, message.body, secret, now + 301_000)).toBe(false)
  expect(verify(headers, message.body, other, now)).toBe(false)
  expect(verify(headers, `${message.body} `, secret, now)).toBe(false)
  expect(verify({ ...headers, 'webhook-id': 'msg_2' }, message.body, secret, now)).toBe(false)
  expect(verify({ ...headers, 'webhook-signature': 'v1,' }, message.body, secret, now)).toBe(false)
  expect(verify({}, message.body, secret, now)).toBe(false)
})

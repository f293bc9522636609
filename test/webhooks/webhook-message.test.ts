import { expect, test } from 'vitest'
import { createMessage, messageHeaders, messageId, newSigningSecret } from '../../src/webhooks/webhook-message.ts'
import { isSigned } from './receiver.ts'

test('a message is signed as the libraries of Standard Webhooks expect it', () => {
  // The example in their own tests.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
  expect(messageHeaders(message, { url: '', secret }, 1_614_265_330_000)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('secrets have 32 bytes, and are unique', () => {
  const secrets = Array.from({ length: 10 }, newSigningSecret)
  expect(new Set(secrets).size).toBe(10)
  for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
  const [secret = ''] = secrets
  const message = createMessage('msg_1', 'call.committed', 0, { tool: 'blocks_add' })
  expect(JSON.parse(message.body)).toEqual({
    type: 'call.committed',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: { tool: 'blocks_add' },
  })
  const headers = messageHeaders(message, { url: '', secret }, Date.now())
  expect(isSigned({ headers, body: message.body }, secret)).toBe(true)
  expect(isSigned({ headers, body: `${message.body} ` }, secret)).toBe(false)
})

test('the ID of a message is the same for the same event and webhook, and for no other', () => {
  const secret = '5'.repeat(64)
  const id = messageId(secret, 'wh_1', 'call.committed', '529310468871')
  expect(id).toMatch(/^msg_[\w-]{27}$/)
  expect(messageId(secret, 'wh_1', 'call.committed', '529310468871')).toBe(id)
  const others = [
    messageId(secret, 'wh_2', 'call.committed', '529310468871'),
    messageId(secret, 'wh_1', 'reminder.due', '529310468871'),
    messageId(secret, 'wh_1', 'call.committed', '529310468872'),
    messageId('6'.repeat(64), 'wh_1', 'call.committed', '529310468871'),
  ]
  expect(new Set([id, ...others]).size).toBe(5)
})

/** Where responses to clients may be sent, and what people see about it. */
import { describe, expect, test } from 'vitest'
import { nowInSeconds } from '../../../src/auth/issuer/oidc-adapter.ts'
import { parseRedirect } from '../../../src/auth/issuer/redirect-uris.ts'
import { REDIRECT_LENGTH } from '../../../src/base/limits.ts'
import { askAt } from '../../http/serving.ts'
import { CALLBACK } from '../resource-server/host.ts'
import { Browser } from './browser.ts'
import { plainHost } from './plain-host.ts'
import { serveIssuer } from './serving-issuer.ts'

const TAKEN: readonly [uri: string, target: string, source: string][] = [
  ['https://host.example/cb', 'host.example', 'https://host.example'],
  ['https://host.example:8443/cb?a=b', 'host.example:8443', 'https://host.example:8443'],
  ['https://HOST.example/cb', 'host.example', 'https://host.example'],
  ['https://bücher.example/cb', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ['https://[2606:4700::1111]/cb', '[2606:4700::1111]', 'https://[2606:4700::1111]'],
  ['https://localhost/cb', 'a program on your device (localhost)', 'https://localhost'],
  ['http://localhost:3000/cb', 'a program on your device (localhost:3000)', 'http://localhost:3000'],
  ['http://127.0.0.1/cb', 'a program on your device (127.0.0.1)', 'http://127.0.0.1'],
  ['http://127.1.2.3:80/cb', 'a program on your device (127.1.2.3)', 'http://127.1.2.3'],
  ['http://[::1]:9/cb', 'a program on your device ([::1]:9)', 'http://[::1]:9'],
  ['com.example.app:/cb', 'a program on your device (com.example.app:)', 'com.example.app:'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'a program on your device (cursor:)', 'cursor:'],
  ['com.example.app://cb', 'a program on your device (com.example.app:)', 'com.example.app:'],
]

const REFUSED = [
  'http://evil.example/cb',
  'http://localhost.evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.0.0.1@evil.example/cb',
  'http://[::2]/cb',
  'http://0.0.0.0/cb',
  'https://user@host.example/cb',
  'https://host.example/cb#x',
  "https://a;script-src'none'/cb",
  'https://a,b.example/cb',
  'https://*/cb',
  "https://'self'/cb",
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:https://host.example/x',
  'about:blank',
  'ws://host.example/',
  'ftp://host.example/',
  'editor://host/cb',
  'cursors://host/cb',
  'urn:ietf:wg:oauth:2.0:oob',
  '.example:/cb',
  'cb',
  '',
  `https://host.example/${'a'.repeat(REDIRECT_LENGTH)}`,
]

test.each(TAKEN)('%s is accepted', (uri, target, source) => {
  expect(parseRedirect(uri)).toEqual({ target, source })
})

test.each(REFUSED)('%j is rejected', (uri) => {
  expect(parseRedirect(uri)).toBeUndefined()
})

describe('a client that registers', () => {
  const registered = async (metadata: object) => {
    const { issuer } = await serveIssuer()
    return askAt(issuer)('POST /reg', metadata)
  }

  test.each(['web', 'native', undefined])(
    'as %s with only a foreign http address is rejected, and the error lists what is accepted',
    async (type) => {
      const { status, json } = await registered({ redirect_uris: ['http://evil.example/cb'], application_type: type })
      expect([status, json]).toEqual([
        400,
        {
          error: 'invalid_redirect_uri',
          error_description:
            'redirect_uris must have https, or http at a loopback address, or a private-use scheme that is a reversed domain name (RFC 8252)',
        },
      ])
    },
  )

  test('with several addresses keeps the valid ones', async () => {
    const all = ['editor://host/cb', 'https://host.example/cb', 'http://localhost:8787/cb', 'javascript:alert(1)']
    const { status, json } = await registered({ redirect_uris: all })
    expect([status, json.redirect_uris]).toEqual([201, ['https://host.example/cb', 'http://localhost:8787/cb']])
  })

  test.each([{ redirect_uris: 'x' }, { redirect_uris: [1] }, { redirect_uris: [] }, { redirect_uris: { a: 1 } }, {}])(
    'with %j is rejected',
    async (metadata) => {
      expect(await registered(metadata)).toMatchObject({ status: 400 })
    },
  )
})

test('a client that registered a different address before is no longer admitted', async () => {
  const { mcp, signIns } = await serveIssuer()
  const host = await plainHost(mcp)
  const kept = (await signIns.find('Client', host.clientId, nowInSeconds()))?.payload
  const uri = 'http://evil.example/cb'
  await signIns.save('Client', host.clientId, { ...kept, redirect_uris: [uri], application_type: 'web' }, undefined, 0)
  const { status, headers } = await new Browser().open(host.authorization({ redirect_uri: uri }))
  expect([status, headers.get('location')]).toEqual([400, null])
})

test.each(TAKEN)('the page for %s shows where the response will be sent', async (uri, target, source) => {
  const { mcp } = await serveIssuer()
  const { html, headers } = await new Browser().open((await plainHost(mcp, { redirect_uris: [uri] })).authorization())
  expect(html).toContain(`<dt>Answer goes to</dt><dd>${target}</dd>`)
  expect(headers.get('content-security-policy')?.split('; ').at(-1)).toBe(`form-action 'self' ${source}`)
})

test('the page shows the client name shortened, on one line', async () => {
  const { mcp } = await serveIssuer()
  const name = `Good\u202e\nAnswer goes to: ${'x'.repeat(1_000)}`
  const { html } = await new Browser().open(
    (await plainHost(mcp, { client_name: name, redirect_uris: [CALLBACK] })).authorization(),
  )
  expect(html).toContain(`<p>Good Answer goes to: ${'x'.repeat(79)} asks to be let`)
})

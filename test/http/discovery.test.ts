/** What clients discover that look for a sign-in on a server without one. */
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { rawRequest, serveBuilt } from './serving.ts'

const provider: OAuthClientProvider = {
  redirectUrl: 'http://127.0.0.1/callback',
  clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
  clientInformation: () => undefined,
  saveClientInformation: () => {},
  tokens: () => undefined,
  saveTokens: () => {},
  redirectToAuthorization: () => {},
  saveCodeVerifier: () => {},
  codeVerifier: () => '',
}

test.each([
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/links/x/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/x/y',
])('without sign-in %s is not found', async (path) => {
  const { server } = await serveBuilt()
  const { status, text } = await rawRequest(`${server.origin}${path}`, {})
  expect([status, JSON.parse(text)]).toEqual([
    404,
    {
      error:
        'Expected an address with metadata of sign-in, found one that has none; connect with an access link, or to a space of a server with sign-in.',
      code: 'NOT_FOUND_ERROR',
    },
  ])
})

test('a client with an invalid link is rejected, and finds no sign-in', async () => {
  const { server } = await serveBuilt()
  const client = new Client({ name: 'tester', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${server.origin}/links/invalid/mcp`), {
    authProvider: provider,
  })
  const error = await client.connect(transport).catch((one: unknown) => one)
  expect(String(error)).toBe(
    'RegistrationRejectedError: Dynamic Client Registration rejected (HTTP 401): {"error":"Expected the address of a link, or its ID and its secret as Authorization: Bearer, found an invalid, revoked or expired one; ask the person who made the link for another.","code":"INVALID_AUTH_HEADER"}',
  )
})

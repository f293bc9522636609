/** Sign-in with the installed package: at its own issuer, and at one that it trusts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { addPeople } from '../auth/issuer/serving-issuer.ts'
import { signInScenarios } from '../auth/issuer/sign-in-scenarios.ts'
import { Host, signIn } from '../auth/resource-server/host.ts'
import { identityProvider } from '../auth/resource-server/identity-provider.ts'
import { callTool } from '../http/serving.ts'
import { installedProgram } from '../support/installed-package.ts'
import { type SpawnedServer, spawnServer } from '../support/spawned-server.ts'

let server: SpawnedServer

beforeAll(async () => {
  server = await spawnServer(await installedProgram(), 13, '--oauth')
}, 300_000)
afterAll(() => server?.close())

signInScenarios(async () => {
  const spawned = await server.freshSpace()
  await addPeople(spawned.space)
  return spawned
})

test('the issuer publishes its metadata and keys, and returns 404 for the rest', async () => {
  const { ask, issuer } = await server.freshSpace()
  const { pathname } = new URL(issuer)
  const { json: metadata } = await ask(`GET /.well-known/oauth-authorization-server${pathname}`)
  expect(metadata).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] })
  const keys = await ask(`GET ${new URL(metadata.jwks_uri).pathname}`)
  expect([keys.status, JSON.parse(keys.text).keys]).toMatchObject([200, [{ alg: 'ES256', kty: 'EC' }]])
  expect((await fetch(`${issuer}/nothing`)).status).toBe(404)
  expect(server.errors()).not.toMatch(/TypeError|is not a constructor/)
})

test('an external issuer is trusted, and its users can work', async () => {
  const provider = await identityProvider(Date.now)
  const trusting = await spawnServer(await installedProgram(), 1, '--oauth-issuer', provider.issuer)
  try {
    const { mcp, space } = await trusting.freshSpace()
    const identity = { issuer: provider.issuer, subject: 'anna' }
    await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna', { identity }))
    const client = await signIn(mcp, new Host(), '2026')
    expect(await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })).toMatchObject({ isRefused: false })
    await client.close()
  } finally {
    await trusting.close()
  }
})

/** Sign-in at the embedded issuer, within this process. */
import { expect, test, vi } from 'vitest'
import { listAccessLinkInfos } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { callTool } from '../../http/serving.ts'
import { Host, signIn, signInOfV1 } from '../resource-server/host.ts'
import { person, serveIssuer } from './serving-issuer.ts'
import { signInScenarios } from './sign-in-scenarios.ts'

signInScenarios(() => serveIssuer())

test.each(['2025', '2026'] as const)(
  'a host with a client of %s refreshes its expired token and gets a new one',
  async (era) => {
    const { mcp } = await serveIssuer()
    const host = new Host(person())
    const client = await signIn(mcp, host, era)
    const before = host.kept
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    try {
      expect(await callTool(client, 'documents_list')).toMatchObject({ isRefused: false })
    } finally {
      vi.useRealTimers()
    }
    expect(host.kept?.access_token).not.toBe(before?.access_token)
    expect(host.kept?.refresh_token).not.toBe(before?.refresh_token)
    expect(host.sent).toHaveLength(1)
  },
)

test('a host may request all scopes at first', async () => {
  const { mcp, space } = await serveIssuer({ first: 'full' })
  await signInOfV1(mcp, new Host(person()))
  expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([
    { access: 'full', name: 'Host, signed in' },
  ])
})

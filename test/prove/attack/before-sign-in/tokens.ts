/** Tokens of an identity provider whose claims say more than they may. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose'
import type { Attack } from '../attack.ts'
import type { AttackedServer } from '../server.ts'
import { signInUrl } from '../sign-in.ts'
import type { World } from '../world.ts'

const SUBJECT = 'anna'
const ALGORITHM = 'ES256'

/** A provider on this machine. It signs whatever it is given, as one whose users choose their claims does. */
interface Provider {
  issuer: string
  privateKey: CryptoKey
}

async function startProvider(): Promise<Provider> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: ALGORITHM }]
  const server = createServer(({ url }, response) => {
    const body = url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, privateKey }
}

interface Entry {
  server: AttackedServer
  /** The ID of a link that belongs to someone else. */
  link: string
  /** The status of a call with a token of these claims, given as JSON. */
  statusOf(claims: string): Promise<number>
  /** Valid claims. */
  claims: Record<string, unknown>
}

async function enterBy(world: World): Promise<Entry> {
  const { issuer, privateKey } = await startProvider()
  const server = await world.serve({ flags: ['--oauth-issuer', issuer] })
  await server.command(['participants', 'add', 'Anna', '--subject', SUBJECT, '--oauth-issuer', issuer])
  const { id: link } = await server.link({ participant: 'Owner' })
  const audience = await signInUrl(server)
  const now = Math.floor(Date.now() / 1000)
  const base = new URL(audience.replace(/\/mcp$/, '/api/v1')).pathname
  return {
    server,
    link,
    claims: { iss: issuer, sub: SUBJECT, aud: audience, iat: now, exp: now + 600, scope: 'space:read' },
    async statusOf(claims) {
      const token = await new CompactSign(new TextEncoder().encode(claims))
        .setProtectedHeader({ alg: ALGORITHM, kid: 'one', typ: 'at+jwt' })
        .sign(privateKey)
      const { status } = await server.ask(`GET ${base}/connection`, undefined, { authorization: `Bearer ${token}` })
      return status
    },
  }
}

const HOUR = 3600

/** How each token differs from a valid one. */
const TOKENS: Readonly<Record<string, (entry: Entry) => string>> = {
  'that is issued in an hour': ({ claims }) => JSON.stringify({ ...claims, iat: Number(claims.iat) + HOUR }),
  'whose scope is a list': ({ claims }) => JSON.stringify({ ...claims, scope: ['space:read', 'space:delete'] }),
  'whose end is no date': ({ claims }) => JSON.stringify({ ...claims, exp: 0 }).replace('"exp":0', '"exp":1e999'),
  "of a stranger that names another person's link": ({ claims, link }) =>
    JSON.stringify({ ...claims, sub: 'stranger', scriptorium_link: link }),
}

export const tokens: readonly Attack[] = Object.entries(TOKENS).map(([which, claimsOf]) => ({
  finding: 19,
  name: `a token ${which}`,
  async attempt(world) {
    const entry = await enterBy(world)
    const valid = await entry.statusOf(JSON.stringify(entry.claims))
    if (valid !== 200) throw new Error(`Expected an answer to a valid token, found ${valid}.`)
    const status = await entry.statusOf(claimsOf(entry))
    return status === 200 ? [`a token ${which} was accepted`] : []
  },
}))

export const webhooks: Attack = {
  finding: 19,
  name: 'webhooks in private networks, which are never sent',
  async attempt(world) {
    const server = await world.shared()
    const faults: string[] = []
    for (const address of ['https://10.0.0.1/', 'https://localhost/', 'http://192.0.43.8/', 'https://[fd00::1]/']) {
      const isMade = await server.command(['links', 'add', '--webhook', address]).then(
        () => true,
        () => false,
      )
      if (isMade) faults.push(`a webhook to ${address} was made`)
    }
    return faults
  },
}

/** Clients that describe themselves by a metadata document, and where such a document may be. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listAccessLinkInfos } from '../../../src/auth/access-links/access-links.ts'
import { isPublicAddress } from '../../../src/base/public-addresses.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { makeCertificate } from '../../certificate.ts'
import { callTool } from '../../http/serving.ts'
import { CALLBACK, Host, signIn } from '../resource-server/host.ts'
import { Browser } from './browser.ts'
import { plainHost } from './plain-host.ts'
import { person, serveIssuer } from './serving-issuer.ts'

type Answer = (
  about: object,
) => { status?: number; body?: string | Buffer; headers?: Record<string, string> } | undefined

/** A document at an https address on this machine. Without a response it is never sent. */
async function documentAt(answer: Answer = (about) => ({ body: JSON.stringify(about) })) {
  const { cert, key } = makeCertificate()
  let requests = 0
  const server = createServer({ cert, key }, (_, response) => {
    requests++
    const result = answer({ client_id: url, client_name: 'Documented', redirect_uris: [CALLBACK] })
    if (result === undefined) return
    const { status = 200, body = '', headers = {} } = result
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => void server.close(() => resolve()))
  })
  const url = `https://localhost:${(server.address() as AddressInfo).port}/client.json`
  return { url, ca: Buffer.from(cert), requestCount: () => requests }
}

const near = (ca: Buffer) => ({ documents: { ca, isPublic: (address: string) => /^(127\.|::1$)/.test(address) } })

describe.each(['2025', '2026'] as const)('a host with a client of %s that has a metadata document', (era) => {
  test('signs in without registering, and is identified by its URL', async () => {
    const { url, ca } = await documentAt()
    const { mcp, space } = await serveIssuer(near(ca))
    const host = new Host(person(), url)
    const client = await signIn(mcp, host, era)
    expect(await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })).toMatchObject({ isRefused: false })
    expect(host.sent[0]?.searchParams.get('client_id')).toBe(url)
    expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([{ name: 'Documented, signed in' }])
  })
})

const UPGRADE = { connection: 'upgrade', upgrade: 'other' }

describe('a metadata document', () => {
  const openedAs = async (clientId: string, options: Parameters<typeof serveIssuer>[0] = {}) => {
    const host = await plainHost((await serveIssuer(options)).mcp)
    const { status, html, headers } = await new Browser().open(host.authorization({ client_id: clientId }))
    return { status, isRefused: html.includes('This sign-in cannot go on'), location: headers.get('location') }
  }
  const refused = { status: 400, isRefused: true, location: null }

  test('on this machine is not fetched', async () => {
    const { url, ca, requestCount: requests } = await documentAt()
    expect(await openedAs(url, { documents: { ca } })).toEqual(refused)
    expect(await openedAs(url.replace('localhost', '127.0.0.1'), { documents: { ca } })).toEqual(refused)
    expect(requests()).toBe(0)
  })

  test.each([
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
    'http://host.example/client.json',
  ])('at %s is not fetched', async (url) => {
    expect(await openedAs(url)).toEqual({
      ...refused,
      status: expect.toSatisfy((status) => [400, 401].includes(status)),
    })
  })

  const WRONG: readonly [what: string, answer: Answer][] = [
    ['of another program', (about) => ({ body: JSON.stringify({ ...about, client_id: 'https://other.example/' }) })],
    ['that is no JSON', () => ({ body: '<html>' })],
    ['that is a list', () => ({ body: '[]' })],
    ['with a secret', (about) => ({ body: JSON.stringify({ ...about, client_secret: 'x' }) })],
    ['that is too long', (about) => ({ body: JSON.stringify({ ...about, padding: 'x'.repeat(20_000) }) })],
    ['that is elsewhere', () => ({ status: 302, headers: { location: 'https://127.0.0.1/' } })],
    ['that is not there', () => ({ status: 404 })],
    ['with a status that does not exist', () => ({ status: 999 })],
    ['that is cut off', () => ({ body: '{', headers: { 'content-length': '20' } })],
    ['that never comes', () => undefined],
    ['in whose place another protocol is spoken', () => ({ status: 101, headers: UPGRADE })],
  ]

  test.each(WRONG)('%s is rejected', async (_, answer) => {
    // No test waits here as long as the program does.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const spied = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => timeout(milliseconds / 50))
    onTestFinished(() => spied.mockRestore())
    const { url, ca } = await documentAt(answer)
    expect(await openedAs(url, near(ca))).toMatchObject({ isRefused: true, location: null })
  })
})

test('public network addresses are distinguished from all others', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450::1']) {
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  }
  for (const address of [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.0.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      'fc00::1',
      'fe80::1',
      'ff02::1',
      '2001:db8::1',
      '2002:a00:1::',
    ],
  ]) {
    expect([address, isPublicAddress(address)]).toEqual([address, false])
  }
})

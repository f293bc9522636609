/** A sign-in at a server: a program that asks for access, and a browser without scripts. */
import { Browser, type Seen } from '../../auth/issuer/browser.ts'
import { type PlainHost, plainHost, type Tokens } from '../../auth/issuer/plain-host.ts'
import { type AttackedServer, type LinkOptions, type MadeLink, OWNER } from './server.ts'

const SCOPES = {
  read: 'space:read',
  'no-delete': 'space:read space:write',
  full: 'space:read space:write space:delete',
} as const

/** Returns the address of the space for clients that sign in. */
export async function signInUrl({ full }: AttackedServer): Promise<string> {
  // The secret of a link begins with the key of its space.
  const [, base = '', secret = ''] = /^(.*)\/links\/([^/]*)/.exec(full.mcpUrl) ?? []
  return `${base}/spaces/${secret.slice(0, KEY_LENGTH)}/mcp`
}

const KEY_LENGTH = 10

/** Registers a program. @param about  its client metadata */
export async function program(server: AttackedServer, about: object = {}): Promise<PlainHost> {
  return plainHost(await signInUrl(server), about)
}

/** A browser at the sign-in page. @param from  the client's address as the proxy forwards it */
export class Visitor {
  readonly browser: Browser

  private constructor(browser: Browser) {
    this.browser = browser
  }

  static async open(host: PlainHost, from?: string): Promise<Visitor> {
    const browser = new Browser(from === undefined ? {} : { 'x-forwarded-for': from })
    const { status, html } = await browser.open(host.authorization({ scope: SCOPES.full }))
    if (!html.includes('name="password"')) throw new Error(`Expected a page for a password, found ${status}: ${html}`)
    return new Visitor(browser)
  }

  /** Tries a password and returns the status of the response: 200 for the next page. */
  async try(name: string, password: string): Promise<number> {
    return (await this.send({ name, password })).status
  }

  /** Submits the form without following to the next page, so that it can be submitted again. */
  send({ name, password }: { name: string; password: string }): Promise<Seen> {
    return this.browser.submit({ name, password, do: 'sign-in' })
  }
}

/** Returns the tokens of a connection that the owner granted. */
export async function tokensFor(
  host: PlainHost,
  { kind = 'full', access = 'full', documents = [] }: LinkOptions = {},
): Promise<Tokens> {
  const { browser } = await Visitor.open(host)
  await browser.submit({ ...OWNER, do: 'sign-in' })
  const { url, html } = await browser.submit({ kind, access, document: documents, do: 'allow' })
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`Expected a code, found ${url}: ${html}`)
  return host.token(code)
}

/** Returns a connection that the owner granted, in the form of an access link. */
export async function signedIn(server: AttackedServer, options: LinkOptions = {}): Promise<MadeLink> {
  const mcpUrl = await signInUrl(server)
  const { access_token: token = '' } = await tokensFor(await program(server), options)
  const [, payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const id = Object.values(claims).find((one) => typeof one === 'string' && LINK_ID.test(one))
  const headers = { authorization: `Bearer ${token}` }
  return { id: String(id), mcpUrl, restUrl: mcpUrl.replace(/\/mcp$/, '/api/v1'), headers }
}

const LINK_ID = /^[0-9a-f]{22}$/

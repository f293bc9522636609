/** Somebody at the sign-in of a server: a program that wants to be let in, and a browser without scripts. */
import { Browser, type Seen } from '../../auth/issuer/browser.ts'
import { type PlainHost, plainHost, type Tokens } from '../../auth/issuer/plain-host.ts'
import { type AttackedServer, type LinkAsked, type MadeLink, OWNER } from './server.ts'

const SCOPES = {
  read: 'space:read',
  'no-delete': 'space:read space:write',
  full: 'space:read space:write space:delete',
} as const

/** The address of the space for those who sign in. */
export async function signInUrl({ full }: AttackedServer): Promise<string> {
  // Secrets of links begin with the key of their space.
  const [, base = '', secret = ''] = /^(.*)\/links\/([^/]*)/.exec(full.mcpUrl) ?? []
  return `${base}/spaces/${secret.slice(0, KEY_LENGTH)}/mcp`
}

const KEY_LENGTH = 10

/** A program that registered. @param about  what it says of itself */
export async function program(server: AttackedServer, about: object = {}): Promise<PlainHost> {
  return plainHost(await signInUrl(server), about)
}

/** A browser at the page that asks for name and password. @param from  what a proxy says where it comes from */
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

  /** Tries a password; the status of the answer, 200 for the next page. */
  async try(name: string, password: string): Promise<number> {
    return (await this.send({ name, password })).status
  }

  /** Sends the form without leaving the page: it can be sent again. */
  send({ name, password }: { name: string; password: string }): Promise<Seen> {
    return this.browser.submit({ name, password, do: 'sign-in' })
  }
}

/** Tokens of a connection that the owner let in. */
export async function tokensFor(
  host: PlainHost,
  { kind = 'full', access = 'full', documents = [] }: LinkAsked = {},
): Promise<Tokens> {
  const { browser } = await Visitor.open(host)
  await browser.submit({ ...OWNER, do: 'sign-in' })
  const { url, html } = await browser.submit({ kind, access, document: documents, do: 'allow' })
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`Expected a code, found ${url}: ${html}`)
  return host.token(code)
}

/** A connection that the owner let in, as a link. */
export async function signedIn(server: AttackedServer, asked: LinkAsked = {}): Promise<MadeLink> {
  const mcpUrl = await signInUrl(server)
  const { access_token: token = '' } = await tokensFor(await program(server), asked)
  const [, payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const id = Object.values(claims).find((one) => typeof one === 'string' && LINK_ID.test(one))
  const headers = { authorization: `Bearer ${token}` }
  return { id: String(id), mcpUrl, restUrl: mcpUrl.replace(/\/mcp$/, '/api/v1'), headers }
}

const LINK_ID = /^[0-9a-f]{22}$/

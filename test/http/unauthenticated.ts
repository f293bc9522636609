/** What anyone can send to a server with a sign-in, without a credential: every route, with hostile bodies. */
import { request as httpRequest } from 'node:http'
import { Browser } from '../auth/issuer/browser.ts'
import { plainHost } from '../auth/issuer/plain-host.ts'
import { type ServingIssuer, serveIssuer } from '../auth/issuer/serving-issuer.ts'

/** Each route of `src/http/app.ts`, with examples of paths that match it. */
export const ROUTES: Record<string, (key: string) => readonly string[]> = {
  '/': () => ['/'],
  '/health': () => ['/health'],
  '/ready': () => ['/ready'],
  '/links/:address/calendar.ics': () => ['/links/x/calendar.ics'],
  '/links/:address/mcp': () => ['/links/x/mcp'],
  '/links/:address/api/v1/*': () => ['/links/x/api/v1/documents'],
  '/spaces/:space/mcp': (key) => [`/spaces/${key}/mcp`, '/spaces/0123456789/mcp'],
  '/spaces/:space/api/v1/*': (key) => [`/spaces/${key}/api/v1/documents`],
  '/.well-known/oauth-protected-resource/*': (key) => [`/.well-known/oauth-protected-resource/spaces/${key}/mcp`],
  '/spaces/:space/oauth/*': (key) =>
    ['auth', 'auth/x', 'token', 'token/revocation', 'reg', 'reg/x', 'jwks', 'session/end/confirm', 'interaction/x', 'x']
      .map((path) => `/spaces/${key}/oauth/${path}`)
      .concat('/spaces/0123456789/oauth/token'),
  '/.well-known/oauth-authorization-server/*': (key) => [`/.well-known/oauth-authorization-server/spaces/${key}/oauth`],
  '/.well-known/openid-configuration/*': (key) => [`/.well-known/openid-configuration/spaces/${key}/oauth`],
  '/.well-known/*': () => ['/.well-known/x', '/.well-known/openid-configuration'],
  '/files/:token/:name?': () => ['/files/x/y'],
  '/uploads/:token': () => ['/uploads/x'],
  '/links/:address/view': () => ['/links/x/view'],
  '/enter/:token': () => ['/enter/x'],
  '/open': () => ['/open?spaceId=x&documentId=y'],
  '/d/:space/:id': () => ['/d/x/y'],
  '/page/:file': () => ['/page/x'],
  '/view/:key/manifest.webmanifest': (key) => [
    `/view/${key}/manifest.webmanifest`,
    '/view/0123456789/manifest.webmanifest',
  ],
  '/view/:key/offline-worker.js': (key) => [`/view/${key}/offline-worker.js`, '/view/0123456789/offline-worker.js'],
  '/view/:key/sign-in': (key) => [`/view/${key}/sign-in`, '/view/0123456789/sign-in'],
  '/view/:key/enter': (key) => [`/view/${key}/enter`, `/view/${key}/enter?page=//elsewhere`],
  '/signed-in': () => ['/signed-in?code=x&state=y'],
  '/view/:key': (key) => [`/view/${key}`],
  '/view/:key/*': (key) => [`/view/${key}/undo`, `/view/${key}/sign-out`, '/view/0123456789/'],
}

export interface Hostile {
  name: string
  type: string
  /** Returns a body of the given number of bytes, or slightly fewer. */
  body(bytes: number): string
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const repeated = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))

/** @param parameters  fields that make the server process the form, if there are any */
export const hostileBodies = (parameters = ''): readonly Hostile[] => [
  { name: 'fields without values', type: FORM, body: (bytes) => `${parameters}${repeated('a&', bytes - 2_000)}` },
  { name: 'signs to be decoded', type: FORM, body: (bytes) => `${parameters}name=${repeated('%', bytes - 2_000)}` },
  {
    name: 'characters that become many',
    type: FORM,
    body: (bytes) => {
      const half = repeated('\ufdfa', (bytes - 2_000) / 2)
      return `${parameters}name=${half}&password=${half}`
    },
  },
  { name: 'fields of one name', type: FORM, body: (bytes) => `${parameters}${repeated('document=a&', bytes - 2_000)}` },
  { name: 'arrays in each other', type: JSON_TYPE, body: (bytes) => repeated('[', bytes) },
  { name: 'values', type: JSON_TYPE, body: (bytes) => `{"redirect_uris":[${repeated('"http://a",', bytes - 100)}1]}` },
  {
    name: 'addresses of mail',
    type: JSON_TYPE,
    body: (bytes) => `{"redirect_uris":["https://a.example/"],"contacts":["a@${repeated('a', bytes - 100)}!"]}`,
  },
]

export interface Sending {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends a raw request and reads its response. Closing the connection counts as a response, too. */
export function send(origin: string, path: string, { method = 'GET', headers = {}, body = '' }: Sending = {}) {
  return new Promise<{ status: number; text: string }>((resolve) => {
    const sent = httpRequest(`${origin}${path}`, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('close', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.once('error', () => resolve({ status: 0, text: '' }))
    sent.end(body)
  })
}

/** Opens the sign-in page as anyone can. Returns its path, its cookies, and the token that makes its form valid. */
export async function openPage(serving: ServingIssuer) {
  const browser = new Browser()
  const { url } = await browser.open((await plainHost(serving.mcp)).authorization())
  return { path: url.pathname, cookie: browser.cookieFor(url), token: browser.hidden('token') }
}

export { serveIssuer }

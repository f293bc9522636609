/**
 * What a browser sees at addresses that are made for programs: the server's own, that of a link, and those of MCP. It
 * says what they are for, and where a person goes.
 */

import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { html, raw } from 'hono/html'
import { STYLE, STYLE_SOURCE } from '../auth/issuer/page-style.ts'
import type { Env } from './request-lifecycle.ts'

/** The page, if a browser asks; undefined for programs. @param isMissing  true if there is nothing at the address */
export async function landingPage(context: Context<Env>, isMissing = false): Promise<Response | undefined> {
  const { req } = context
  const type = accepts(context, { header: 'Accept', supports: ['application/json', 'text/html'], default: '' })
  if ((req.method !== 'GET' && req.method !== 'HEAD') || type !== 'text/html') return undefined
  const address = req.param('address')
  const view = req.path.endsWith('/mcp') ? 'view' : `${encodeURIComponent(address ?? '')}/view`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Scriptorium</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${isMissing ? 'Nothing here' : 'Scriptorium'}</h1>
${isMissing ? html`<p>There is nothing at this address.</p>` : ''}
<p>This server keeps documents that people and AI agents share.</p>
${address === undefined ? SERVER : linkPart(view, BEARER_ADDRESS.test(address))}
</main>
</body>
</html>`
  return new Response(req.method === 'HEAD' ? null : String(await page), {
    status: isMissing ? 404 : 200,
    headers: HEADERS,
  })
}

const SERVER = html`<p>To read and write in your browser, open the address of your link and add <code>/view</code>, or ask
the person who runs the server for one. If you sign in with a name and a password, ask for the address of the pages,
which contains <code>/view/</code>. To connect a program, give it the address of a link that ends in
<code>/mcp</code>.</p>`

/** The address of a link whose secret is sent as a header, which a browser cannot do. */
const BEARER_ADDRESS = /^[0-9a-f]{22}$/

/** @param view  the relative address of the pages */
const linkPart = (
  view: string,
  isBearer: boolean,
) => html`<p>This is the address of a link for a program. Everyone who has it
can use it, so do not pass it on.</p>
${isBearer ? '' : html`<p><a href="${view}">Open the documents in this browser</a></p>`}
<p>To connect a program, give it the address that ends in <code>/mcp</code>.</p>`

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_SOURCE}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** The pages on which people sign in and consent. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type PlainHost, plainHost } from '../../auth/issuer/plain-host.ts'
import { type ServeProcess, startServe } from '../../http/serve-process.ts'
import type { ProofContext, ProofResult } from '../proof.ts'
import { enter, examine, saveScreenshot, THEMES, type Theme, tabTo, WIDTHS } from './browser.ts'

const PASSWORD = 'correct horse battery'

/**
 * @param spoil  a script with a planted fault, to run in the first page before it is examined; nothing else is done
 * then
 */
export async function signIn(browser: Browser, { folder, log }: ProofContext, spoil?: string): Promise<ProofResult> {
  const space = join(folder, 'sign-in.sqlite')
  const server = await startServe(space, ['--oauth', '--limit-ip', '0', '--limit-requests', '0'])
  const faults: string[] = []
  const figures = { 'signed in': 0, 'pages of sign-in': 0, 'rules passed': 0 }
  try {
    const [wanted] = await addDocuments(server, ['Garden plan', 'Diary', 'Taxes <b>2026</b>'])
    const added = JSON.parse(await participantsAdd(space, 'Anna')) as { mcpPath: string }
    const mcp = `${new URL(server.mcpUrl).origin}${added.mcpPath}`
    for (const [name, viewport] of Object.entries(WIDTHS)) {
      for (const colorScheme of THEMES) {
        const captured = await captureSignIn(browser, mcp, { viewport, colorScheme }, `${name}-${colorScheme}`, spoil)
        figures['pages of sign-in'] += captured.pages
        figures['rules passed'] += captured.passed
        faults.push(...captured.faults.map((fault) => `${name}, ${colorScheme}: ${fault}`))
      }
      if (spoil !== undefined) break
      faults.push(...(await byKeyboard(browser, mcp, viewport, wanted ?? '')).map((fault) => `${name}: ${fault}`))
      figures['signed in'] += 1
    }
    log('people signed in')
    return { figures, faults }
  } finally {
    await server.close()
  }
}

/** Examines each page. The examiner needs scripts, but the pages have none of their own. */
async function captureSignIn(
  browser: Browser,
  mcp: string,
  options: { viewport: { width: number; height: number }; colorScheme: Theme },
  shots: string,
  spoil: string | undefined,
): Promise<{ pages: number; passed: number; faults: string[] }> {
  const context = await browser.newContext({ ...options, bypassCSP: true })
  const host = await openHost(mcp)
  const page = await context.newPage()
  const faults: string[] = []
  let passed = 0
  let pages = 0
  const capture = async (name: string) => {
    if (spoil !== undefined) await page.evaluate(spoil)
    if (spoil === undefined) await saveScreenshot(page, shots, name)
    const found = await examine(page, options.colorScheme)
    pages++
    passed += found.passed
    faults.push(...found.faults.map((fault) => `${name}: ${fault}`))
  }
  try {
    await page.goto(host.authorization().href)
    await capture('sign-in')
    if (spoil !== undefined) return { pages, passed, faults }
    await page.fill('#name', 'Anna')
    await page.fill('#password', 'wrong password')
    await page.click('button[value=sign-in]')
    await capture('wrong-password')
    await page.fill('#password', PASSWORD)
    await page.click('button[value=sign-in]')
    await capture('consent')
    await page.check('#selected')
    await capture('consent-selected')
    await page.click('button[value=allow]')
    await capture('nothing-selected')
    await page.goto(host.authorization({ client_id: 'nobody' }).href)
    await capture('refused')
    return { pages, passed, faults }
  } finally {
    host.close()
    await context.close()
  }
}

/** Signs in from the first page to a token, without scripts and without a mouse. */
async function byKeyboard(
  browser: Browser,
  mcp: string,
  viewport: { width: number; height: number },
  wanted: string,
): Promise<string[]> {
  const context = await browser.newContext({ viewport, javaScriptEnabled: false })
  const host = await openHost(mcp)
  try {
    const page = await context.newPage()
    const { keyboard } = page
    await page.goto(host.authorization().href)
    // The name field gets the focus automatically.
    await page.locator('#name:focus').waitFor()
    await keyboard.type('Anna')
    await keyboard.press('Tab')
    await keyboard.type(PASSWORD)
    await enter(page)
    await tabTo(page, '#kind-full')
    await keyboard.press('ArrowDown')
    await tabTo(page, '#search')
    await keyboard.type('garden')
    await enter(page)
    // The page lists short IDs, which are the last twelve digits of the long ones that REST returns.
    await tabTo(page, `input[value="${wanted.slice(-12)}"]`)
    await keyboard.press('Space')
    await tabTo(page, '#no-delete')
    await keyboard.press('ArrowDown')
    await tabTo(page, 'button[value=allow]')
    await keyboard.press('Enter')
    const back = await host.back
    const { access_token: token = '' } = await host.token(back.get('code') ?? '')
    return await reached(mcp.replace(/\/mcp$/, '/api/v1'), token, wanted)
  } finally {
    host.close()
    await context.close()
  }
}

interface Host extends PlainHost {
  /** The parameters of the redirect back to the program, once there was one. */
  back: Promise<URLSearchParams>
  close(): void
}

async function openHost(mcp: string): Promise<Host> {
  const { promise: back, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    if (url.pathname === '/callback') resolve(url.searchParams)
    response.end('Back in the program.')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { ...(await plainHost(mcp, { client_name: 'Notes Companion', redirect_uris: [redirect] })), back, close }
}

/** Checks that the token has the access that was chosen: to read a single document. */
async function reached(rest: string, token: string, wanted: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const listed = (await (await fetch(`${rest}/documents`, { headers })).json()) as { items: { id: string }[] }
  const ids = listed.items.map(({ id }) => id)
  const writing = await fetch(`${rest}/blocks`, { method: 'DELETE', headers, body: `{"blockIds":["${wanted}"]}` })
  return [
    ...(ids.length === 1 && ids[0] === wanted
      ? []
      : [`Expected ${wanted} alone within reach, found ${ids.join(', ')}.`]),
    ...(writing.status === 403 ? [] : [`Expected 403 for who may read alone, found ${writing.status}.`]),
  ]
}

async function addDocuments({ restUrl }: ServeProcess, titles: readonly string[]): Promise<string[]> {
  const answer = await fetch(`${restUrl}/documents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documents: titles.map((title) => ({ title })) }),
  })
  return ((await answer.json()) as { items: { id: string }[] }).items.map(({ id }) => id)
}

function participantsAdd(space: string, name: string): Promise<string> {
  const program = createRequire(import.meta.url).resolve('../../../src/start.js')
  return new Promise((resolve, reject) => {
    const args = [program, 'participants', 'add', name, '--password', '--json', '--space', space]
    const child = execFile(process.execPath, args, (error, output) =>
      error === null ? resolve(output) : reject(error),
    )
    child.stdin?.end(`${PASSWORD}\n`)
  })
}

/** The pages on which people sign in and consent, in a browser: Debian's Chromium, driven by the keyboard alone. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type PlainHost, plainHost } from '../auth/issuer/plain-host.ts'
import { type ServeProcess, startServe } from '../http/serve-process.ts'
import type { Proof, Shown, Strain } from './proof.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const PASSWORD = 'correct horse battery'
const WIDTHS = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } } as const
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

export const proof: Proof = {
  promise: 'Whoever has a keyboard and no scripts signs in and says what a program may do, and what they say holds.',
  isBeside: true,
  run: (strain) => inBrowser(strain, undefined),
  // A page whose fields have lost their labels and whose text has faded.
  control: (strain) => inBrowser(strain, SPOILT),
}

/** Run in the page; what it does is of no concern to Node, which knows no document. */
const SPOILT = `
  for (const label of document.querySelectorAll('label')) label.replaceWith(...label.childNodes)
  document.body.style.setProperty('color', '#bbb')`
const IS_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

type Spoil = string | undefined

async function inBrowser({ folder, say }: Strain, spoil: Spoil): Promise<Shown> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`Expected Chromium at ${CHROMIUM}, found none; install it, or name it in CHROMIUM.`)
  }
  const space = join(folder, 'space.sqlite')
  const server = await startServe(space, ['--oauth', '--limit-ip', '0', '--limit-requests', '0'])
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...QUIET] })
  const faults: string[] = []
  const figures = { 'signed in': 0, pages: 0, 'rules passed': 0, faults: 0 }
  try {
    const [wanted] = await addDocuments(server, ['Garden plan', 'Diary', 'Taxes <b>2026</b>'])
    const added = JSON.parse(await participantsAdd(space, 'Anna')) as { mcpPath: string }
    const mcp = `${new URL(server.mcpUrl).origin}${added.mcpPath}`
    for (const [name, viewport] of Object.entries(WIDTHS)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const shots = join(process.env.PAGES ?? folder, `${name}-${colorScheme}`)
        mkdirSync(shots, { recursive: true })
        const looked = await lookAt(browser, mcp, { viewport, colorScheme }, shots, spoil)
        figures.pages += looked.pages
        figures['rules passed'] += looked.passed
        faults.push(...looked.faults.map((fault) => `${name}, ${colorScheme}: ${fault}`))
      }
      say(`pages looked at on a ${name}`)
      if (spoil !== undefined) continue
      faults.push(...(await byKeyboard(browser, mcp, viewport, wanted ?? '')).map((fault) => `${name}: ${fault}`))
      figures['signed in'] += 1
    }
  } finally {
    await browser.close()
    await server.close()
  }
  figures.faults = faults.length
  return { figures, faults }
}

/** Each page with scripts, which the examiner needs, and without those of a page's own. */
async function lookAt(
  browser: Browser,
  mcp: string,
  options: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' },
  shots: string,
  spoil: Spoil,
): Promise<{ pages: number; passed: number; faults: string[] }> {
  const context = await browser.newContext({ ...options, bypassCSP: true })
  const host = await openHost(mcp)
  const page = await context.newPage()
  const faults: string[] = []
  let passed = 0
  let pages = 0
  const examine = async (name: string) => {
    if (spoil !== undefined) await page.evaluate(spoil)
    const shown = spoil === undefined ? name : `${name}-spoilt`
    await page.screenshot({ path: join(shots, `${shown}.png`), fullPage: true })
    await page.evaluate(axe.source)
    const { violations, passes } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
    pages++
    passed += passes.length
    for (const { id, nodes } of violations) faults.push(`${name}: ${id} at ${nodes[0]?.html.slice(0, 120)}`)
    const isWide = await page.evaluate(IS_WIDE)
    if (isWide) faults.push(`${name}: wider than the window`)
  }
  try {
    await page.goto(host.authorization().href)
    await examine('sign-in')
    if (spoil !== undefined) return { pages, passed, faults }
    await page.fill('#name', 'Anna')
    await page.fill('#password', 'wrong password')
    await page.click('button[value=sign-in]')
    await examine('wrong-password')
    await page.fill('#password', PASSWORD)
    await page.click('button[value=sign-in]')
    await examine('consent')
    await page.check('#selected')
    await examine('consent-selected')
    await page.click('button[value=allow]')
    await examine('nothing-selected')
    await page.goto(host.authorization({ client_id: 'nobody' }).href)
    await examine('refused')
    return { pages, passed, faults }
  } finally {
    host.close()
    await context.close()
  }
}

/** From the first page to a token, without scripts, and without a mouse. */
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
    // The name's field gets the focus by itself.
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
    // The page lists IDs in their short spelling, whose digits end the long one that REST answers.
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

async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
}

/** Presses Tab until the element has the focus, as somebody does who sees where it is. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const focused = page.locator(`${selector}:focus`)
  for (let presses = 0; presses < 60; presses++) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Expected to come to ${selector} by Tab, found no way.`)
}

interface Host extends PlainHost {
  /** What came back to it, once somebody was sent back. */
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

/** What was chosen holds: one document, to read. */
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
  const program = createRequire(import.meta.url).resolve('../../src/start.js')
  return new Promise((resolve, reject) => {
    const args = [program, 'participants', 'add', name, '--password', '--json', '--space', space]
    const child = execFile(process.execPath, args, (error, output) =>
      error === null ? resolve(output) : reject(error),
    )
    child.stdin?.end(`${PASSWORD}\n`)
  })
}

/** People who share a browser, and pages elsewhere that lead it to the address of a link. */
import type { Page } from 'playwright-core'
import { Browser } from '../../../auth/issuer/browser.ts'
import { openBrowser, UNREACHABLE } from '../../editing/editing-server.ts'
import type { Attack } from '../attack.ts'
import type { AttackedServer } from '../server.ts'

const pagesOf = async (server: AttackedServer, name: string): Promise<string> =>
  (await server.link({ name })).restUrl.replace('/api/v1', '/view')

/** The address of the pages of a space, from that of one of its pages. */
const baseOf = (url: string | URL): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.split('/').slice(0, 3).join('/')}`
}

export const sentAsAnother: Attack = {
  finding: 22,
  name: 'text that one person typed without a connection, sent as the next person at the browser',
  async attempt(world) {
    const server = await world.serve()
    const id = await server.document('Shared', 'Of Anna.\n\nOf Bob.')
    const [anna, bob] = [await pagesOf(server, 'Anna'), await pagesOf(server, 'Bob')]
    const browser = await openBrowser()
    try {
      const page = await (await browser.newContext()).newPage()
      await page.goto(anna)
      await openDocument(page, id)
      await page.evaluate(UNREACHABLE)
      await append(page, 'Of Anna.', ' Typed by Anna')
      await page.getByText('The server cannot be reached.').waitFor()
      await page.goto(bob)
      const change = page.getByRole('button', { name: 'Change' })
      if ((await change.count()) > 0) await change.click()
      await page.getByRole('heading', { name: 'Documents' }).first().waitFor()
      await openDocument(page, id)
      await append(page, 'Of Bob.', ' Typed by Bob')
      // The calls of a document are sent in order, so those of Anna would have been sent before.
      const written = await until(async () => {
        const { content } = await server.done(`GET /blocks?id=${id}&maxDepth=1`)
        const text = content.map(({ markdown }: { markdown: string }) => markdown).join('\n')
        return text.includes('Typed by Bob') ? text : undefined
      })
      return written.includes('Typed by Anna') ? ['what Anna typed was sent with the session of Bob'] : []
    } finally {
      await browser.close()
      await server.close()
    }
  },
}

async function openDocument(page: Page, id: string): Promise<void> {
  await page.goto(`${baseOf(page.url())}/d/${id}`)
  await page.locator('html.edits').waitFor()
}

async function append(page: Page, block: string, text: string): Promise<void> {
  await page.locator('.part > .block').filter({ hasText: block }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
  await page.keyboard.press('Escape')
}

/** Polls until there is a value. An attack that waits too long is given up. */
async function until<Value>(read: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export const replacedSession: Attack = {
  finding: 22,
  name: 'the address of a link that replaces the session of the browser',
  async attempt(world) {
    const server = await world.shared()
    const browser = new Browser()
    const { url } = await browser.open(await pagesOf(server, 'mine'))
    const before = browser.cookieFor(new URL(`${baseOf(url)}/`))
    // What a browser does by itself: it follows redirects and stores cookies.
    await browser.open(await pagesOf(server, 'theirs'))
    const after = browser.cookieFor(new URL(`${baseOf(url)}/`))
    return before === after ? [] : ['an address alone replaced the session']
  },
}

export const copiedCookie: Attack = {
  finding: 22,
  name: 'a copy of a cookie, used after its owner has signed out',
  async attempt(world) {
    const server = await world.shared()
    const browser = new Browser()
    const { url } = await browser.open(await pagesOf(server, 'mine'))
    const base = baseOf(url)
    const cookie = browser.cookieFor(new URL(`${base}/`))
    const { headers } = await browser.open(`${base}/sign-out`, new URLSearchParams({ token: browser.hidden('token') }))
    const faults: string[] = []
    const { status } = await fetch(`${base}/`, { headers: { cookie }, redirect: 'manual' })
    if (status === 200) faults.push('a copy of the cookie still opens the space')
    const cleared = headers.get('clear-site-data')
    if (cleared !== '"cache"') faults.push(`signing out clears ${cleared}, which is more or less than the cache`)
    return faults
  },
}

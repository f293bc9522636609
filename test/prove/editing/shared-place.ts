/** Two people with their own links take turns in one browser, while the server does not take their calls. */
import type { Page } from 'playwright-core'
import { type EditingServer, expectSoon, openBrowser, REACHABLE, texts, UNREACHABLE } from './editing-server.ts'

const BEGIN = ['The quay closes.', 'The crane stays.']
/** The first page of a space. */
const HOME = /\/view\/\w+\/$/

/** @returns the faults that it found */
export async function sharePlace(server: EditingServer): Promise<string[]> {
  const id = await server.addDocument('A shared place', BEGIN.join('\n\n'))
  const [anna, bob] = [await server.addPages('Anna'), await server.addPages('Bob')]
  const browser = await openBrowser()
  const faults: string[] = []
  const expect = async (what: string, wanted: unknown, read: () => Promise<unknown>) => {
    const found = await expectSoon(what, wanted, read)
    faults.push(...found.map((fault) => `In one browser: ${fault}`))
  }
  const written = async () => texts(await server.blocks(id))
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    await openDocument(page, anna, id)
    await page.evaluate(UNREACHABLE)
    await append(page, 'The crane', ' Anna')
    await page.getByText('The server cannot be reached.').waitFor()

    // Bob follows his link in another tab, and at first does not mean it.
    const other = await context.newPage()
    await other.goto(bob)
    await other.getByRole('button', { name: 'Stay' }).click()
    await other.waitForURL(HOME)
    await expect('the owner of the page after Stay', await ownerOf(page), () => ownerOf(other))
    await other.goto(bob)
    await other.getByRole('button', { name: 'Change' }).click()
    await other.waitForURL(HOME)
    await openDocument(other, undefined, id)
    await append(other, 'The quay', ' Bob')
    await expect('the text of Bob alone', ['The quay closes. Bob', 'The crane stays.'], written)
    await expect('what Bob is offered', ['The crane stays. Anna'], () => offered(other))

    // Anna's tab cannot write with the session of Bob.
    await page.evaluate(REACHABLE)
    await page.bringToFront()
    await page.getByText('You are signed out, or your access has ended. 1 change waits').waitFor()
    await other.bringToFront()
    await leave(other)
    await expect('what Bob leaves behind', [], () => offered(other))
    await other.goto(anna)
    await expect('the text of both', ['The quay closes. Bob', 'The crane stays. Anna'], written)
    await page.close()

    faults.push(...(await leaveUnsent(other, { server, id, anna })))
    return faults
  } finally {
    await browser.close()
  }
}

/** Anna signs out while her change cannot be sent: it is offered for copying, and not sent by her next session. */
async function leaveUnsent(
  page: Page,
  { server, id, anna }: { server: EditingServer; id: string; anna: string },
): Promise<string[]> {
  const faults: string[] = []
  const expect = async (what: string, wanted: unknown, read: () => Promise<unknown>) => {
    const found = await expectSoon(what, wanted, read)
    faults.push(...found.map((fault) => `After signing out: ${fault}`))
  }
  const before = texts(await server.blocks(id))
  await openDocument(page, undefined, id)
  await page.evaluate(UNREACHABLE)
  await append(page, 'The crane', ' Unsent')
  await page.getByText('The server cannot be reached.').waitFor()
  const cookies = await page.context().cookies()
  await leave(page)
  await expect('what Anna is offered', ['The crane stays. Anna Unsent'], () => offered(page))
  // A copy of the cookie opens nothing.
  const copy = await page.context().browser()?.newContext()
  await copy?.addCookies(cookies)
  const { origin, pathname } = new URL(page.url())
  const answer = await copy?.request.get(`${origin}${pathname.replace(/\/sign-out$/, '/')}`)
  if (answer?.status() !== 401)
    faults.push(`After signing out: expected 401 for the cookie, found ${answer?.status()}.`)
  await page.goto(anna)
  await openDocument(page, undefined, id)
  await append(page, 'The quay', ' Again')
  await expect('the text of the next session alone', before.with(0, 'The quay closes. Bob Again'), async () =>
    texts(await server.blocks(id)),
  )
  await page.locator('.left-behind summary').click()
  await page.locator('.left-behind').getByRole('button', { name: 'Delete' }).click()
  await page.locator('.left-behind').waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('html.edits').waitFor()
  await expect('what is left', [], () => offered(page))
  return faults
}

/** @param address  of a link; the session of the browser is used if absent */
async function openDocument(page: Page, address: string | undefined, id: string): Promise<void> {
  if (address !== undefined) await page.goto(address)
  const { origin, pathname } = new URL(page.url())
  await page.goto(`${origin}${pathname.split('/').slice(0, 3).join('/')}/d/${id}`)
  await page.locator('html.edits').waitFor()
}

/** Types at the end of a block. */
async function append(page: Page, block: string, text: string): Promise<void> {
  await page.locator('.part > .block').filter({ hasText: block }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
  await page.keyboard.press('Escape')
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Signed out' }).waitFor()
}

const ownerOf = (page: Page): Promise<string> => page.evaluate('document.body.dataset.owner')

/** The texts that a page offers for copying. */
const offered = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.left-behind blockquote')].map(({ textContent }) => textContent)`)

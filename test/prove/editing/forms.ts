/**
 * Fills in forms without a connection, which are sent later, and closes them without saving: what was typed is there when
 * they are opened again.
 */
import type { Page } from 'playwright-core'
import { type EditingServer, expectSoon, openBrowser } from './editing-server.ts'

/** @returns the faults that it found */
export async function fillInForms(server: EditingServer): Promise<string[]> {
  const id = await server.addDocument('Forms', 'The quay closes.')
  const collection = await server.addCollection(id, { name: 'Boats', properties: [{ name: 'Note', type: 'text' }] })
  await server.call(`POST /collections/${collection}/items`, { items: [{ title: 'Anna' }] })
  const browser = await openBrowser()
  try {
    const faults: string[] = []
    const expect = async (what: string, wanted: unknown, read: () => Promise<unknown>) => {
      const found = await expectSoon(what, wanted, read)
      faults.push(...found.map((fault) => `In forms: ${fault}`))
    }
    const page = await server.visit(browser, id)
    await addTask(page, server, expect)
    await page.goto(page.url().replace(/\/collections.*/, `/d/${id}`))
    await comment(page, expect)
    await editCell(page, expect)
    await typeInTwoTabs(page, expect)
    await signOut(page, expect)
    return faults
  } finally {
    await browser.close()
  }
}

type Expect = (what: string, wanted: unknown, read: () => Promise<unknown>) => Promise<void>

async function addTask(page: Page, server: EditingServer, expect: Expect): Promise<void> {
  await page.goto(page.url().replace(/\/d\/.*/, '/tasks?scope=inbox'))
  const field = page.getByLabel('New task')
  const add = page.getByRole('button', { name: 'Add' })
  await page.context().setOffline(true)
  await field.fill('Pay the diver')
  await add.click()
  await page.locator('.connection').getByText('1 change waits').waitFor()
  await expect('the field once the task waits', '', () => field.inputValue())
  await field.fill('Pay the crane')
  await add.click()
  await page.locator('.connection').getByText('2 changes wait').waitFor()
  await page.locator('.connection summary').click()
  await expect('what waits', ['Pay the diver', 'Pay the crane'], () =>
    page.locator('.connection blockquote').allTextContents(),
  )
  // Another page of the space sends it.
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goBack()
  await page.goto(page.url().replace(/\/tasks.*/, '/collections'))
  // The newest is first.
  const titles = async () => (await server.call('GET /tasks?scope=inbox')).items.map((task) => textOf(task))
  await expect('tasks that were added without a connection', ['Pay the crane', 'Pay the diver'], titles)
}

const textOf = (task: object): unknown => ('markdown' in task ? String(task.markdown).replace(/^- \[ \] /, '') : task)

async function comment(page: Page, expect: Expect): Promise<void> {
  const field = page.getByLabel('What you say')
  const open = async () => {
    await page.locator('html.edits').waitFor()
    await page.locator('.part > .block').first().hover()
    await page.locator('.who a[href*="/comments/new"]').first().click()
    await field.waitFor()
  }
  await open()
  await field.fill('Why in March?')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await page.reload()
  await open()
  await expect('the comment after Escape', 'Why in March?', () => field.inputValue())
  await page.getByRole('link', { name: 'Cancel' }).click()
  await open()
  await expect('the comment after Cancel', '', () => field.inputValue())
  await field.fill('Why not in May?')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await field.waitFor({ state: 'hidden' })
  await page.locator('.connection').getByText('1 change waits').waitFor()
  await page.context().setOffline(false)
  await page.getByText('Why not in May?').filter({ visible: true }).waitFor()
}

async function editCell(page: Page, expect: Expect): Promise<void> {
  const cell = page.locator('td[data-key="note"]').first()
  const field = page.locator('.cell-editor').locator('textarea, input[type="text"]').first()
  await page.locator('[data-cells][role="grid"]').waitFor()
  await cell.click()
  await field.fill('red')
  await page.context().setOffline(true)
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'hidden' })
  await expect('the cell that waits', 'red', () => cell.textContent())
  await expect('cells that wait', 1, () => page.locator('td.waits').count())
  await cell.click()
  await page.locator('.announcement').getByText('cannot be opened now').waitFor()
  await page.context().setOffline(false)
  await expect('cells that wait later', 0, () => page.locator('td.waits').count())
  await expect('the cell once it was saved', 'red', () => cell.textContent())
  await cell.click()
  await field.fill('blue')
  await page.keyboard.press('Escape')
  await cell.click()
  await expect('the cell after Escape', 'red', () => field.inputValue())
  await page.keyboard.press('Escape')
}

/** Both tabs have the same form, and are closed without saving it. */
async function typeInTwoTabs(page: Page, expect: Expect): Promise<void> {
  const address = page.url().replace(/\/d\/.*/, '/tasks')
  const [one, other] = [await page.context().newPage(), await page.context().newPage()]
  for (const tab of [one, other]) await tab.goto(address)
  await one.getByLabel('New task').fill('Pay the pilot')
  await other.getByLabel('New task').fill('Call the harbour')
  await Promise.all([one.close(), other.close()])
  const next = await page.context().newPage()
  await next.goto(address)
  const field = next.getByLabel('New task')
  const typed = async () => (await field.inputValue()).match(/Pay the pilot|Call the harbour/g)?.sort()
  await expect('the texts of both tabs', ['Call the harbour', 'Pay the pilot'], typed)
  await next.getByRole('button', { name: 'Discard' }).click()
  await next.reload()
  await expect('the field after Discard', '', () => field.inputValue())
  await next.close()
}

async function signOut(page: Page, expect: Expect): Promise<void> {
  await page.goto(page.url().replace(/\/d\/.*/, '/tasks'))
  await page.getByLabel('New task').fill('Later')
  const kept = () => page.evaluate("Object.keys(localStorage).filter((key) => key.includes(' form ')).length")
  await expect('forms that are kept', 1, kept)
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Signed out' }).waitFor()
  await expect('forms that are kept after signing out', 0, kept)
}

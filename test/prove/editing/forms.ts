/** Fills in forms without a connection and closes them without saving: what was typed is there when they are opened again. */
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
    await page.goto(page.url().replace(/\/tasks.*/, `/d/${id}`))
    await comment(page, expect)
    await editCell(page, expect)
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
  await page.locator('main .unreached').waitFor()
  await expect('the task after the connection was cut', 'Pay the diver', () => field.inputValue())
  await page.context().setOffline(false)
  await page.reload()
  await expect('the task after the page was loaded again', 'Pay the diver', () => field.inputValue())
  await add.click()
  await page.locator('#tasks').getByText('Pay the diver').waitFor()
  await expect('the field for the next task', '', () => field.inputValue())
  await page.reload()
  await expect('the field later', '', () => field.inputValue())
  const { items } = await server.call('GET /tasks?scope=inbox')
  await expect('tasks', 1, async () => items.length)
}

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
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.locator('.comments').getByText('Why not in May?').waitFor()
}

async function editCell(page: Page, expect: Expect): Promise<void> {
  const cell = page.locator('td[data-key="note"]').first()
  const field = page.locator('.cell-editor').locator('textarea, input[type="text"]').first()
  await page.locator('[data-cells][role="grid"]').waitFor()
  await cell.click()
  await field.fill('red')
  await page.context().setOffline(true)
  await page.keyboard.press('Enter')
  await page.locator('.cell-editor [role="alert"]').waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await page.context().setOffline(false)
  await cell.click()
  await expect('the cell after the connection was cut', 'red', () => field.inputValue())
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'hidden' })
  await expect('the cell once it was saved', 'red', () => cell.textContent())
  await cell.click()
  await field.fill('blue')
  await page.keyboard.press('Escape')
  await cell.click()
  await expect('the cell after Escape', 'red', () => field.inputValue())
  await page.keyboard.press('Escape')
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

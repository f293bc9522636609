/** Sharing a document from its bar by a person in a browser, taking some of it away again, and printing. */
import { chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createEntryToken } from '../../../../src/auth/browser-sessions/browser-session.ts'
import { program } from '../../sample-space.ts'
import { enter, servePages } from '../../visiting.ts'

async function openAsOperator({ scripts = true } = {}): Promise<{
  page: Page
  base: string
  plan: string
  serving: Awaited<ReturnType<typeof servePages>>
}> {
  const serving = await servePages()
  const { server, space, clock } = serving
  const { items } = await program(space, 'editor')('documents_add', {
    documents: [{ title: 'Plan', content: 'Ferry' }],
  })
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ javaScriptEnabled: scripts })
  const page = await context.newPage()
  await page.goto(`${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`)
  return { page, base: page.url().replace(/(\/view\/[^/]+).*/, '$1'), plan: items[0].id, serving }
}

test.each([true, false])(
  'a document is shared from its bar, and less of it later: with scripts %s',
  async (scripts) => {
    const { page, base, plan } = await openAsOperator({ scripts })
    await page.goto(`${base}/d/${plan}`)
    await page.getByRole('link', { name: 'Share', exact: true }).click()
    await page.getByLabel('Name').fill('Auditor')
    expect(await page.getByRole('checkbox', { name: 'Plan' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Reads, writes and deletes' }).check()
    await page.getByRole('button', { name: 'Make the link' }).click()
    const address = await page.getByRole('textbox', { name: 'For people' }).inputValue()
    await page.getByText('Cursor', { exact: true }).click()
    expect(await page.locator('details[open] pre').textContent()).toContain('"mcpServers"')
    const auditor = await enter(address)
    expect((await auditor.get(`/d/${plan}`)).text).toContain('data-token')

    await page.getByRole('link', { name: 'Links and people' }).last().click()
    await page.getByRole('link', { name: 'Change Auditor…' }).click()
    await page.getByRole('radio', { name: 'Reads, and changes nothing' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Take this away from Auditor?' }).waitFor()
    await page.getByRole('button', { name: 'Take it away' }).click()
    await page.getByRole('status').filter({ hasText: 'It holds from the next call' }).waitFor()
    expect((await auditor.get(`/d/${plan}`)).text).not.toContain('data-token')
  },
)

test('what is shown once can be copied, which is said, also in a dialog', async () => {
  const { page, base, plan } = await openAsOperator()
  await page.addInitScript(() => {
    const writeText = async (text: string) => document.documentElement.setAttribute('data-copied', text)
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
  })
  const copied = () => page.locator('html').getAttribute('data-copied')
  await page.goto(`${base}/links/new?document=${plan}`)
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('heading', { level: 1, name: 'Link to 1 document' }).waitFor()
  await page.getByRole('button', { name: 'Copy: For people' }).click()
  await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
  expect(await copied()).toBe(await page.getByRole('textbox', { name: 'For people' }).inputValue())
  await page.getByText('Cursor', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy: Cursor' }).click()
  await expect.poll(copied).toBe(await page.locator('details[open] pre').textContent())

  await page.goto(`${base}/links`)
  await page.getByRole('link', { name: 'Invite a person…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Berta')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByRole('button', { name: 'Copy: Password' }).click()
  await dialog.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
  expect(await copied()).toBe(await dialog.getByRole('textbox', { name: 'Password' }).inputValue())
  expect(await dialog.getByText('Copied', { exact: true }).count()).toBe(1)
})

test('a document is printed once its page is there', async () => {
  const { page, base, plan } = await openAsOperator()
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes')
  })
  await page.goto(`${base}/d/${plan}/print`)
  await page.locator('body[data-printed]').waitFor()
  expect(await page.locator('main').textContent()).toContain('Ferry')
})

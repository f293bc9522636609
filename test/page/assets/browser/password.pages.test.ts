/** A person who signed in changes their password in a browser, and another browser of theirs is signed out. */
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { spaceKey } from '../../../../src/auth/access-links/access-links.ts'
import { PASSWORDS, serveIssuer } from '../../../auth/issuer/serving-issuer.ts'

const NEXT = 'another horse'

async function signIn(context: BrowserContext, base: string, password: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${base}/sign-in`)
  await page.getByLabel('Your name').fill('Anna')
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Space' }).waitFor({ state: 'attached' })
  return page
}

test.each([true, false])('a password is changed from settings: with scripts %s', async (scripts) => {
  const { server, space } = await serveIssuer()
  const base = `${server.origin}/view/${spaceKey(space.info.id)}`
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const newContext = () => browser.newContext({ javaScriptEnabled: scripts })
  const [context, other] = [await newContext(), await newContext()]
  const page = await signIn(context, base, PASSWORDS.Anna)
  const elsewhere = await signIn(other, base, PASSWORDS.Anna)

  await page.goto(`${base}/settings`)
  await page.getByRole('link', { name: 'Change your password…' }).click()
  const change = async (old: string) => {
    await page.getByLabel('Current password').fill(old)
    await page.getByLabel('New password', { exact: true }).fill(NEXT)
    await page.getByLabel('New password again').fill(NEXT)
    await page.getByLabel('New password again').press('Enter')
  }
  await change('wrong horse')
  await page.getByRole('alert').filter({ hasText: 'That is not your current password.' }).waitFor()
  expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('')
  await change(PASSWORDS.Anna)
  await page.getByRole('status').filter({ hasText: 'Your password was changed.' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/\/settings$/)
  await page.reload()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()

  await elsewhere.goto(`${base}/`)
  await elsewhere.getByRole('heading', { name: 'Open this space first' }).waitFor()
  await signIn(other, base, NEXT)
  if (!scripts) return
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(kept).not.toContain('horse')
})

/** What newly waits for a member is shown as a notification of the browser, once it was chosen there. */
import { chromium } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'

test('something new is shown once it was chosen, and what waited before is not', async () => {
  const { endpoint, rest } = inject('pageBrowser')
  const send = async (line: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${rest}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return response.json()
  }
  const assignee = (await send('GET /connection')).link.memberId
  const task = (markdown: string) => send('POST /tasks', { tasks: [{ markdown, taskInfo: { assignee } }] })
  await task('Old')
  const browser = await chromium.connect(endpoint)
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  // Notifications of the system are none of a page without a window.
  await context.addInitScript(() => {
    const shown: string[] = []
    class Shown extends EventTarget {
      static permission = 'default'
      static requestPermission = async () => (Shown.permission = 'granted')
      constructor(title: string) {
        super()
        shown.push(title)
      }
    }
    Object.assign(globalThis, { Notification: Shown, shown })
  })
  const page = await context.newPage()
  await page.goto(rest.replace('/api/v1', '/view'))
  await page.goto(`${page.url().replace(/\/$/, '')}/for-me`)
  const read = page.waitForResponse((response) => response.url().endsWith('/for-me'))
  await page.click('text=Show them as notifications')
  await read
  await task('New')
  const shown = () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
  await expect.poll(shown, { timeout: 10_000 }).toEqual(['New'])
  expect(await page.isVisible('text=Show them as notifications')).toBe(false)
})

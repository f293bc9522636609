/** Notifications of the browser: due reminders where they are allowed, and what newly waits for a member where that was chosen. */
import { chromium } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { servePages } from '../../visiting.ts'

/** Makes calls, and opens a page in a browser that allows notifications once it is asked. */
async function open(path: string) {
  const { clock, link } = await servePages()
  const { rest, ask } = await link({ name: 'Anna' })
  const send = async (line: string, body?: object) => (await ask(line, body)).json
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
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
  const base = page.url().replace(/\/$/, '')
  const shown = () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
  return { page, send, shown, clock, goTo: () => page.goto(`${base}${path}`) }
}

test('something new is shown once it was chosen, and what waited before is not', async () => {
  const { page, send, shown, goTo } = await open('/for-me')
  const assignee = (await send('GET /connection')).link.memberId
  const task = (markdown: string) => send('POST /tasks', { tasks: [{ markdown, taskInfo: { assignee } }] })
  await task('Old')
  await goTo()
  const read = page.waitForResponse((response) => response.url().endsWith('/for-me'))
  await page.click('text=Show them as notifications')
  await read
  await task('New')
  await expect.poll(shown, { timeout: 10_000 }).toEqual(['New'])
  expect(await page.isVisible('text=Show them as notifications')).toBe(false)
})

test('a reminder that comes due is shown once it was allowed', async () => {
  const { page, send, shown, clock, goTo } = await open('/reminders')
  await goTo()
  await page.click('text=Show them as notifications')
  await page.locator('[data-notifications]').waitFor({ state: 'hidden' })
  const { items } = await send('POST /documents', { documents: [{ title: 'Boats', markdown: 'Call the harbor' }] })
  const remindAt = new Date(clock.now + 60_000).toISOString()
  await send('POST /reminders', { reminders: [{ blockId: items[0].id, remindAt }] })
  clock.now += 60_000
  await send('POST /documents', { documents: [{ title: 'Later' }] })
  await expect.poll(shown).toEqual(['Boats'])
})

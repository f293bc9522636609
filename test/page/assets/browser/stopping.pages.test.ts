/** Stop, and Undo its last hour, by a person in a browser, while an agent works over REST. */
import { chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createEntryToken } from '../../../../src/auth/browser-sessions/browser-session.ts'
import { documentBy, type Serving } from '../../../http/serving.ts'
import { servePages } from '../../visiting.ts'

/** The pages of the person who runs the program. */
async function openAsOperator({ server, space, clock }: Serving): Promise<{ page: Page; base: string }> {
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`)
  return { page, base: page.url().replace(/(\/view\/[^/]+).*/, '$1') }
}

test('an agent is seen at work, stopped, and its last hour is taken back', async () => {
  const serving = await servePages()
  const robot = await serving.link({ name: 'Robot' })
  const plan = await documentBy({ ask: (line, body) => robot.ask(`${line}?ids=short`, body) }, 'First words.', 'Plan')
  serving.clock.now += 2 * 60 * 60_000
  const write = (markdown: string) =>
    robot.ask('POST /blocks', { markdown, position: { position: 'end', pageId: plan } })
  const { page, base } = await openAsOperator(serving)
  await page.goto(`${base}/links`)
  const row = page.locator('.access > li', { hasText: 'Robot' })
  await row.locator('.state.idle').waitFor()
  // What is opened on the page stays, while the states are loaded again by the feed.
  await row.getByText('Revoke…').click()
  expect((await write('A mistake.')).status).toBe(200)
  await row.locator('.state.working', { hasText: 'working on Plan' }).waitFor()
  expect(await row.locator('details[open]').count()).toBe(1)
  // A minute later it is idle, although nothing was written.
  serving.clock.now += 60_000
  await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('spacechange')))
  await row.locator('.state.idle').waitFor()

  await row.getByRole('button', { name: 'Stop Robot' }).click()
  await page.getByRole('status').filter({ hasText: 'Stopped. Its calls are refused' }).waitFor()
  await row.locator('.state.stopped').waitFor()
  expect((await write('Another.')).json.code).toBe('LINK_PAUSED')

  await row.getByRole('link', { name: 'Undo the last hour of Robot' }).click()
  await page.getByRole('heading', { name: 'Take back the last hour of Robot?' }).waitFor()
  await page.locator('.changes').getByText('Plan: 1 block deleted').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await page.getByRole('status').filter({ hasText: 'Taken back.' }).waitFor()

  await row.getByRole('button', { name: 'Resume Robot' }).click()
  await row.locator('.state.stopped').waitFor({ state: 'detached' })
  const { content } = (await robot.ask(`GET /blocks?id=${plan}`)).json
  expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual(['First words.'])
})

test('above a document, an agent who only reads it is shown', async () => {
  const serving = await servePages()
  const robot = await serving.link({ name: 'Robot', picture: '🤖' })
  const plan = await documentBy({ ask: (line, body) => robot.ask(`${line}?ids=short`, body) }, 'Words.', 'Plan')
  serving.clock.now += 10 * 60_000
  await robot.ask(`GET /blocks?id=${plan}`)
  const { page, base } = await openAsOperator(serving)
  await page.goto(`${base}/d/${plan}`)
  await page.locator('.people .working', { hasText: 'Robot' }).waitFor()
})

/**
 * Takes the pictures of docs/page.md in Debian's Chromium: a document in use, and what waits for a decision.
 *
 *     npm run pictures
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../page/sample-space.ts'
import { launchBrowser } from '../prove/pages/browser.ts'
import { startPageServer, visit } from '../prove/pages/page-server.ts'
import { ROOT } from './host.ts'

const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const server = await startPageServer(folder, 'office')
const browser = await launchBrowser()
try {
  const { page, base } = await visit(browser, server.entry(), { viewport: { width: 1440, height: 900 } })
  const agent = program(server.space, 'claude-desktop')
  const [first] = (await agent('blocks_get', { id: server.sample.plan })).content
  await page.goto(`${base}/d/${server.sample.plan}`)
  await page.locator('html.edits').waitFor()
  await page.locator('#badge').click()
  await page.locator('#activity').getByRole('button', { name: 'Pin' }).click()
  await page.locator('body.pinned').waitFor()
  await page.locator('html.edits').waitFor()
  await agent('blocks_add', {
    markdown:
      'The tide table allows closing from **March 9 to 27**; outside of it the quay is needed for the grain ships.',
    position: { position: 'after', siblingId: first.id },
  })
  await page.getByText('The tide table').first().waitFor()
  await page.screenshot({ path: join(ROOT, 'docs/page-document.png') })
  await page.locator('#activity').getByRole('button', { name: 'Close' }).click()
  await page.goto(`${base}/waiting`)
  await page.screenshot({ path: join(ROOT, 'docs/page-waiting.png') })
} finally {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true })
}

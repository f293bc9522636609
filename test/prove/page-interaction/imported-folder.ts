/** Imports a folder that is chosen by keys and one that is dropped, and saves an export that loads nothing. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { program } from '../../page/sample-space.ts'
import { enter, tabTo } from '../pages/browser.ts'
import type { Interaction } from './interactions.ts'
import type { Report } from './report.ts'

export async function importFolder({ page, base, office, isTouch }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  // No word of the sample is like them, since searches forgive typing errors.
  const name = isTouch ? 'Zwolfspeicher' : 'Quintenzirkel'
  const found = async () => {
    const { items } = await call('documents_search', { include: [name] })
    return items.length > 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-folder-'))
  try {
    mkdirSync(join(folder, 'Inner'))
    writeFileSync(join(folder, 'Inner', 'Note.md'), `${name} words in [[Nowhere]].\n`)
    await page.goto(`${base}/import`)
    const chooser = page.waitForEvent('filechooser')
    await tabTo(page, '[data-folder]')
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(folder)
    await page.locator('.chosen:has-text("1 files")').waitFor()
    await page.locator('.import button.go').focus()
    await page.keyboard.press('Enter')
    await page.locator('#import:not([data-running]) h2').first().waitFor()
    const text = async () => (await page.locator('#import').textContent())?.includes('1 new document')
    await report.expect('a folder is looked at before it is imported', text, true)
    await report.expect('nothing is written by that', found, false)
    await tabTo(page, '#import button.go')
    await enter(page)
    await page.locator('#import:not([data-running]) h1:has-text("was imported")').waitFor()
    await report.expect('a folder is imported by keys', found, true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  await dropFile(page, base, report)
  await saveHtml(page, base, office.sample.plan, report)
}

async function dropFile(page: Page, base: string, report: Report): Promise<void> {
  await page.goto(`${base}/import`)
  await page.locator('.drop').waitFor()
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['# Dropped'], 'Dropped.md'))
    return transfer
  })()`)
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer })
  const chosen = () => page.evaluate(`document.querySelector('input[name="file"]').files[0]?.name`)
  await report.expect('a file is dropped', chosen, 'Dropped.md')
}

async function saveHtml(page: Page, base: string, document: string, report: Report): Promise<void> {
  await page.goto(`${base}/export?document=${document}`)
  await page.locator('input[value="html"]').check()
  const saving = page.waitForEvent('download')
  await page.locator('.export button.go').click()
  const text = readFileSync(await (await saving).path(), 'utf8')
  const shown = await page.context().newPage()
  const asked: string[] = []
  shown.on('request', (request) => asked.push(request.url().slice(0, 40)))
  await shown.setContent(text, { waitUntil: 'load' })
  await report.expect('an exported file shows the text', () => shown.locator('h1').textContent(), 'Harbour plan')
  const elsewhere = async () => asked.filter((url) => !url.startsWith('data:'))
  await report.expect('an exported file loads nothing', elsewhere, [])
  const isWide = () => shown.evaluate('document.documentElement.scrollWidth > innerWidth')
  await report.expect('an exported file is no wider than the window', isWide, false)
  await shown.close()
}

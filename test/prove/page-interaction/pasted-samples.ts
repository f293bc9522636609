/** Pastes what programs put on the clipboard, with the parser of a browser, and compares what is stored. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../page/sample-space.ts'
import type { Interaction } from './interactions.ts'
import type { Report } from './report.ts'

const FOLDER = join(import.meta.dirname, '../../page/pasted')
/** Begins the sentences on what could not be kept. */
const NOT_KEPT = '\n<!-- not kept -->\n'

export async function pasteSamples({ page, base, office }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  const loaded = 'performance.getEntriesByType("resource").some(({ name }) => name.includes("/convertHtml-"))'
  const stored = async (id: string): Promise<string> => call('blocks_get', { id, format: 'markdown' }).then(contentOf)
  const { items } = await call('documents_add', {
    documents: samples().map(({ name }) => ({ title: `Pasted from ${name}`, markdown: 'Before' })),
  })
  let isFirst = true
  for (const [index, { name, html, markdown, notKept }] of samples().entries()) {
    const { id } = items[index]
    await page.goto(`${base}/d/${id}`)
    await page.locator('.edits article').waitFor()
    await page.locator('article .block p', { hasText: 'Before' }).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    if (isFirst && (await page.evaluate(loaded))) report.blame('pasting', 'the converter was loaded before')
    isFirst = false
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', ${JSON.stringify(html)})
      clipboardData.setData('text/plain', 'plain')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }`)
    await page.locator('article:not([aria-busy])').waitFor()
    if (notKept !== '') await page.locator('.announcement', { hasText: notKept }).waitFor()
    // A line of text is at the caret, and is sent when the caret leaves it.
    await page.keyboard.press('Escape')
    await report.expect(`pasted from ${name}`, () => stored(id), `Before\n\n${markdown}`)
  }
}

const samples = () =>
  globSync('*.html', { cwd: FOLDER })
    .sort()
    .map((file) => {
      const [markdown = '', notKept = ''] = readFileSync(join(FOLDER, file.replace('.html', '.md')), 'utf8').split(
        NOT_KEPT,
      )
      return {
        ...{ name: file.replace('.html', ''), html: readFileSync(join(FOLDER, file), 'utf8') },
        ...{ markdown: markdown.trim(), notKept: notKept.trim().replaceAll('\n', ' ') },
      }
    })

/** The content in the answer of a call for Markdown. */
const contentOf = (answer: unknown): string =>
  /<content>\n([\s\S]*)\n<\/content>/.exec(String(answer))?.[1] ?? String(answer)

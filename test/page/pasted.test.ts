/** What programs put on the clipboard, and what is pasted of it. The folder `pasted` has both: `NAME.html` and `NAME.md`. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { convertPasted } from '../../src/html/pasted/convert-pasted.ts'
import { parseStyledHtml } from '../../src/import/html/parse-html.ts'

const folder = join(import.meta.dirname, 'pasted')
const samples = globSync('*.html', { cwd: folder }).sort()

const paste = (html: string, language?: string) =>
  convertPasted({ ...parseStyledHtml(html), ...(language !== undefined && { language }) })

test.each(samples)('%s', async (file) => {
  const { markdown, notKept } = paste(readFileSync(join(folder, file), 'utf8'))
  const text = [markdown, ...(notKept.length === 0 ? [] : ['', '<!-- not kept -->', ...notKept]), ''].join('\n')
  await expect(text).toMatchFileSnapshot(join(folder, `${basename(file, '.html')}.md`))
})

/** What programs put on the clipboard, and what is pasted of it. The folder `pasted` has both: `NAME.html` and `NAME.md`. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { convertPasted } from '../../src/html/pasted/convert-pasted.ts'
import { parseStyledHtml } from '../../src/import/html/parse-html.ts'
import { notKeptSentences } from '../../src/page/assets/pasted/not-kept.ts'

const folder = join(import.meta.dirname, 'pasted')
const samples = globSync('*.html', { cwd: folder }).sort()

const paste = (html: string, language?: string) => {
  const pasted = convertPasted({ ...parseStyledHtml(html), ...(language !== undefined && { language }) })
  return { ...pasted, notKept: notKeptSentences(pasted.notKept) }
}

test.each(samples)('%s', async (file) => {
  const { markdown, notKept } = paste(readFileSync(join(folder, file), 'utf8'))
  const text = [markdown, ...(notKept.length === 0 ? [] : ['', '<!-- not kept -->', ...notKept]), ''].join('\n')
  await expect(text).toMatchFileSnapshot(join(folder, `${basename(file, '.html')}.md`))
})

test('a picture without an address is told, and its description stays', () => {
  const { markdown, notKept } = paste('<p><img data-src="https://example.org/a.png" alt="a"></p>')
  expect(markdown).toBe('a')
  expect(notKept).toEqual([expect.stringMatching(/^1 picture could not be pasted/)])
})

test('a link around a picture is told, unless it leads to the picture', () => {
  const picture = '<img src="https://example.org/a.png" alt="a">'
  const link = (href: string) => paste(`<a href="${href}">${picture}</a>`)
  expect(link('https://example.org/shop')).toEqual({
    ...paste(picture),
    notKept: ['1 link around a picture could not be pasted.'],
  })
  expect(link('https://example.org/a.png')).toEqual(paste(picture))
})

test('what only paper hides is pasted', () => {
  const css = '@media print { .a { color: red } .b { display: none } } .c { display: none }'
  const html = `<style>${css}</style><p class="b">b</p><p class="c">c</p>`
  expect(paste(html).markdown).toBe('b')
})

test('what is copied from our own pages keeps the color of highlights and the source of formulas', () => {
  const formula =
    '<math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x &lt; y</annotation></semantics></math>'
  expect(paste(`<p><mark class="hl-green">green</mark> <mark class="hl-odd">all</mark> ${formula}</p>`).markdown).toBe(
    '<highlight color="green">green</highlight> <highlight color="yellow">all</highlight> $x < y$',
  )
})

import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { seen } from './blocks.ts'

/** The examples in the package of the specification, which has no types. Tabs are arrows in them. */
const { tests }: { tests: { number: number; section: string; markdown: string; html: string }[] } = createRequire(
  import.meta.url,
)('commonmark-spec')

const rows = (numbers: readonly number[], reason: string) =>
  Object.fromEntries(numbers.map((number) => [number, reason]))

/** The examples with another result here, each with its reason. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  ...rows(
    [18, 36, 48, 69, 82, 85, 110, 134, 183, 191, 211, 231, 289, 312, 313],
    'two spaces in front of a line are a level of nesting, so four are two levels and no code where a level can stand',
  ),
  ...rows(
    [
      148, 168, 187, 201, 344, 476, 477, 491, 494, 524, 536, 613, 614, 615, 616, 617, 623, 626, 627, 629, 630, 631, 642,
      643,
    ],
    'HTML inside a line of words is words: it is shown as it was written',
  ),
  ...rows(
    [170, 172, 173, 176, 178, 180, 182],
    'scripts, styles and instructions are kept as code with their tags, since they are work of somebody',
  ),
  ...rows([177], 'what follows a comment on its line is Markdown'),
  ...rows([21, 31], 'a link around nothing shows its address'),
  ...rows(
    [265, 267, 268, 271, 296, 297, 299],
    'a number other than 1 that no item continues is text, since dates and years begin many lines',
  ),
}

describe('examples of CommonMark', () => {
  for (const { number, section, markdown, html } of tests) {
    const source = markdown.replaceAll('→', '\t')
    const expected = seenInHtml(html.replaceAll('→', '\t'))
    const reason = EXCEPTIONS[number]
    if (reason === undefined) {
      it(`should show the same: ${number}, ${section}`, () => expect(seen(readMarkdown(source))).toBe(expected))
    } else {
      it(`should not show the same: ${number}, as ${reason}`, () => expect(shown(source)).not.toBe(expected))
    }
    it(`should be a fixed point when written: ${number}`, () => {
      const once = written(source)
      expect(once === undefined ? undefined : written(once)).toBe(once)
    })
  }
})

const shown = (source: string) => (written(source) === undefined ? undefined : seen(readMarkdown(source)))

function written(source: string): string | undefined {
  try {
    return writeMarkdown(readMarkdown(source))
  } catch {
    return undefined
  }
}

/** The visible characters of HTML, without white space, and with the descriptions of its images. */
function seenInHtml(html: string): string {
  const words = html
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[|\]\]>/g, '')
    .replace(/<img[^>]*? alt="([^"]*)"[^>]*>/g, '$1')
    .replace(/<\/?[A-Za-z][^<>]*>/g, '')
  return words.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => NAMED[name] ?? '').replace(/\s/g, '')
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Cases of what the pages show. */
import { normalizeText } from '../../../src/markdown/inline-text.ts'
import { readMarkdown } from '../../../src/markdown/read-markdown.ts'
import { Formulas } from '../../../src/page/blocks/formula-html.ts'
import { inlineHtml } from '../../../src/page/blocks/inline-content-html.ts'
import { tableHtml } from '../../../src/page/blocks/table-html.ts'
import { PageLinks } from '../../../src/page/page-links.ts'
import { type Case, faultIn } from './case.ts'

const context = () => ({ links: new PageLinks('/view/key', '0'), formulas: new Formulas() })

const bold = (markdown: string): Case => ({
  name: `page: bold in ${markdown}`,
  run: async () =>
    faultIn(String(inlineHtml(normalizeText(markdown), context())), { has: [/<strong>/], lacks: [/\*\*/, /&#/] }),
})

export const PAGE_CASES: readonly Case[] = [
  ...['**注意：**正文', 'これは**「重要」**です', '**文字。**后续', '含**「重点」**内容'].map(bold),
  {
    name: 'page: a line break in a cell',
    run: async () => {
      const [table] = readMarkdown('| a |\n| - |\n| one<br>two |')
      return faultIn(String(tableHtml(table?.text ?? '', context())), { has: [/one<br>\s*two/], lacks: [/&lt;br/] })
    },
  },
]

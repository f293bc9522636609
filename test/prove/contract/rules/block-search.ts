/** Rules about the search in a document. */
import type { Thing } from '../answer.ts'
import { DAILY, FULL, type RuleGroup, SELECTED } from '../rule.ts'
import { has, holds, markdownsOf, one, type RuleContext, reads, same } from '../rule-context.ts'

/** Searches a document, or a daily note, that has this text alone. */
async function search(at: RuleContext, markdown: string, query: object): Promise<Thing[]> {
  const { id, date } = await at.freshDocument(markdown)
  return (await at.done('blocks_search', { ...place(at, id, date), ...query })).items
}

/** The parameter that names the place of a search. */
const place = ({ kind }: RuleContext, id: string, date?: string) =>
  kind === 'full' ? { blockId: id } : kind === 'selected' ? { documentId: id } : { date: date ?? 'today' }

const LINES = Array.from({ length: 15 }, (_, index) => `line ${index}`).join('\n\n')

export const blockSearch: RuleGroup = {
  title: 'block search',
  rules: [
    {
      statement: 'blockId names the document or page, and is required.',
      kinds: FULL,
      async check(at) {
        same(markdownsOf(await search(at, 'needle\n\nhay', { pattern: 'need' })), ['needle'])
        await at.refused('blocks_search', { pattern: 'a' })
      },
    },
    {
      statement: 'documentId names the document, and is required.',
      kinds: SELECTED,
      async check(at) {
        same(markdownsOf(await search(at, 'needle\n\nhay', { pattern: 'need' })), ['needle'])
        await at.refused('blocks_search', { pattern: 'a' })
      },
    },
    {
      statement: 'date names the daily note, and is today by default.',
      kinds: DAILY,
      async check(at) {
        await at.setup('blocks_add', { markdown: 'a needle of today', position: { position: 'end', date: 'today' } })
        const { items } = await at.done('blocks_search', { pattern: 'needle of today' })
        holds(items.length > 0, 'Expected the block of today')
        same(markdownsOf(await search(at, 'needle\n\nhay', { pattern: 'need' })), ['needle'])
      },
    },
    {
      statement: 'pattern is required.',
      check: async (at) => void (await at.refused('blocks_search', place(at, at.root))),
    },
    {
      statement: 'pattern is a regular expression: literals, classes, groups, alternatives and quantifiers.',
      async check(at) {
        const text = 'color\n\ncolour\n\ngrey 42\n\n(brackets)'
        const patterns: [string, string[]][] = [
          ['colou?r', ['color', 'colour']],
          ['gr[ae]y \\d{2}', ['grey 42']],
          ['^(color|grey 42)$', ['color', 'grey 42']],
          ['\\(bra', ['(brackets)']],
        ]
        for (const [pattern, expected] of patterns) same(markdownsOf(await search(at, text, { pattern })), expected)
      },
    },
    {
      statement: 'pattern may look ahead, and behind over a fixed width.',
      async check(at) {
        const text = 'foobar\n\nfoobaz\n\nxbar'
        same(markdownsOf(await search(at, text, { pattern: 'foo(?=baz)' })), ['foobaz'])
        same(markdownsOf(await search(at, text, { pattern: '(?<=foo)bar' })), ['foobar'])
        same(markdownsOf(await search(at, text, { pattern: 'foo(?!baz)' })), ['foobar'])
      },
    },
    {
      statement: 'A pattern that is none is refused.',
      async check(at) {
        await at.refused('blocks_search', { ...place(at, at.root), pattern: '(open' }, 'INVALID_REGEX_ERROR')
      },
    },
    {
      statement: 'caseSensitive is false by default.',
      async check(at) {
        const text = 'Needle\n\nneedle'
        same((await search(at, text, { pattern: 'needle' })).length, 2)
        same(markdownsOf(await search(at, text, { pattern: 'needle', caseSensitive: true })), ['needle'])
      },
    },
    {
      statement: 'Five blocks before and after a match are answered by default.',
      kinds: ['full', 'selected'],
      async check(at) {
        const { beforeBlocks, afterBlocks } = one(await search(at, LINES, { pattern: 'line 7' }))
        same(markdownsOf(beforeBlocks), ['line 2', 'line 3', 'line 4', 'line 5', 'line 6'])
        same(markdownsOf(afterBlocks), ['line 8', 'line 9', 'line 10', 'line 11', 'line 12'])
      },
    },
    {
      statement: 'beforeBlockCount and afterBlockCount say how many blocks around a match are answered.',
      async check(at) {
        const counts = { beforeBlockCount: 1, afterBlockCount: 2 }
        const { beforeBlocks, afterBlocks } = one(await search(at, LINES, { pattern: 'line 7', ...counts }))
        same([markdownsOf(beforeBlocks), markdownsOf(afterBlocks)], [['line 6'], ['line 8', 'line 9']])
      },
    },
    {
      statement: 'With fetchBlocks, matches have their whole blocks.',
      async check(at) {
        same((await search(at, '# needle', { pattern: 'needle' }))[0]?.block, undefined)
        const match = one(await search(at, '# needle', { pattern: 'needle', fetchBlocks: true }))
        has(match.block, { id: match.blockId, type: 'text', textStyle: 'h1' })
      },
    },
    {
      statement: 'The answer is the matches with what stands around them.',
      async check(at) {
        const match = one(await search(at, 'before\n\nneedle\n\nafter', { pattern: 'needle', afterBlockCount: 1 }))
        reads(match.blockId, /^\d{12}$/)
        has(match, { markdown: 'needle', afterBlocks: [{ markdown: 'after' }] })
        holds(Array.isArray(match.pageBlockPath), 'Expected the pages around the match')
      },
    },
  ],
}

/** The documents that a search finds, compared with a model that reads all documents. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stem } from '../../../src/space/search/stem.ts'
import { splitWords } from '../../../src/space/search/word-segmentation.ts'
import { connect } from '../../connect.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'

const WORDS =
  'run running runner universe university docs document documents a_b foo_bar éclair eclair 搜索 全文 NEAR x'.split(' ')
const words = (most: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most })
const entry = words(3).chain((some) =>
  fc.constantFrom(some.join(' '), `"${some.join(' ')}"`, some[0]?.slice(0, 4) ?? ''),
)

const stems = (text: string): string[] => splitWords(text).map(({ word }) => stem(word))

/** True if a text contains the words consecutively, in any inflection. */
const holds = (text: readonly string[], entry: readonly string[]): boolean =>
  text.some((_, at) => entry.every((one, index) => text[at + index] === one))

test('with whole words and phrases: exactly the documents in which each entry has a block', {
  timeout: 60_000,
}, async () => {
  const whole = words(3).chain((some) => fc.constantFrom(some.join(' '), `"${some.join(' ')}"`))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(words(5), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(whole, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 6 }),
      async (texts, queries) => {
        const { call } = await connect()
        const blocks = texts.map((lines) => lines.map((line) => line.join(' ')))
        const documents = blocks.map((lines, index) => ({ title: `D${index}`, markdown: lines.join('\n\n') }))
        await call('documents_add', { documents })
        for (const include of queries) {
          const model = documents.filter((_, index) =>
            include.every((input) => {
              const terms = input.startsWith('"') ? [input] : input.split(' ')
              return terms.some((term) => blocks[index]?.some((line) => holds(stems(line), stems(term))))
            }),
          )
          const { items, note = '' } = await call('documents_search', { include })
          const found = new Set(items.map(({ title }: { title: string }) => title))
          for (const { title } of model) expect(found.has(title), `${title} by ${include}`).toBe(true)
          // Additional results match by prefixes of words, unless an unknown word was replaced by a similar one.
          if (/Found \*.+\* for \*/.test(note)) continue
          const begun = (line: string, term: string) =>
            stems(line).some((one) => one.startsWith(stems(term).at(-1) ?? ''))
          for (const { title } of items) {
            const lines = blocks[Number(title.slice(1))] ?? []
            for (const entry of include) {
              const terms = entry.startsWith('"') ? [entry] : entry.split(' ')
              expect(terms.some((term) => lines.some((line) => begun(line, term)))).toBe(true)
            }
          }
        }
      },
    ),
    { numRuns: runs(6, 60) },
  )
})

test('any text can be searched for, and results show their match in bold', {
  timeout: 60_000,
}, async () => {
  const { call, client } = await connect()
  const markdown = WORDS.join(' ')
  await call('documents_add', { documents: [{ title: 'All', markdown }] })
  const anything = fc.oneof(
    entry,
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'"*-:^(){}+ aNEAR'), maxLength: 12 }),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (include) => {
      const { isError, content, structuredContent } = await client.callTool({
        name: 'documents_search',
        arguments: { include, format: 'json' },
      })
      if (isError)
        expect((content as { text: string }[])[0]?.text).toMatch(
          /^Expected (words in each entry of include|text at include|include or regexps, found neither)/,
        )
      else
        for (const { markdown } of (structuredContent as { items: { markdown: string }[] }).items)
          expect(markdown).toMatch(/\*\*.+\*\*/)
    }),
    { numRuns: runs(30, 300) },
  )
})

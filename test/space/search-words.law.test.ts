import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CHUNK_LENGTH, normalizeText, plainText, plainTextChunks } from '../../src/markdown/inline-text.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { indexableText, indexedText } from '../../src/space/search/indexed-text.ts'
import { stem } from '../../src/space/search/stem.ts'
import { segmentText, splitWords } from '../../src/space/search/word-segmentation.ts'
import type { BlockRow } from '../../storage/schema.ts'
import { readmes } from '../markdown/readmes.ts'
import { examples, runs } from '../support/runs.ts'

const texts = readmes().map(({ markdown }) => markdown)
const words = (text: string) => splitWords(text).map(({ word }) => word)

describe('the words of a text', () => {
  test.each([
    ['Two Words', ['two', 'words']],
    ['snake_case and kebab-case', ['snake', 'case', 'and', 'kebab', 'case']],
    ['Éclair ÀÉÎÕÜ Ångström', ['eclair', 'aeiou', 'angstrom']],
    ['ﬁle ＦＵＬＬ １２', ['file', 'full', '12']],
    ['Όμηρος ЙОД', ['ομηροσ', 'иод']],
    ['שָׁלוֹם', ['שלומ']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['a — b…c “d”', ['a', 'b', 'c', 'd']],
    ['全文搜索', ['全文', '搜索']],
    ['日本語のテキスト', ['日本語', 'の', 'テキスト']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['가나다 라마', ['가나다', '라마']],
    ['🎉 party', ['party']],
    ['*-":', []],
  ])('%s', (text, expected) => expect(words(text)).toEqual(expected))

  test('have their positions, and parts of a run those where it is split', () => {
    const at = (text: string) => splitWords(text).map(({ from, to }) => text.slice(from, to))
    expect(at('Éclair (full_text) 全文搜索')).toEqual(['Éclair', 'full', 'text', '全文', '搜索'])
    expect(at('ﬁle e\u0301t')).toEqual(['ﬁle', 'e\u0301t'])
  })
})

/** The terms that the index extracts from texts, in order. */
function terms(texts: readonly string[]): string[][] {
  const sqlite = new Sqlite(':memory:')
  onTestFinished(() => void sqlite.close())
  sqlite.exec(`CREATE VIRTUAL TABLE search USING fts5 (text,
      tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co M*'");
    CREATE VIRTUAL TABLE term USING fts5vocab (search, instance)`)
  const insert = sqlite.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)')
  for (const [index, text] of texts.entries()) insert.run(index + 1, segmentText(text))
  const found: string[][] = texts.map(() => [])
  const rows = sqlite.prepare('SELECT doc, term FROM term ORDER BY doc, offset').raw().all() as [number, string][]
  for (const [doc, term] of rows) found[doc - 1]?.push(term)
  return found
}

test('the index tokenizes texts and stems words as we do', () => {
  const all = [...texts.slice(0, 120), 'Ünïcödé ﬁne İstanbul ſs ςσ', '全文搜索 ภาษาไทย हिन्दी 日本語のテキスト']
  const found = terms(all)
  for (const [index, text] of all.entries()) expect(found[index]).toEqual(words(text).map(stem))
})

test('the index stems every word as we do', () => {
  const endings = [
    '',
    's',
    'es',
    'ies',
    'sses',
    'eed',
    'ed',
    'ing',
    'y',
    'ational',
    'ization',
    'fulness',
    'ical',
    'ement',
  ]
  const more = [
    'ion',
    'sion',
    'll',
    'le',
    'e',
    'ator',
    'ousli',
    'biliti',
    'logi',
    'ness',
    'ative',
    'izer',
    'ible',
    'ant',
  ]
  const word = fc.tuple(
    fc.string({ unit: fc.constantFrom(...'aeiouybcdlstwxz'), minLength: 1, maxLength: 6 }),
    fc.constantFrom(...endings, ...more),
  )
  const all = [...new Set(fc.sample(word, { numRuns: 5000, seed: 1 }).map((parts) => parts.join('')))]
  expect(terms(all).map(([term]) => term)).toEqual(all.map(stem))
})

test('any text has the same words, whatever its letters', () => {
  const unit = fc.constantFrom(...'aZé0_-ßÅ日本語ไทยहिςΣﬁ½. \n', 'e\u0301', 'が', 'か\u3099', '각', '🎉', '’')
  const texts = fc.sample(fc.string({ unit, maxLength: 30 }), { numRuns: 2000, seed: 2 })
  expect(terms(texts)).toEqual(texts.map((text) => words(text).map(stem)))
})

test('the quick way to get the words of a text agrees with its plain text', () => {
  const blocks = examples(texts, 10).flatMap((text) => readMarkdown(text))
  const real = blocks.flatMap(({ type, text }) => (type === 'text' ? text : []))
  const markup = fc.constantFrom(...'ab1 *_`~=$[]()\\<>&;', '](x.y)', '](', '**', '[a', '&amp;', '<b>', 'é')
  const made = fc
    .sample(fc.string({ unit: markup, maxLength: 12 }), { numRuns: runs(1_000, 20_000), seed: 3 })
    .map((text) => normalizeText(text))
  for (const text of [...real, ...made]) expect(words(indexableText(text)), text).toEqual(words(plainText(text)))
})

describe('a long text in chunks', () => {
  const blocks = examples(texts, 2).flatMap((text) => readMarkdown(text))
  const long = blocks
    // A sign that stands alone in its block could be one of a pair here; pictures side by side are read as one word.
    .flatMap(({ type, text }) =>
      type === 'text' && /^[^`$\\<~!]+$/.test(text) && (text.split('*').length - 1) % 2 === 0 ? text : [],
    )
    .join(' ')
    .slice(0, 50 * CHUNK_LENGTH)

  const rowOf = (text: string) => ({ type: 'text', text, attributes: null }) as BlockRow

  test('is indexed with the words that people read in it', async () => {
    const { text } = await indexedText(rowOf(long), [])
    const indexed = new Set(words(text))
    expect(words(plainText(long)).filter((word) => !indexed.has(word))).toEqual([])
  })

  test.each([
    ['in parts and as one', `${'un**believ**able '.repeat(1000)}`, ['un', 'believ', 'able', 'unbelievable']],
    ['without the words of tags', `<comment id="x7">${'word '.repeat(3000)}</comment>`, ['word']],
    ['with those of references', 'a &amp; b '.repeat(1000), ['a', 'amp', 'b']],
  ])('is indexed %s', async (_, text, expected) => {
    const indexed = await indexedText(rowOf(text), [])
    expect(new Set(words(indexed.text))).toEqual(new Set(expected))
  })

  test('is parsed as at once, except for marks that span chunks', () => {
    const parts = [...plainTextChunks(long)]
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(CHUNK_LENGTH)
    expect(parts.length).toBeGreaterThan(40)
    const [inParts, inOne] = [parts.flatMap(words), words(plainText(long))]
    expect(Math.abs(inParts.length - inOne.length)).toBeLessThan(inOne.length / 100)
  })

  test.each([
    ['a comment around all of it', `<comment id="1">${'word '.repeat(3000)}</comment>`, 3000],
    ['no space in it', 'a'.repeat(20_000), 4],
    ['a character of two halves where a part would end', `a${'😀'.repeat(10_000)}`, 1],
  ])('is parsed with %s', (_, text, count) => {
    const parts = [...plainTextChunks(text)]
    expect(parts.flatMap(words)).toHaveLength(count)
    expect(parts.join('').isWellFormed()).toBe(true)
    for (const part of parts) expect(part.isWellFormed()).toBe(true)
  })
})

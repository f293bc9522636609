import { describe, expect, test } from 'vitest'
import { Comparer } from '../../src/difference/comparer.ts'
import { PairCount } from '../../src/difference/pair-count.ts'
import { parseUnifiedDiff, writeUnifiedDiff } from '../../src/difference/unified-diff.ts'
import { differenceHtml } from '../../src/page/calls/difference.ts'

const diffOf = (before: string, after: string): string =>
  writeUnifiedDiff({ title: 'Plan', before, after }, new PairCount(1_000_000))

const html = async (diff: string, comparer = new Comparer()): Promise<string> =>
  String(await differenceHtml(comparer, parseUnifiedDiff(diff), true))

const shown = (before: string, after: string): Promise<string> => html(diffOf(before, after))

const lines = (text: string): string[] =>
  [...text.matchAll(/<p class="(added|removed|same)">(?:<span.*?<\/span>)*(.*?)<\/p>/gs)].map(
    ([, kind = '', words = '']) => `${kind[0]} ${words}`,
  )

describe('a diff', () => {
  test('marks changed words', async () => {
    expect(lines(await shown('Permits take six weeks.', 'Permits take nine weeks.'))).toEqual([
      'r Permits take <del>six</del> weeks.',
      'a Permits take <ins>nine</ins> weeks.',
    ])
  })

  test('marks nothing in lines with little in common', async () => {
    expect(lines(await shown('Permits take six weeks.', 'Cranes rust.'))).toEqual([
      'r Permits take six weeks.',
      'a Cranes rust.',
    ])
  })

  test('shows no tags, and tasks with their boxes', async () => {
    expect(lines(await shown('- [ ] <callout>The task</callout>', '- [x] The task'))).toEqual([
      'r <del>☐</del> The task',
      'a <ins>☑</ins> The task',
    ])
  })

  test('shows marks where only they changed, and nothing for a new comment', async () => {
    expect(lines(await shown('a [b](block://100000000001) c', 'a [b](block://100000000002) c'))).toHaveLength(2)
    expect(lines(await shown('words', '<comment id="1">words</comment>'))).toEqual([])
  })

  test('escapes text', async () => {
    expect(await shown('a', '<img src=x onerror=alert(1)>')).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  test('has the titles of documents, and what is said about them', async () => {
    const text = await html(`${diffOf('a', 'b')}\nAnd 3 more lines.\n"One & two": the text is the same.`)
    expect(text).toContain('<h2>Plan</h2><p class="empty">And 3 more lines.</p><div class="diff">')
    expect(text).toContain('<h2>One &amp; two</h2><p class="empty">The text is the same.</p>')
  })

  test('says so if nothing changed', async () => {
    expect(await html('')).toContain('The text is the same.')
  })
})

describe('beyond the pairs of words that a request compares', () => {
  const many = (word: string) =>
    `${'x'.repeat(300)} ${Array.from({ length: 40 }, (_, index) => `${word}${index}`).join(' ')}`
  const sentence = 'Too much changed to mark each changed word: some lines are shown whole.'

  test('lines are shown whole, and a sentence says so', async () => {
    const text = await html(diffOf(many('a'), many('b')), new Comparer(500))
    expect(lines(text)).toEqual([`r ${many('a')}`, `a ${many('b')}`])
    expect(text).toContain(sentence)
    expect(await shown(many('a'), many('b'))).not.toContain(sentence)
  })

  test('this also holds for what the same request shows afterwards', async () => {
    const comparer = new Comparer(500)
    await html(diffOf(many('a'), many('b')), comparer)
    const text = await html(diffOf('Permits take six weeks.', 'Permits take nine weeks.'), comparer)
    expect(lines(text)).toEqual(['r Permits take six weeks.', 'a Permits take nine weeks.'])
    expect(text).toContain(sentence)
  })
})

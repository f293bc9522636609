import { expect, test } from 'vitest'
import { compareWords } from '../../src/difference/changed-words.ts'
import { Comparer } from '../../src/difference/comparer.ts'
import { PairCount } from '../../src/difference/pair-count.ts'

const words = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')
const lines = (count: number, word: string): string => words(count, word).replaceAll(' ', '\n')

/** Lines with so many words that all differ, but for a common beginning that is long enough to be compared. */
const hostile = (count: number) => {
  const common = 'x'.repeat(count * 8)
  return { before: `${common} ${words(count, 'a')}`, after: `${common} ${words(count, 'b')}` }
}

test('words are marked, and counted in pairs', () => {
  const pairs = new PairCount(100)
  expect(compareWords({ before: 'Permits take six weeks.', after: 'Permits take nine weeks.' }, pairs)).toEqual([
    { sign: ' ', text: 'Permits take ' },
    { sign: '-', text: 'six' },
    { sign: '+', text: 'nine' },
    { sign: ' ', text: ' weeks.' },
  ])
  expect(pairs.left).toBeGreaterThan(80)
  expect(pairs.left).toBeLessThan(100)
})

test('lines with little in common are not marked', () => {
  const pairs = new PairCount(1_000)
  expect(compareWords({ before: 'Permits take six weeks.', after: 'Cranes rust.' }, pairs)).toEqual({
    whole: 'different',
  })
  expect(compareWords({ before: '', after: 'Cranes rust.' }, pairs)).toEqual({ whole: 'different' })
})

test('a line that is longer than the pairs left is not even split', () => {
  const pairs = new PairCount(1_000)
  const long = 'a '.repeat(600)
  expect(compareWords({ before: long, after: `${long}b` }, pairs)).toEqual({ whole: 'too long' })
  expect(pairs.left).toBe(1_000)
})

test('what a request compares counts toward one limit', async () => {
  const comparer = new Comparer(3_000)
  const [first, second] = await comparer.compareLines([hostile(20), hostile(20)])
  expect([first, second].map((one) => Array.isArray(one))).toEqual([true, true])
  // In the documents, 50 lines would be compared with 50 others.
  const [diff] = await comparer.compareDocuments([{ title: 'Plan', before: lines(50, 'a'), after: lines(50, 'b') }])
  expect(diff).toContain('the changed part is shown whole.')
  expect(await comparer.compareLines([{ before: 'one two', after: 'one three' }])).toEqual([{ whole: 'too long' }])
})

test('the limit is the same for comparisons that begin at the same time', async () => {
  const inTurn = new Comparer(3_000)
  const one = await inTurn.compareLines([hostile(20)])
  const other = await inTurn.compareLines([hostile(40)])
  const third = await inTurn.compareLines([hostile(20)])
  const atOnce = new Comparer(3_000)
  expect(await Promise.all([20, 40, 20].map((count) => atOnce.compareLines([hostile(count)])))).toEqual([
    one,
    other,
    third,
  ])
  expect(third).toEqual([{ whole: 'too long' }])
})

test('short texts have the same result as in the worker thread', async () => {
  const document = { title: 'Plan', before: 'a\nb\nc', after: 'a\nx\nc' }
  const [short] = await new Comparer().compareDocuments([document])
  const [first] = await new Comparer().compareDocuments([
    document,
    { title: 'Long', before: lines(9_000, 'a'), after: '' },
  ])
  expect(first).toBe(short)
})

test('other work goes on while long texts are compared', async () => {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const [diff] = await new Comparer(100_000).compareDocuments([
    { title: 'Plan', before: lines(4_000, 'a'), after: lines(4_000, 'b') },
  ])
  isDone = true
  expect(
    diff?.endsWith('\nToo much of this document changed to compare it line by line: the changed part is shown whole.'),
  ).toBe(true)
  // Starting the thread and passing the texts takes turns as well, comparing in this thread none.
  expect(turns).toBeGreaterThan(0)
})

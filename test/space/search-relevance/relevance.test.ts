/** The ranking quality of the search, over READMEs and notes that were judged by hand. */
import { beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { searchDocuments } from '../../../src/space/search/search-documents.ts'
import { prepareSearch } from '../../../src/space/search/search-input.ts'
import { openCorpus } from './corpus.ts'
import { mean, ndcg, reciprocalRank } from './measures.ts'
import { QUESTIONS } from './questions.ts'

type Kind = keyof typeof QUESTIONS

interface Measured {
  kind: string
  ndcg: number
  reciprocalRank: number
}

const measured: Measured[] = []
const meanOf = (name: 'ndcg' | 'reciprocalRank', kind?: Kind): number =>
  mean(measured.filter((one) => kind === undefined || one.kind === kind).map((one) => one[name]))

beforeAll(async () => {
  const space = await openCorpus()
  for (const [kind, questions] of Object.entries(QUESTIONS)) {
    for (const { include, relevant } of questions) {
      const search = await prepareSearch({ include: [include].flat(), regexps: [], fetchBlocks: false, limit: 20 })
      const { items } = await space.read(OPERATOR_LINK, (view) => searchDocuments(view, search))
      const found = items.map(({ title }) => title)
      measured.push({ kind, ndcg: ndcg(found, relevant), reciprocalRank: reciprocalRank(found, relevant) })
    }
  }
  await space.close()
})

/** Thresholds slightly below the measured values: 0.951 and 0.963 overall. */
const FLOORS: Record<Kind, [ndcg: number, reciprocalRank: number]> = {
  words: [0.96, 0.99],
  sentences: [0.8, 0.79],
  forms: [0.97, 0.99],
  prefixes: [0.94, 0.99],
  phrases: [0.99, 0.99],
  entries: [0.95, 0.99],
  titles: [0.98, 0.99],
  languages: [0.99, 0.99],
}

test('there are sixty queries', () => {
  expect(measured).toHaveLength(60)
})

test('the order of the first ten results is nearly optimal', () => {
  expect(meanOf('ndcg')).toBeGreaterThan(0.94)
})

test('the first result is nearly always relevant', () => {
  expect(meanOf('reciprocalRank')).toBeGreaterThan(0.95)
})

describe.each(Object.entries(FLOORS) as [Kind, [number, number]][])('%s', (kind, [ndcgFloor, reciprocalRankFloor]) => {
  test('have relevant results', () => {
    expect(meanOf('ndcg', kind)).toBeGreaterThan(ndcgFloor)
    expect(meanOf('reciprocalRank', kind)).toBeGreaterThan(reciprocalRankFloor)
  })
})

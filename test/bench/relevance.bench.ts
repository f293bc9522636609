/**
 * How well documents are ordered, on public collections with judged questions: `--data FOLDER` names the one with the
 * files of Cranfield and CISI. They are asked as they are, in whole sentences, and once more with a typing error.
 */

import { addDocuments, prepareDocuments } from '../../src/space/documents/documents.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { searchDocuments } from '../../src/space/search/search-documents.ts'
import { prepareSearch } from '../../src/space/search/search-input.ts'
import { mean, ndcg } from '../space/search-relevance/measures.ts'
import type { Figure, Measure } from './figure.ts'
import { type JudgedCollection, readCollections } from './judged-collections.ts'

/** nDCG@10 before questions that repeat a word, compounds and lighter titles counted. */
const BEFORE: Readonly<Record<string, number>> = { Cranfield: 0.39, CISI: 0.303 }
const DOCUMENTS_PER_CALL = 100
const QUESTION_LENGTH = 1_000

export const measure: Measure = async ({ data } = {}) => {
  if (data === undefined) return { figures: [], notes: ['relevance: name a folder of judged collections with --data.'] }
  const figures: Figure[] = []
  for (const collection of readCollections(data)) figures.push(await relevance(collection))
  return { figures }
}

async function relevance({ name, documents, questions }: JudgedCollection): Promise<Figure> {
  const space = await openSpace(':memory:', { timezone: 'UTC' })
  const numbers = new Map<string, number>()
  for (let from = 0; from < documents.length; from += DOCUMENTS_PER_CALL) {
    const prepared = await prepareDocuments(documents.slice(from, from + DOCUMENTS_PER_CALL))
    const { items } = (await space.write(OPERATOR_LINK, (view) =>
      addDocuments(view, prepared, { destination: 'unsorted' }, 'ids'),
    )) as { items: { id: string }[] }
    for (const [index, { id }] of items.entries()) numbers.set(id, from + index + 1)
  }
  const scores: number[] = []
  for (const { text, relevant } of questions) {
    const include = [text.slice(0, QUESTION_LENGTH)]
    const search = await prepareSearch({ include, regexps: [], fetchBlocks: false, limit: 10 })
    const { items } = await space.read(OPERATOR_LINK, (view) => searchDocuments(view, search))
    const found = items.map(({ documentId = '' }) => String(numbers.get(documentId)))
    scores.push(ndcg(found, Object.fromEntries(relevant.map((number) => [String(number), 1]))))
  }
  await space.close()
  const before = BEFORE[name] ?? Number.NaN
  const ours = mean(scores)
  return {
    what: `nDCG@10 of ${questions.length} questions to ${name}`,
    floor: 'before',
    ours,
    bare: before,
    unit: '',
    ratio: ours / before,
    goal: { of: 'ratio', least: name === 'CISI' ? 1.15 : 1.03 },
  }
}

/**
 * Measures how well documents are ranked, on public test collections with relevance judgments: `--data FOLDER` names
 * the folder with the files of Cranfield and CISI. The questions are asked unchanged, in whole sentences, and again
 * with a typo.
 */

import { addDocuments, prepareDocuments } from '../../src/space/documents/documents.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { searchDocuments } from '../../src/space/search/search-documents.ts'
import { prepareSearch } from '../../src/space/search/search-input.ts'
import { mean, ndcg } from '../space/search-relevance/measures.ts'
import type { Figure, Measure } from './figure.ts'
import { type JudgedCollection, readCollections, readConversations } from './judged-collections.ts'

/** nDCG@10 before ranking considered repeated query words and compounds, and gave titles less weight. */
const BEFORE: Readonly<Record<string, number>> = { Cranfield: 0.39, CISI: 0.303 }
const DOCUMENTS_PER_CALL = 100
const QUESTION_LENGTH = 1_000

export const measure: Measure = async ({ data } = {}) => {
  if (data === undefined) return { figures: [], notes: ['relevance: name a folder of judged collections with --data.'] }
  const figures: Figure[] = []
  for (const collection of readCollections(data)) {
    const queries = await openCollection(collection)
    figures.push(await relevance(collection, queries), await typingErrors(collection, queries))
    await queries.close()
  }
  const conversations = readConversations(data)
  if (conversations.length > 0) figures.push(await recallInConversations(conversations))
  return { figures }
}

/** Recall@5 in BEAM's conversations before beginnings weighed more and words of asking less. */
const BEFORE_IN_CONVERSATIONS = 0.49

async function recallInConversations(conversations: readonly JudgedCollection[]): Promise<Figure> {
  const recalls: number[] = []
  for (const conversation of conversations) {
    const { ask, close } = await openCollection(conversation)
    for (const { text, relevant } of conversation.questions) {
      const found = (await ask(text)).slice(0, 5)
      recalls.push(relevant.filter((number) => found.includes(String(number))).length / relevant.length)
    }
    await close()
  }
  const ours = mean(recalls)
  return {
    what: `recall@5 of ${recalls.length} questions to BEAM 100K`,
    floor: 'before',
    ours,
    bare: BEFORE_IN_CONVERSATIONS,
    unit: '',
    ratio: ours / BEFORE_IN_CONVERSATIONS,
    goal: { of: 'ours', least: 0.54 },
  }
}

/** A collection imported to a space. */
interface AskedCollection {
  /** Returns the numbers of the best documents for a question. */
  ask(question: string): Promise<string[]>
  close(): Promise<void>
}

async function openCollection({ documents }: JudgedCollection): Promise<AskedCollection> {
  const space = await openSpace(':memory:', { timezone: 'UTC' })
  const numbers = new Map<string, number>()
  for (let from = 0; from < documents.length; from += DOCUMENTS_PER_CALL) {
    const prepared = await prepareDocuments(documents.slice(from, from + DOCUMENTS_PER_CALL))
    const { items } = (await space.write(OPERATOR_LINK, (view) =>
      addDocuments(view, prepared, { destination: 'unsorted' }, 'ids'),
    )) as { items: { id: string }[] }
    for (const [index, { id }] of items.entries()) numbers.set(id, from + index + 1)
  }
  return {
    async ask(question) {
      const include = [question.slice(0, QUESTION_LENGTH)]
      const search = await prepareSearch({ include, regexps: [], fetchBlocks: false, limit: 10 })
      const { items } = await space.read(OPERATOR_LINK, (view) => searchDocuments(view, search))
      return items.map(({ documentId = '' }) => String(numbers.get(documentId)))
    },
    close: () => space.close(),
  }
}

async function relevance({ name, questions }: JudgedCollection, { ask }: AskedCollection): Promise<Figure> {
  const scores: number[] = []
  for (const { text, relevant } of questions) {
    scores.push(ndcg(await ask(text), Object.fromEntries(relevant.map((number) => [String(number), 1]))))
  }
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

/** How many questions are asked with a typo, and the minimum length of the mistyped word. */
const MISTYPED_QUESTIONS = 100
const MISTYPED_LENGTH = 6

/**
 * Measures how much of the recall in the first five results, lost by a typo, is recovered. The typo swaps two letters
 * of the rarest word.
 */
async function typingErrors(
  { name, documents, questions }: JudgedCollection,
  { ask }: AskedCollection,
): Promise<Figure> {
  const frequencies = new Map<string, number>()
  for (const { title, markdown } of documents) {
    for (const word of new Set(wordsOf(`${title} ${markdown}`))) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  }
  const recalled = { whole: 0, mistyped: 0, without: 0 }
  for (const { text, relevant } of questions.slice(0, MISTYPED_QUESTIONS)) {
    const known = wordsOf(text).filter((word) => word.length >= MISTYPED_LENGTH && frequencies.has(word))
    const [rarest] = known.sort((one, other) => (frequencies.get(one) ?? 0) - (frequencies.get(other) ?? 0))
    if (rarest === undefined) continue
    const replaced = (by: string) => text.replace(new RegExp(`\\b${rarest}\\b`, 'gi'), by)
    const recall = async (question: string) =>
      (await ask(question)).slice(0, 5).filter((number) => relevant.includes(Number(number))).length
    recalled.whole += await recall(text)
    recalled.mistyped += await recall(replaced(swapInside(rarest)))
    recalled.without += await recall(replaced(''))
  }
  const { whole, mistyped, without } = recalled
  return {
    what: `recall@5 of ${MISTYPED_QUESTIONS} mistyped questions to ${name} that comes back, of ${whole - without} lost`,
    floor: 'without the word',
    ours: (100 * (mistyped - without)) / (whole - without),
    bare: 0,
    unit: '%',
    ratio: Number.NaN,
    goal: { of: 'ours', least: 80 },
  }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

/** Swaps two different letters in the middle of the word. */
function swapInside(word: string): string {
  const middle = Math.floor(word.length / 2)
  const at = [middle - 1, middle, middle - 2].find((place) => word[place] !== word[place + 1]) ?? middle
  return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`
}

/**
 * Search by terms compared with the bare FTS5 query of the same words, the cost of the index, and whether whole
 * sentences find their documents. The corpus is the Markdown of installed packages, repeated with changed words.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { insertBlockTrees } from '../../src/space/editing/insert-blocks.ts'
import { createDocument } from '../../src/space/model/create-document.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { splitWords } from '../../src/space/search/word-segmentation.ts'
import { findReadmes } from '../demo/readmes.ts'
import { type Figure, type Measure, median, timed } from './figure.ts'
import { inFolder, openWorkbench } from './workbench.ts'

/** Sizes of the corpus in blocks. The goals go up to 1,000,000: SCRIPTORIUM_BENCH_BLOCKS=1000000. */
const SIZES = (process.env.SCRIPTORIUM_BENCH_BLOCKS ?? '10000,100000').split(',').map(Number)
/** The number of blocks in a document. Long files are split into several documents. */
const BLOCKS_A_DOCUMENT = 40
const QUERIES = 60
const SENTENCES = 100

interface Part {
  title: string
  blocks: Block[]
}

/** Documents of real text, in pieces of limited length. */
function partsOfReadmes(): Part[] {
  const parts: Part[] = []
  for (const { title, markdown } of findReadmes(join(import.meta.dirname, '../../node_modules'))) {
    const blocks = readMarkdown(markdown)
    for (let from = 0; from < blocks.length; from += BLOCKS_A_DOCUMENT) {
      parts.push({
        title: from === 0 ? title : `${title} ${from}`,
        blocks: blocks.slice(from, from + BLOCKS_A_DOCUMENT),
      })
    }
  }
  return parts
}

/** Returns a generator of random numbers, the same in every run. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Returns a copy in which a third of the longer words are replaced. The replacements come from the corpus, so that
 * their frequencies are realistic. One in ten is made up, so that a larger corpus has more rare words.
 */
function changed(text: string, pool: readonly string[], next: () => number): string {
  return text.replace(/(?<![\w/.(-])[a-z]{5,}(?![\w/.)-])/g, (word) => {
    if (next() > 1 / 3) return word
    const other = pool[Math.floor(next() * pool.length)] ?? word
    return next() < 0.1 ? `${other.slice(0, 4)}${Math.floor(next() * 46_656).toString(36)}` : other
  })
}

function* corpus(parts: readonly Part[], blocks: number): Generator<Part> {
  const pool = parts.flatMap((part) =>
    part.blocks.flatMap(({ type, text }) => (type === 'text' ? longWords(text) : [])),
  )
  const next = chance(1)
  let made = 0
  for (let round = 0; made < blocks; round++) {
    for (const part of parts) {
      if (made >= blocks) return
      made += part.blocks.length + 1
      if (round === 0) yield part
      else {
        const copy = (block: Block): Block => ({
          ...block,
          text: changed(block.text, pool, next),
          ...(block.content && { content: block.content.map(copy) }),
        })
        yield { title: `${part.title} ${round}`, blocks: part.blocks.map(copy) }
      }
    }
  }
}

const longWords = (text: string): string[] => text.match(/\b[a-z]{5,}\b/g) ?? []

/** Fills a file the same way as a call that adds documents, but without the validation of input. */
async function fill(file: string, parts: Iterable<Part>): Promise<number> {
  const space = await openSpace(file, { name: 'Bench', timezone: 'UTC' })
  const link = await space.createAccessLink('full', [], 'bench')
  let blocks = 0
  const write = (some: readonly Part[]) =>
    space.write(link, async (view) => {
      for (const part of some) {
        const parent = await createDocument(view, part.title, {
          location: 'unsorted',
          folder: null,
          dailyNoteDate: null,
        })
        await insertBlockTrees(view, part.blocks, { parent, at: 'end' })
        blocks += part.blocks.length + 1
      }
    })
  let some: Part[] = []
  for (const part of parts) {
    some.push(part)
    if (some.length < 100) continue
    await write(some)
    some = []
  }
  await write(some)
  await space.close()
  return blocks
}

/** Words by how many blocks contain them, and sentences of the corpus. */
function questions(sqlite: Database): Record<string, string[]> {
  sqlite.exec('CREATE VIRTUAL TABLE temp.term USING fts5vocab (main, search, row)')
  const count = sqlite.prepare<[], number>('SELECT count(*) FROM search_docsize').pluck().get() ?? 1
  const words = (from: number, to: number) =>
    sqlite
      .prepare<unknown[], string>(
        `SELECT term FROM temp.term WHERE doc BETWEEN ? AND ? AND term NOT GLOB '*[^a-z]*' AND length(term) BETWEEN 4 AND 12
         ORDER BY substr(term, 2), term LIMIT 400`,
      )
      .pluck()
      .all(Math.max(2, count * from), count * to)
  const [rare, middle, common] = [words(0, 0.0001), words(0.0005, 0.002), words(0.01, 0.05)]
  const next = chance(2)
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? 'word'
  const times = (make: () => string) => Array.from({ length: QUERIES }, make)
  const texts = sentencesOf(sqlite, QUERIES, next).map(({ sentence }) => sentence)
  return {
    'rare word': times(() => pick(rare)),
    'middle word': times(() => pick(middle)),
    'common word': times(() => pick(common)),
    'AND of common and middle': times(() => `${pick(common)} & ${pick(middle)}`),
    sentence: texts,
    phrase: texts.map((text) => `"${text.split(/\s+/).slice(1, 4).join(' ')}"`),
  }
}

/** Picks sentences from plain blocks. */
function sentencesOf(sqlite: Database, count: number, next: () => number): { sentence: string }[] {
  const last = sqlite.prepare<[], number>('SELECT max(n) FROM block').pluck().get() ?? 0
  const find = sqlite.prepare<[number], { text: string }>(
    `SELECT block.text FROM block
     WHERE block.n > CAST(? AS INTEGER) AND block.type = 'text' AND block.list_style IS NULL AND block.attributes IS NULL
       AND length(block.text) BETWEEN 60 AND 300 AND block.text NOT LIKE '%](%' ORDER BY block.n LIMIT 1`,
  )
  const found: { sentence: string }[] = []
  for (let tries = 0; found.length < count && tries < count * 20; tries++) {
    const row = find.get(Math.floor(next() * last))
    const sentence = row?.text.split(/(?<=[.!?])\s/)[0] ?? ''
    if (row !== undefined && sentence.split(/\s+/).length >= 7) found.push({ sentence })
  }
  return found
}

const quoted = (text: string, operator: string): string =>
  splitWords(text)
    .map(({ word }) => `"${word}"`)
    .join(operator)

/** The query of a program that uses FTS5 directly: whole words, all in one row. */
function bareQuery(question: string): string {
  if (question.startsWith('"'))
    return `"${splitWords(question)
      .map(({ word }) => word)
      .join(' ')}"`
  return question.includes(' & ') ? quoted(question, ' AND ') : quoted(question, ' OR ')
}

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN

async function timing(file: string, size: number): Promise<Figure[]> {
  const bench = await openWorkbench(file)
  const sqlite = new Sqlite(file, { readonly: true })
  const bare = sqlite.prepare('SELECT rowid, rank FROM search WHERE search MATCH ? ORDER BY rank LIMIT 20')
  const figures: Figure[] = []
  for (const [what, input] of Object.entries(questions(sqlite))) {
    const [ours, floor]: [number[], number[]] = [[], []]
    for (const question of [...input.slice(0, 5), ...input]) {
      const include = question.split(' & ')
      ours.push(await timed(() => bench.call('documents_search', { include })))
      floor.push(await timed(() => bare.all(bareQuery(question))))
    }
    const [times, floors] = [ours.slice(5), floor.slice(5)]
    const [p99, bare99] = [percentile(times, 0.99), percentile(floors, 0.99)]
    const of = `documents_search in ${size.toLocaleString('en-US')} blocks, ${what}`
    const ratio = median(times) / median(floors)
    const one = { floor: 'bare FTS5, top 20 by bm25', unit: 'ms' }
    figures.push(
      { what: `${of}, p50`, ...one, ours: median(times), bare: median(floors), ratio, goal: { of: 'ours', most: 50 } },
      { what: `${of}, p99`, ...one, ours: p99, bare: bare99, ratio: p99 / bare99, goal: { of: 'ours', most: 50 } },
    )
  }
  sqlite.close()
  await bench.close()
  return figures
}

/** Checks how often a sentence finds its document among the first five, compared with FTS5 and AND of all words. */
async function recall(file: string, size: number): Promise<Figure> {
  const bench = await openWorkbench(file)
  const sqlite = new Sqlite(file, { readonly: true })
  const bare = sqlite.prepare<[string], number>(
    `SELECT root.id FROM search CROSS JOIN block AS root ON root.n = search.rowid >> 31
     WHERE search MATCH ? ORDER BY rank LIMIT 5`,
  )
  // If several documents contain the same sentence, each of them counts.
  const same = sqlite.prepare<[string], number>(
    `SELECT root.id FROM block CROSS JOIN block AS root ON root.n = block.document WHERE instr(block.text, ?) > 0`,
  )
  const sentences = sentencesOf(sqlite, SENTENCES, chance(3))
  const next = chance(4)
  let [ours, floor] = [0, 0]
  for (const { sentence } of sentences) {
    const right = new Set(same.pluck().all(sentence).map(String))
    // Simulates a user who does not remember the exact words: some words are left out, and it is a question.
    const words = sentence.split(/\s+/).filter(() => next() > 0.3)
    const question = `what about ${words.join(' ')}?`
    const { items } = await bench.call<{ items: { documentId: string }[] }>('documents_search', { include: question })
    if (items.slice(0, 5).some(({ documentId }) => right.has(documentId))) ours++
    if (
      bare
        .pluck()
        .all(quoted(question, ' AND '))
        .some((id) => right.has(String(id)))
    )
      floor++
  }
  sqlite.close()
  await bench.close()
  const percent = (count: number) => (100 * count) / sentences.length
  return {
    what: `recall@5 of ${sentences.length} sentences in ${size.toLocaleString('en-US')} blocks`,
    floor: 'FTS5, AND of all words',
    ours: percent(ours),
    bare: percent(floor),
    unit: '%',
    ratio: ours / Math.max(1, floor),
    goal: { of: 'ours', least: 80 },
  }
}

/** Measures the size of the file and of the index, relative to the text in the blocks. */
function sizeFigure(file: string, size: number): Figure {
  const sqlite = new Sqlite(file, { readonly: true })
  const text = sqlite.prepare<[], number>('SELECT sum(length(CAST(text AS BLOB))) FROM block').pluck().get() ?? 1
  const index =
    sqlite.prepare<[], number>("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'search%'").pluck().get() ?? 0
  sqlite.close()
  return {
    what: `file of ${size.toLocaleString('en-US')} blocks, for each MB of text; of it the index`,
    floor: 'the index',
    ours: statSync(file).size / text,
    bare: index / text,
    unit: 'MB',
    ratio: statSync(file).size / index,
    goal: { of: 'ours', most: 8 },
  }
}

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const parts = partsOfReadmes()
    const figures: Figure[] = []
    const notes: string[] = []
    for (const size of SIZES) {
      const file = join(folder, `space-${size}.sqlite`)
      let blocks = 0
      const time = await timed(async () => {
        blocks = await fill(file, corpus(parts, size))
      })
      notes.push(`${blocks.toLocaleString('en-US')} blocks were made in ${(time / 1000).toFixed(1)} s.`)
      figures.push(...(await timing(file, size)), await recall(file, size), sizeFigure(file, size))
    }
    return { figures, notes }
  })

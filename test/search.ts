/** Finds errors in the index of words, links and tags by comparing it with the blocks. */

import { sql } from 'drizzle-orm'
import { indexedText } from '../src/space/search/indexed-text.ts'
import { stem } from '../src/space/search/stem.ts'
import { splitWords } from '../src/space/search/word-segmentation.ts'
import { wordTools } from '../src/space/search/word-tools.ts'
import { Connection as PostgresConnection } from '../storage/postgres/connection.ts'
import { blocksOf } from '../storage/postgres/posting-bits.ts'
import { indexedStems } from '../storage/postgres/word-search.ts'
import { relatedTexts } from '../storage/related-texts.ts'
import { type BlockRow, block } from '../storage/schema.ts'
import { selectFrom, statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { connectionOf, rowsOf } from './sqlite.ts'

const VOCABULARY = 'CREATE VIRTUAL TABLE IF NOT EXISTS temp.term USING fts5vocab (main, search, instance)'

/** Positions of words that are only in the index (`-`), or only in the blocks (`+`). */
export async function indexFaults(tx: Transaction): Promise<string[]> {
  const [found, expected] = await (tx instanceof PostgresConnection ? inPostings(tx) : inFullTextIndex(tx))
  return [
    ...[...found.difference(expected)].map((place) => `- ${place}`),
    ...[...expected.difference(found)].map((place) => `+ ${place}`),
  ]
}

type Places = [found: Set<string>, expected: Set<string>]

/** PostgreSQL stores the stems of each block in order, and which blocks contain a stem. */
async function inPostings(tx: PostgresConnection): Promise<Places> {
  const [found, expected] = [new Set<string>(), new Set<string>()]
  const blocks = await tx.all(statement<BlockRow>(() => sql`${selectFrom(block)} ORDER BY n`))
  const related = await relatedTexts(tx, blocks)
  const former = new Map(
    (await rowsOf<{ former: string; id: number }>(tx, 'SELECT former, id FROM former_id')).map(({ former, id }) => [
      former,
      String(id),
    ]),
  )
  for (const row of blocks) {
    const { title, text, targets = [], tags = [] } = await wordTools.extract(row, related.get(row.n) ?? [])
    for (const { tag } of tags) expected.add(`${row.n} tagged ${tag}`)
    for (const target of targets) {
      const id = target.includes('-') ? former.get(target) : target
      if (id !== undefined) expected.add(`${row.n} links ${id}`)
    }
    const words = indexedStems(wordTools, title, text)
    if (words !== '') expected.add(`${row.document} ${row.n} is${words}`)
    for (const word of words.split(' ')) {
      if (word !== '' && word !== '|') expected.add(`${row.document} ${row.n} has ${word}`)
    }
  }
  for (const { block, target } of await rowsOf<{ block: number; target: number }>(
    tx,
    'SELECT block, target FROM block_link',
  )) {
    found.add(`${block} links ${target}`)
  }
  for (const { block, tag } of await rowsOf<{ block: number; tag: string }>(tx, 'SELECT block, tag FROM block_tag')) {
    found.add(`${block} tagged ${tag}`)
  }
  const indexed = await rowsOf<{ document: number; block: number; words: string }>(
    tx,
    'SELECT document, block, words FROM indexed_block',
  )
  for (const { document, block, words } of indexed) found.add(`${document} ${block} is${words}`)
  const postings = await rowsOf<{ document: number; base: number; bits: number; word: string }>(
    tx,
    'SELECT document, base, bits, word FROM posting',
  )
  for (const { document, base, bits, word } of postings) {
    for (const block of blocksOf(base, bits)) found.add(`${document} ${block} has ${word}`)
  }
  return [found, expected]
}

async function inFullTextIndex(tx: Transaction): Promise<Places> {
  connectionOf(tx).sqlite.exec(VOCABULARY)
  const indexed = connectionOf(
    tx,
  ).sql<string>(`SELECT (doc >> 31) || ' ' || (doc & 2147483647) || ' ' || col || ' ' || "offset" || ' ' || term
    FROM temp.term`)
  const found = new Set(indexed.pluck().all())
  const blocks = connectionOf(tx).sql<BlockRow>('SELECT * FROM block').all()
  const related = await relatedTexts(tx, blocks)
  const expected = new Set<string>()
  const links = connectionOf(tx).sql<string>("SELECT block || ' links ' || target FROM block_link").pluck().all()
  for (const link of links) found.add(link)
  const tags = connectionOf(tx).sql<string>("SELECT block || ' tagged ' || tag FROM block_tag").pluck().all()
  for (const tag of tags) found.add(tag)
  const former = connectionOf(tx).sql<number>('SELECT id FROM former_id WHERE former = ?').pluck()
  for (const row of blocks) {
    const { title, text, targets = [], tags = [] } = await indexedText(row, related.get(row.n) ?? [])
    for (const { tag } of tags) expected.add(`${row.n} tagged ${tag}`)
    for (const target of targets) {
      const id = target.includes('-') ? former.get(target) : target
      if (id !== undefined) expected.add(`${row.n} links ${id}`)
    }
    for (const [column, response] of Object.entries({ title, text })) {
      splitWords(response).forEach(({ word }, at) => {
        expected.add(`${row.document} ${row.n} ${column} ${at} ${stem(word)}`)
      })
    }
  }
  return [found, expected]
}

/** What is wrong with the index of words and links: what it holds, beside what the blocks say. */

import { indexedText } from '../src/space/search/indexed-text.ts'
import { stem } from '../src/space/search/stem.ts'
import { splitWords } from '../src/space/search/word-segmentation.ts'
import { relatedTexts } from '../storage/related-texts.ts'
import type { BlockRow } from '../storage/schema.ts'
import type { Transaction } from '../storage/transaction.ts'
import { connectionOf } from './sqlite.ts'

const VOCABULARY = 'CREATE VIRTUAL TABLE IF NOT EXISTS temp.term USING fts5vocab (main, search, instance)'

/** Places of words that are in the index and not in the blocks (`-`), and the other way round (`+`). */
export async function indexFaults(tx: Transaction): Promise<string[]> {
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
  const former = connectionOf(tx).sql<number>('SELECT id FROM former_id WHERE former = ?').pluck()
  for (const row of blocks) {
    const { title, text, targets = [] } = await indexedText(row, related.get(row.n) ?? [])
    for (const target of targets) {
      const id = target.includes('-') ? former.get(target) : target
      if (id !== undefined) expected.add(`${row.n} links ${id}`)
    }
    for (const [column, said] of Object.entries({ title, text })) {
      splitWords(said).forEach(({ word }, at) => {
        expected.add(`${row.document} ${row.n} ${column} ${at} ${stem(word)}`)
      })
    }
  }
  return [
    ...[...found.difference(expected)].map((place) => `- ${place}`),
    ...[...expected.difference(found)].map((place) => `+ ${place}`),
  ]
}

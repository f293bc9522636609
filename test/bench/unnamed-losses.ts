/**
 * Finds words of imported notes that are in no document and in no line of the report. It knows nothing of how the import
 * compares notes: it counts runs of letters and digits in the file, and in the Markdown of the document as tools read it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportProblem } from '../../src/import/import-source.ts'
import { readImportRecord } from '../../src/space/import/import-record.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { type CountedBlock, countUnnamedKinds } from './unnamed-kinds.ts'
import type { Workbench } from './workbench.ts'

export interface UnnamedLosses {
  /** Words of notes without a line in the report. */
  words: number
  /** Other things than words, by their kind. */
  kinds: Record<string, number>
  /** Some of both, with their file. */
  examples: string[]
}

const LISTED = 10
const WORD = /[\p{L}\p{N}]+/gu

/** @param folder  that was imported @param problems  of the report @param call  reads documents */
export async function countUnnamed(
  space: OpenSpace,
  folder: string,
  problems: readonly ImportProblem[],
  call: Workbench['call'],
): Promise<UnnamedLosses> {
  const { entries } = await space.read(OPERATOR_LINK, (view) => readImportRecord(view, folder))
  const named = Map.groupBy(problems, ({ path }) => path)
  const found: UnnamedLosses = { words: 0, kinds: {}, examples: [] }
  for (const [path, { id, document }] of entries) {
    if (!/\.(?:md|markdown)$/i.test(path) || document === undefined) continue
    const read = { id: String(id), maxDepth: -1 }
    const content = await call<string>('blocks_get', { ...read, format: 'markdown' })
    // Comments stand beside blocks.
    const beside = await call<string>('blocks_get', { ...read, fetchMetadata: true })
    const root = (typeof beside === 'string' ? JSON.parse(beside) : beside) as CommentedBlock & CountedBlock
    const comments = commentsIn(root)
    const kinds = countUnnamedKinds(withoutFront(join(folder, path)), root, named.get(path) ?? [])
    for (const [kind, count] of kinds) {
      found.kinds[kind] = (found.kinds[kind] ?? 0) + count
      if (found.examples.length < LISTED) found.examples.push(`${path}: ${count} ${kind}`)
    }
    const lost = missingWords(textOf(join(folder, path)), `${path} ${content} ${comments}`)
    const lines = new Set(
      (named.get(path) ?? []).flatMap(({ message, detail = '' }) => wordsOf(`${message} ${detail}`)),
    )
    // A line without a number is about all of the file.
    const isWhole = named.get(path)?.some(({ line }) => line === undefined) === true
    const unnamed = isWhole ? [] : lost.filter((word) => !lines.has(word))
    found.words += unnamed.length
    if (unnamed.length > 0 && found.examples.length < LISTED) {
      found.examples.push(`${path}: ${unnamed.slice(0, LISTED).join(' ')}`)
    }
  }
  return found
}

const withoutFront = (file: string): string =>
  new TextDecoder().decode(readFileSync(file)).replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '')

/** The texts of all comments on a block and what is in it. */
function commentsIn({ metadata, content = [] }: CommentedBlock): string {
  const own = metadata?.comments?.map((comment) => comment.content) ?? []
  return [...own, ...content.map(commentsIn)].join(' ')
}

interface CommentedBlock {
  metadata?: { comments?: { content: string }[] }
  content?: CommentedBlock[]
}

/**
 * Without the kinds of callouts, which are fields of blocks, names of blocks, HTML tags, and the targets of links, which `vault-links.ts`
 * follows: what they lead to has another address afterwards.
 */
const textOf = (file: string): string =>
  new TextDecoder()
    .decode(readFileSync(file))
    .replace(/^([ \t>]*)\[!\w+\]/gm, '$1')
    .replace(/(^|[ \t#\]])\^[\w-]+(?=[ \t]*$|\]\]|\|)/gm, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '] ')
    .replace(/\[\[[^[\]|\n]*\|/g, '[[')
    .replace(/(\[\[[^[\]#\n]*)#[^[\]\n]*(?=\]\])/g, '$1')
    .replace(/^ {0,3}\[[^\]\n]+\]:.*(?:\n[ \t]+\S.*)?$/gm, ' ')
    .replace(/\]\[[^[\]\n]*\]/g, '] ')

/** Numbers of lists are those of places. Escapes in addresses and references of characters are no words. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/^[ \t>]*(?:[-*+][ \t]+)*\d{1,9}[.)](?=[ \t]|$)/gm, ' ')
    .replace(/%[0-9a-f]{2}/gi, ' ')
    .replace(/&[a-z]+;|&#x?[0-9a-f]+;/gi, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .match(WORD) ?? []

/** The words that occur more often before than after. */
function missingWords(before: string, after: string): string[] {
  const left = new Map<string, number>()
  for (const word of wordsOf(after)) left.set(word, (left.get(word) ?? 0) + 1)
  return wordsOf(before).filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count <= 0
  })
}

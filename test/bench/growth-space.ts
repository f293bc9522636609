/**
 * Spaces of many sizes for the growth bench. Documents are written by plain SQL, one row per statement, since the tools
 * would take minutes for a million blocks. Things that people organize by hand (views, whiteboards, reminders) are
 * created by the tools. The number of documents, daily notes and tasks is proportional to the size of the space, while
 * that of folders, collections, views, whiteboards and reminders is the same in every space.
 */
import Sqlite from 'better-sqlite3'
import { openSpace } from '../../src/space/open-space.ts'
import { type MadeByHand, makeByHand } from './growth-by-hand.ts'

const BLOCKS_A_DOCUMENT = 20
const FOLDERS = 50
const COLLECTIONS = 20
const ITEMS_A_COLLECTION = 20
/** Tasks that the bench writes are in documents from this one on, in which it writes nothing else. */
const TASKS_FROM = 130
const TASKS = 12
/** The size of the vocabulary. Word `i` occurs in about one of `i / 3` blocks, as in natural text. */
const WORDS = 50_000
const WORDS_A_BLOCK = 12
/** In milliseconds. */
export const DAY = 86_400_000
/** All documents were created before this day, one every minute. */
export const LAST_DAY = Date.UTC(2026, 0, 1)

/**
 * Returns the word with a rank, 0 for the most common. It consists of letters only, so that patterns can contain it
 * too.
 */
export function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / 20)) {
    word += `${CONSONANTS[rest % 20]}${VOWELS[(rest + word.length) % 5]}`
  }
  return `${word}q`
}
const CONSONANTS = 'bcdfghjklmnprstvwxyz'
const VOWELS = 'aeiou'

/** Returns a generator of sentences with these words, the same in every run. */
export function makeSentences(): () => string {
  const next = randomNumbers(1)
  const texts = Array.from({ length: WORDS }, (_, rank) => wordOf(rank))
  return () => Array.from({ length: WORDS_A_BLOCK }, () => texts[Math.floor(WORDS ** next()) - 1] ?? 'word').join(' ')
}

/** The values for the arguments of calls, mostly IDs. */
export interface GrowthSpace extends Written, MadeByHand {}

export interface Written {
  /** The number of blocks. */
  blocks: number
  documents: string[]
  /**
   * The first 10 folders are at the top level and contain the others. Every second one of the others has no documents.
   */
  folders: string[]
  collections: string[]
  /** Open tasks in documents outside of the trash. */
  tasks: string[]
}

/** Creates a space of about this many blocks in a new file. */
export async function makeGrowthSpace(file: string, blocks: number): Promise<GrowthSpace> {
  // The program itself creates the tables.
  await (await openSpace(file, { name: 'Growth', timezone: 'UTC' })).close()
  const sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = OFF')
  sqlite.pragma('synchronous = OFF')
  const written = sqlite.transaction(() => fill(sqlite, blocks)).immediate()
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return { ...written, ...(await makeByHand(file, written)) }
}

function fill(sqlite: Sqlite.Database, blocks: number): Written {
  const sentence = makeSentences()
  const insert = {
    block: sqlite.prepare(
      `INSERT INTO block (n, id, document, parent, position, type, text, indentation, list_style, attributes, created_at, created_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 'bench')`,
    ),
    words: sqlite.prepare('INSERT INTO search (rowid, text, title) VALUES ((? << 31) | ?, ?, ?)'),
    document: sqlite.prepare(
      'INSERT INTO document (n, location, folder, daily_note_date, created_at, modified_at, revision) VALUES (?, ?, ?, ?, ?, ?, 1)',
    ),
    folder: sqlite.prepare('INSERT INTO folder (n, id, parent, name, created_at) VALUES (?, ?, ?, ?, ?)'),
    collection: sqlite.prepare(`INSERT INTO collection (n, title_key, title_name) VALUES (?, 'title', 'Title')`),
    property: sqlite.prepare(
      `INSERT INTO property (collection, key, name, type, position, is_back_reference) VALUES (?, 'size', 'Size', 'number', 1, 0)`,
    ),
    value: sqlite.prepare('INSERT INTO value (item, property, ordinal, number) VALUES (?, ?, 0, ?)'),
  }
  const made: Written = { blocks: 0, documents: [], folders: [], collections: [], tasks: [] }
  for (let n = 1; n <= FOLDERS; n++) {
    const id = idOf('f', n)
    made.folders.push(id)
    insert.folder.run(n, id, n > 10 ? ((n - 1) % 10) + 1 : null, `Folder ${n}`, LAST_DAY)
  }
  let n = 0
  const add = (document: number, parent: number | null, position: number, type: string, at: number, value = '') => {
    n++
    const isTask = type === 'text' && n % 25 === 0
    const [text, id] = [sentence(), idOf('b', n)]
    const state = n % 50 === 0 ? { state: 'todo', scheduleDate: dayOf(at) } : { state: 'done', completedAt: dayOf(at) }
    insert.block.run(
      ...[BigInt(n), id, BigInt(document), parent === null ? null : BigInt(parent), BigInt(position), type, text],
      ...[isTask ? 'task' : null, isTask ? JSON.stringify({ taskInfo: state }) : null, at],
    )
    const isTitle = type !== 'text'
    insert.words.run(BigInt(document), BigInt(n), isTitle ? value : text, isTitle ? text : '')
    return id
  }
  const documents = Math.floor(blocks / BLOCKS_A_DOCUMENT)
  for (let index = 0; index < documents; index++) {
    const root = n + 1
    const at = LAST_DAY - (documents - index) * 60_000
    const place = placeOf(index)
    made.documents.push(add(root, null, 0, 'page', at))
    const [folder, day] = [place === 'folder' ? 1 + (index % FOLDERS) : null, dayOf(LAST_DAY - index * DAY)]
    insert.document.run(BigInt(root), place, folder && BigInt(folder), place === 'daily_notes' ? day : null, at, at)
    for (let order = 1; order < BLOCKS_A_DOCUMENT; order++) {
      const id = add(root, root, order * 1024, 'text', at)
      const isOpenTask = n % 50 === 0 && place !== 'trash'
      if (isOpenTask && index >= TASKS_FROM && made.tasks.length < TASKS) made.tasks.push(id)
    }
    if (index < COLLECTIONS) {
      made.collections.push(add(root, root, BLOCKS_A_DOCUMENT * 1024, 'collection', at))
      const collection = n
      insert.collection.run(BigInt(collection))
      const property = insert.property.run(BigInt(collection)).lastInsertRowid
      for (let item = 1; item <= ITEMS_A_COLLECTION; item++) {
        add(root, collection, item * 1024, 'collectionItem', at, `${item}`)
        insert.value.run(BigInt(n), property, item)
      }
    }
  }
  return { ...made, blocks: n }
}

function placeOf(index: number): string {
  if (index % 10 === 7) return 'daily_notes'
  if (index % 50 === 8) return 'trash'
  return index % 2 === 0 ? 'folder' : 'unsorted'
}

/** Formats a date as `YYYY-MM-DD`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Returns an ID in the form of the program's IDs. */
const idOf = (kind: 'b' | 'f', n: number): string => String((kind === 'b' ? 100_000_000_000 : 200_000_000_000) + n)

/** Returns the block at an index in a document: 1 for the first one below the title. */
export const blockOf = (document: string, place: number): string => idOf('b', Number(document.slice(-11)) + place)

/** Returns a generator of numbers from 0 to 1, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

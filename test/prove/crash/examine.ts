/** Examines the file of a space after a crash: whether it is sound, and whether all acknowledged writes are there. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { FILE_LAWS } from '../../sound.ts'
import type { AnsweredCall } from './keyed-call.ts'
import type { Lane } from './lane.ts'
import type { Model } from './model.ts'

/** Faults, one sentence each. */
export interface Examined {
  /** Acknowledged writes that are missing or different. */
  lost: string[]
  /** Inconsistencies of the file, independent of what was acknowledged. */
  broken: string[]
}

/** The expectation of one caller: its acknowledged calls, and what the space must contain after them. */
export interface Expected {
  done: readonly AnsweredCall[]
  model: Model
}

/** @returns a fault too if the space cannot be opened, since the proof looks for that as well */
export function examine(file: string, expected: (kept: StoredResponses) => readonly Expected[]): Examined {
  const found: Examined = { lost: [], broken: [] }
  if (!existsSync(file)) return { lost: ['Expected a space, found no file.'], broken: [] }
  try {
    const sqlite = new Sqlite(file, { timeout: 10_000 })
    try {
      // Closing may checkpoint the log into the file. This needs no flush, since the harness itself has no power cut.
      sqlite.pragma('synchronous = OFF')
      sqlite.exec('BEGIN')
      found.broken.push(...unsound(sqlite), ...wrongBytes(sqlite, file))
      const kept = keptAnswers(sqlite)
      const there = readSpace(sqlite)
      for (const { done, model } of expected(kept)) found.lost.push(...unkept(kept, done), ...missing(there, model))
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (error instanceof UnfitResponse) found.broken.push(error.message)
    else if (error instanceof Sqlite.SqliteError) found.broken.push(`SQLite says ${error.code}: ${error.message}`)
    else throw error
  }
  return found
}

/** Responses that the space stored, by idempotency key. */
export type StoredResponses = ReadonlyMap<string, string>

/** The space stored a response that its call cannot have. */
class UnfitResponse extends Error {}

/**
 * Looks up whether the caller's pending call was done, and records its response.
 *
 * @throws UnfitResponse, which {@link examine} reports
 */
export function recordPending(kept: StoredResponses, lane: Lane): Expected {
  const { call } = lane
  const answer = call && kept.get(call.key)
  if (answer === undefined) {
    lane.drop()
    return lane
  }
  try {
    lane.acknowledge(JSON.parse(answer))
  } catch (error) {
    throw new UnfitResponse(`Expected a response of ${call?.tool} (${call?.key}), found ${answer}: ${error}.`)
  }
  return lane
}

function unsound(sqlite: Database): string[] {
  const rows = sqlite.pragma('integrity_check') as { integrity_check: string }[]
  const damaged = rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== 'ok')
  const count = (sql: string) => sqlite.prepare<[], number>(sql).pluck().get()
  const broken = FILE_LAWS.filter(([, sql]) => count(sql) !== 0).map(([law]) => `Expected that ${law}.`)
  return [...damaged, ...broken]
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Finds rows whose file is missing, and files whose content does not match their hash. */
function wrongBytes(sqlite: Database, file: string): string[] {
  const folder = `${file}.files`
  const hashes = new Set<string>()
  const wrong: string[] = []
  for (const part of existsSync(folder) ? readdirSync(folder) : []) {
    if (part.startsWith('passing-')) continue
    for (const rest of readdirSync(join(folder, part))) {
      const hash = hashOf(readFileSync(join(folder, part, rest)))
      hashes.add(hash)
      if (hash !== part + rest) wrong.push(`Expected the bytes of ${part + rest}, found those of ${hash}.`)
    }
  }
  const named = sqlite.prepare<[], string>('SELECT DISTINCT hash FROM file').pluck().all()
  return [...wrong, ...named.filter((hash) => !hashes.has(hash)).map((hash) => `Expected bytes ${hash}, found none.`)]
}

const keptAnswers = (sqlite: Database): StoredResponses =>
  new Map(sqlite.prepare<[], [string, string]>('SELECT key, answer FROM kept_answer').raw().all())

function unkept(kept: StoredResponses, done: readonly AnsweredCall[]): string[] {
  const lost = done.filter(({ key, answer }) => kept.get(key) !== JSON.stringify(answer))
  return lost.map(
    ({ key, tool }) => `Expected ${tool} (${key}) as it was answered, found ${kept.get(key) ?? 'nothing'}.`,
  )
}

interface There {
  texts: Map<string, string>
  children: Map<string, string[]>
  files: Map<string, string>
  comments: Map<string, string>
  reminders: Map<string, string>
  views: Map<string, string>
  folders: Map<string, string>
  places: Map<string, string>
  elements: Map<string, string[]>
  proposals: Map<string, string>
}

function readSpace(sqlite: Database): There {
  const rows = (sql: string) => sqlite.prepare<[], [unknown, unknown]>(sql).raw().all()
  // The file stores IDs as numbers, while responses have strings.
  const pairs = (sql: string) => rows(sql).map(([one, other]): [string, string] => [String(one), String(other)])
  return {
    texts: new Map(pairs('SELECT id, text FROM block')),
    children: grouped(
      pairs(
        'SELECT page.id, block.id FROM block JOIN block AS page ON page.n = block.parent ORDER BY page.n, block.position',
      ),
    ),
    files: new Map(
      pairs(
        'SELECT block.id, hash FROM block_file JOIN file ON file.n = file JOIN block ON block.n = block_file.block',
      ),
    ),
    comments: new Map(pairs('SELECT id, content FROM comment')),
    reminders: new Map(pairs('SELECT block.id, reminder.id FROM reminder JOIN block ON block.n = reminder.block')),
    views: new Map(pairs('SELECT id, name FROM view')),
    folders: new Map(pairs('SELECT id, name FROM folder')),
    places: new Map(
      pairs('SELECT block.id, folder.id FROM document JOIN block USING (n) JOIN folder ON folder.n = document.folder'),
    ),
    proposals: new Map(pairs('SELECT id, state FROM proposal')),
    elements: grouped(
      pairs('SELECT block.id, element.id FROM element JOIN block ON block.n = board ORDER BY element.n'),
    ),
  }
}

function grouped(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [group, one] of pairs) {
    const found = groups.get(group)
    if (found === undefined) groups.set(group, [one])
    else found.push(one)
  }
  return groups
}

function missing(there: There, model: Model): string[] {
  const wrong: string[] = []
  const expect = (what: string, found: unknown, expected: unknown) => {
    if (found !== expected) wrong.push(`Expected ${what} to be ${expected}, found ${found}.`)
  }
  for (const [id, what] of model.blocks) expect(`${what} ${id} there`, there.texts.has(id), true)
  for (const [id, text] of model.texts) {
    expect(`"${text.slice(0, 40)}" in ${id}`, there.texts.get(id)?.includes(text), true)
  }
  for (const id of model.gone) expect(`${id}, which was deleted, there`, there.texts.has(id), false)
  for (const [id, ids] of model.children) {
    expect(`what ${id} holds`, there.children.get(id)?.join() ?? '', ids.join())
  }
  for (const [id, ids] of model.elements) expect(`elements on ${id}`, there.elements.get(id)?.join() ?? '', ids.join())
  for (const [id, hash] of model.files) expect(`the file of ${id}`, there.files.get(id), hash)
  for (const [id, [, content]] of model.comments) expect(`comment ${id}`, there.comments.get(id), content)
  for (const [id, reminder] of model.reminders) expect(`the reminder of ${id}`, there.reminders.get(id), reminder)
  for (const [id, name] of model.views) expect(`view ${id}`, there.views.get(id), name)
  for (const [id, name] of model.folders) expect(`folder ${id}`, there.folders.get(id), name)
  for (const [id, state] of model.proposals) expect(`proposal ${id}`, there.proposals.get(id), state)
  for (const [id, folder] of model.places) expect(`the folder of ${id}`, there.places.get(id), folder)
  return wrong
}

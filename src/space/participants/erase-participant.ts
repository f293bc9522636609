/**
 * Erases the name of a person from the past: what they wrote, approved and administered stays, under a name that says
 * nothing of them. Afterwards no column of the space that is for names holds it, no mention, and no entry of the log or
 * the history. What people and agents have written with it in texts stays, and is counted.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { repairByteCounts } from '../../../storage/byte-counts.ts'
import {
  allParticipants,
  approvalsOf,
  blocksOfComments,
  changesWithName,
  clearPersons,
  eraseContentSalts,
  type FoundText,
  forgetCall,
  knownNames,
  linksWithName,
  logEntriesWith,
  NAME_KEYS,
  replaceNames,
  setChanges,
  setNamesOfEntries,
  someSourceTexts,
  TEXT_COLUMNS,
} from '../../../storage/erased-names.ts'
import { jsonIn, namesHashOf, rangesOf } from '../../../storage/log-chain.ts'
import { activeMembers, memberOfParticipant } from '../../../storage/members.ts'
import type { AuditRow, ParticipantRow } from '../../../storage/schema.ts'
import { deleteSourceText } from '../../../storage/source-texts.ts'
import { eraseStoredResponses } from '../../../storage/stored-responses.ts'
import { invalid } from '../../base/errors.ts'
import { escapePattern } from '../../base/escape-pattern.ts'
import { isObject } from '../../base/is-object.ts'
import { logOccurrence } from '../model/audit-log.ts'
import type { Space } from '../model/space.ts'
import { type Erased, hashNames, matchesHash } from './erasure-list.ts'

export interface ErasureReport {
  erased: Erased
  /** What stands in place of the name. */
  replacement: string
  /** How many rows of which kind were changed. */
  changed: Record<string, number>
  /** How many texts of which kind still have the name, since somebody wrote it there. */
  left: Record<string, number>
}

/** What is to be erased. */
export interface ErasurePlan {
  participants: readonly ParticipantRow[]
  /** The IDs of the members that they were, as digits. */
  memberIds: readonly string[]
  /** The names with what replaces each, longest first. */
  names: ReadonlyMap<string, string>
  replacement: string
}

/**
 * @param idOrName  of a participant who was removed
 * @throws VALIDATION_ERROR for one who does not exist or still takes part, and if somebody else has the name
 */
export async function planErasure(space: Space, idOrName: string): Promise<ErasurePlan> {
  const all = await allParticipants(space.tx)
  const wanted = idOrName.trim()
  const found = all.filter(({ id, name }) => id === wanted.toLowerCase() || name === wanted)
  const [first] = found
  if (first === undefined) {
    const removed = all.filter(({ removedAt }) => removedAt !== null).map(({ id, name }) => `${name} (${id})`)
    const there = removed.length === 0 ? 'none was removed' : `removed were ${removed.join(', ')}`
    throw invalid(`Expected a participant who was removed, by ID or name, found ${wanted}; ${there}.`)
  }
  const { name } = first
  const active = all.find((one) => one.name === name && one.removedAt === null)
  if (active !== undefined) {
    throw invalid(
      `Expected a participant who was removed, found ${name} (${active.id}), who takes part; participants remove ends that, and decides about their open work.`,
    )
  }
  const participants = all.filter((one) => one.name === name)
  const plan = await planFor(space, participants, [name])
  for (const member of await activeMembers(space.tx, space.now)) {
    if (!plan.names.has(member.name)) continue
    throw invalid(
      `Expected a name that no one else has, found ${member.name}, which is that of ${space.spellId(member.id)} as well; members update --rename gives that another one, or links revoke ends it. What both wrote loses the name.`,
    )
  }
  return plan
}

async function planFor(
  space: Space,
  participants: readonly ParticipantRow[],
  given: readonly string[],
): Promise<ErasurePlan> {
  const { tx, now } = space
  const members = await Promise.all(participants.map(({ n }) => memberOfParticipant(tx, n, now)))
  const memberIds = members.flatMap((member) => (member === undefined ? [] : [String(member.id)]))
  const replacement = `Erased person ${memberIds[0] ?? participants[0]?.id}`
  const former = await formerNames(space, [...participants.map(({ id }) => id), ...memberIds])
  const taken = new Set((await activeMembers(tx, now)).map((member) => member.name))
  const persons = new Set([...given, ...former.filter((name) => !taken.has(name))])
  const names = new Map([...persons].map((name) => [name, replacement]))
  for (const name of persons) {
    const links = await linksWithName(tx, { name, now, participants: participants.map(({ n }) => n) })
    for (const link of links) {
      if (link.isOther === 0 && !names.has(link.name))
        names.set(
          link.name,
          link.name.replaceAll(name, () => replacement),
        )
    }
  }
  const sorted = [...names].sort(([one], [other]) => other.length - one.length)
  return { participants, memberIds, names: new Map(sorted), replacement }
}

/** The names that a person had before, as far as the log has them. */
async function formerNames({ tx }: Space, ids: readonly string[]): Promise<string[]> {
  const entries = await logEntriesWith(tx, { name: UNUSED, spelled: UNUSED, ids })
  return entries.flatMap(({ detail, endpoint }) => {
    const { name } = jsonIn(detail)
    return typeof name === 'string' && NAMING.has(endpoint) ? [name] : []
  })
}

const NAMING: ReadonlySet<string> = new Set(['participants_add', 'members_update'])
/** No name has a control character. */
const UNUSED = '\u0001'

/** @param unpack  reads a text that a document was imported from */
export async function eraseParticipant(
  space: Space,
  plan: ErasurePlan,
  unpack: (packed: string) => string,
): Promise<ErasureReport> {
  const { tx, now, info } = space
  space.quota?.exempt()
  const { participants, memberIds, names, replacement } = plan
  const ids = [...participants.map(({ id }) => id), ...memberIds]
  const erased: Erased = {
    ...{ space: info.id, at: new Date(now).toISOString(), ids },
    names: await hashNames([...names.keys()]),
  }
  const changed = new Counts()
  const proposals = await renameInTexts(space, plan, changed)
  const entries = await renameEntries(space, plan, ids)
  changed.add('entries of the log', entries.length)
  for (const [before, after] of names) {
    for (const [table, count] of await replaceNames(tx, { before, after }))
      changed.add(KINDS.get(table) ?? table, count)
  }
  await clearPersons(
    tx,
    participants.map(({ n }) => n),
  )
  await eraseStoredResponses(tx)
  changed.add('source texts', await deleteSourceTexts(space, [...names.keys()], unpack))
  const calls = [...(await renameInHistory(space, plan, changed)), ...(await approvalsOf(tx, proposals))]
  const content = [...new Set(calls)].sort((one, other) => one - other)
  await eraseContentSalts(tx, content)
  const n = await logOccurrence(space, 'participants_erase', {
    ...{ ids, about: { names: erased.names } },
    erased: { names: rangesOf(entries), content: rangesOf(content) },
  })
  await forgetCall(tx, n)
  const left = await countLeft(space, [...names.keys()])
  return { erased, replacement, changed: changed.record, left }
}

/** Corrects the sizes of what was changed. In a transaction after it, since a call counts what it changed when it ends. */
export const recountBytes = ({ tx }: Space): Promise<number> => repairByteCounts(tx)

class Counts {
  readonly record: Record<string, number> = {}

  add(kind: string, count: number): void {
    if (count > 0) this.record[kind] = (this.record[kind] ?? 0) + count
  }
}

/** What rows of a table are called. Others are called after their tables. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['block', 'blocks'],
  ['block_tag', 'tags'],
  ['change', 'entries of the history'],
  ['collection', 'collections'],
  ['comment', 'comments'],
  ['document_lock', 'locks'],
  ['element', 'elements of whiteboards'],
  ['file', 'names of files'],
  ['folder', 'folders'],
  ['import_job', 'reports of imports'],
  ['import_source', 'sources of imports'],
  ['imported', 'sources of imports'],
  ['lease', 'claims'],
  ['link', 'links'],
  ['option', 'options'],
  ['participant', 'participants'],
  ['property', 'properties'],
  ['proposal', 'proposals'],
  ['source_text', 'source texts'],
  ['space', 'the name of the space'],
  ['value', 'values'],
  ['view', 'views'],
  ['write_log', 'entries of the log'],
])

const MENTIONED = /\](\(<?person:\/*([0-9a-z-]+))/gi
/** Longer than the label of any mention. */
const LABEL_LENGTH = 400

/** Text in which mentions of these members show a name that says nothing of them. Works in JSON as well. */
function withoutMentions(text: string, memberIds: readonly string[], replacement: string): string {
  const parts: string[] = []
  let done = 0
  for (const { index, 2: id = '' } of text.matchAll(MENTIONED)) {
    const start = memberIds.some((member) => id.endsWith(member)) ? labelStart(text, index, done) : undefined
    if (start === undefined) continue
    // What escapes the bracket stays.
    const end = index - (/\\*$/.exec(text.slice(start, index))?.[0].length ?? 0)
    parts.push(text.slice(done, start), replacement)
    done = end
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done)
}

/** Where a label begins that ends at `end`. Brackets in it come in pairs, escaped or not. */
function labelStart(text: string, end: number, from: number): number | undefined {
  const first = Math.max(from, end - LABEL_LENGTH)
  for (let at = end - 1, depth = 0; at >= first; at--) {
    if (text[at] === ']') depth++
    else if (text[at] === '[' && depth-- === 0) return at + 1
  }
  return undefined
}

/** Tables that are changed in other ways, or whose texts are made by the program. */
const WITHOUT_MENTIONS: ReadonlySet<string> = new Set(['change', 'write_log', 'kept_answer', 'source_text'])

/**
 * Renames in what is neither log nor history: mentions, and authors in proposals.
 *
 * @returns the numbers of the proposals that were changed
 */
async function renameInTexts(
  space: Space,
  { memberIds, names, replacement }: ErasurePlan,
  changed: Counts,
): Promise<number[]> {
  const proposals: number[] = []
  for (const { table, column, find, set } of TEXT_COLUMNS) {
    if (WITHOUT_MENTIONS.has(table)) continue
    const parts = ['person:', ...(table === 'proposal' ? [...names.keys()].map(spelledInJson) : [])]
    for (const part of parts) {
      const rows = (await space.tx.all(find, { part })).flatMap((row) => {
        const text = renamedRow(withoutMentions(row.found, memberIds, replacement), names)
        return text === row.found ? [] : [{ ...row, [column]: text }]
      })
      if (rows.length === 0) continue
      await space.tx.batch(set, rows)
      await noteChanged(space, table, rows)
      changed.add(`texts of ${KINDS.get(table) ?? table}`, rows.length)
      if (table === 'proposal') proposals.push(...rows.map(({ n }) => n as number))
    }
  }
  return proposals
}

const spelledInJson = (name: string): string => JSON.stringify(name).slice(1, -1)

/** Marks blocks for the index of words, and documents as changed. */
async function noteChanged(space: Space, table: string, rows: readonly FoundText[]): Promise<void> {
  const { words } = space.tx
  if (table === 'value') return words.noteValues(new Set(rows.map(({ item }) => item as number)))
  if (table !== 'block' && table !== 'comment') return
  const ns = rows.map(({ n }) => n as number)
  const blocks = table === 'block' ? ns : (await blocksOfComments(space.tx, ns)).map(({ block }) => block)
  words.noteChanged(blocks)
  await space.markChanged(...new Set((await blocksByNumbers(space.tx, blocks)).map(({ document }) => document)))
}

/** @returns the numbers of the entries of the log that were changed */
async function renameEntries({ tx }: Space, { names }: ErasurePlan, ids: readonly string[]): Promise<number[]> {
  const changed: number[] = []
  for (const name of names.keys()) {
    const rows = (await logEntriesWith(tx, { name, spelled: spelledInJson(name), ids })).flatMap((row): AuditRow[] => {
      const renamed = renamedEntry(row, names, ids)
      return NAMES.every((key) => renamed[key] === row[key]) ? [] : [renamed]
    })
    await setNamesOfEntries(tx, rows)
    changed.push(...rows.map(({ n }) => n))
  }
  return [...new Set(changed)].sort((one, other) => one - other)
}

const NAMES = ['author', 'client', 'approvedBy', 'origin', 'detail'] as const

function renamedEntry(row: AuditRow, names: ReadonlyMap<string, string>, ids: readonly string[]): AuditRow {
  const rename = <T extends string | null>(text: T): T =>
    (text === null ? null : (names.get(text) ?? renamedText(text, names))) as T
  const isAbout = ids.some((id) => row.ids.includes(id))
  const detail = row.detail === null ? null : JSON.stringify(renamedDetail(jsonIn(row.detail), rename, isAbout))
  const isHashed = row.hash !== null
  return {
    ...row,
    ...{ author: rename(row.author), client: rename(row.client), approvedBy: rename(row.approvedBy) },
    ...{ origin: rename(row.origin), detail },
    ...(isHashed && { namesHash: row.namesHash ?? namesHashOf(row), namesSalt: null }),
  }
}

/** A text of the program in which a name may stand beside others, in any letter case. */
function renamedText(text: string, names: ReadonlyMap<string, string>): string {
  let renamed = text
  for (const [name, after] of names) {
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, 'giu')
    renamed = renamed.replace(whole, () => after)
  }
  return renamed
}

/** Keys whose values describe a person, in entries about them. */
const PERSONAL: ReadonlySet<string> = new Set(['name', 'handle', 'picture', 'subject'])

function renamedDetail(value: unknown, rename: (text: string) => string, isAbout: boolean, key = ''): unknown {
  if (typeof value === 'string') return isAbout && PERSONAL.has(key) ? 'erased' : rename(value)
  if (Array.isArray(value)) return value.map((one) => renamedDetail(one, rename, isAbout, key))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([inner, one]) => [inner, renamedDetail(one, rename, isAbout, inner)]),
  )
}

/** @returns the calls whose changes are no longer as they were */
async function renameInHistory(
  { tx }: Space,
  { memberIds, names, replacement }: ErasurePlan,
  changed: Counts,
): Promise<number[]> {
  const calls: number[] = []
  for (const name of names.keys()) {
    const rows = (await changesWithName(tx, spelledInJson(name))).flatMap((row) => {
      const before = renamedRow(withoutMentions(row.before, memberIds, replacement), names)
      return before === row.before ? [] : [{ ...row, before }]
    })
    await setChanges(tx, rows)
    changed.add('entries of the history', rows.length)
    calls.push(...rows.map(({ call }) => call))
  }
  return calls
}

/** The columns of a row, as JSON. Only the text is changed, so that numbers keep their spelling. */
function renamedRow(json: string, names: ReadonlyMap<string, string>): string {
  let renamed = json
  for (const [name, after] of names) {
    const value = escapePattern(JSON.stringify(name))
    const pattern = new RegExp(`("(?:${NAME_KEYS.join('|')})"\\s*:\\s*)${value}`, 'g')
    renamed = renamed.replace(pattern, (_, key: string) => `${key}${JSON.stringify(after)}`)
  }
  return renamed
}

/** Documents whose imported texts have a name lose these: an export writes them from their blocks. */
async function deleteSourceTexts(
  { tx }: Space,
  names: readonly string[],
  unpack: (packed: string) => string,
): Promise<number> {
  const found: number[] = []
  for (let after = 0; ; ) {
    const rows = await someSourceTexts(tx, after)
    const last = rows.at(-1)
    if (last === undefined) break
    for (const { document, text } of rows) {
      const source = unpack(text)
      if (names.some((name) => source.includes(name))) found.push(document)
    }
    after = last.document
  }
  for (const document of found) await deleteSourceText(tx, document)
  return found.length
}

/** How many texts still have a name. */
async function countLeft({ tx }: Space, names: readonly string[]): Promise<Record<string, number>> {
  const left = new Counts()
  // A name with quotation marks is spelled in other ways within JSON.
  for (const part of new Set(
    names.flatMap((name) => [name, spelledInJson(name), spelledInJson(spelledInJson(name))]),
  )) {
    for (const { table, count: query } of TEXT_COLUMNS) {
      const { count = 0 } = (await tx.get(query, { part })) ?? {}
      left.add(KINDS.get(table) ?? table, Number(count))
    }
  }
  return left.record
}

/**
 * Finds the person of an earlier erasure in a space that a backup has brought back.
 *
 * @returns undefined if nothing of them is there
 */
export async function planAgain(space: Space, erased: Erased): Promise<ErasurePlan | undefined> {
  const all = await allParticipants(space.tx)
  const participants = all.filter(({ id }) => erased.ids.includes(id))
  const given = new Set(participants.map(({ name }) => name))
  const others = new Set(all.filter((one) => !participants.includes(one)).map(({ name }) => name))
  for (const name of await knownNames(space.tx)) {
    if (!others.has(name) && !given.has(name) && (await matchesHash(name, erased.names))) given.add(name)
  }
  const names = [...given].filter((name) => !name.startsWith('Erased person '))
  return participants.length === 0 || names.length === 0 ? undefined : planFor(space, participants, names)
}

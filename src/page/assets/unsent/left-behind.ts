/**
 * What sessions have left in this browser and did not send: queued and refused calls, drafts, and conflicts. No other
 * session sends it. It can only be read, for copying, and deleted.
 */
import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { databaseName, SESSION_NAME } from '../session-name.ts'
import { fullText, parseUnsaved } from '../sync/unsaved-text.ts'
import { callsLeft, clearCallsLeft, type OwnCall } from './own-calls.ts'
import type { Tables } from './queued-call.ts'

/** A change that was not sent. */
export interface LeftChange {
  /** What the person wrote; or the whole call, if it has no text. */
  text: string
  file?: Blob
  /** True if the call was sent, so that the server may have carried it out. */
  mayHaveArrived: boolean
  /** Why the server did not carry it out. */
  reason?: string
}

/** What one session left behind. */
export interface LeftBehind {
  /** The name of the session; empty for what was written before sessions had names. */
  session: string
  changes: LeftChange[]
}

/**
 * @param base  the base address of the space's pages
 * @param isWanted  selects sessions by name; see {@link LeftBehind}
 */
export async function findLeftBehind(base: string, isWanted: (session: string) => boolean): Promise<LeftBehind[]> {
  const names = new Set([...(await sessionsOfCalls(base)), ...sessionsOfTexts(base)])
  const found: LeftBehind[] = []
  for (const session of [...names].filter(isWanted).sort()) {
    const changes = withoutRepeats([
      ...(await callsOf(base, session)),
      ...callsLeft(base, session).flatMap((left) => left.calls.map((call) => changeOf(call, call.isSent === true))),
      ...textsOf(base, session),
    ])
    if (changes.length > 0) found.push({ session, changes })
  }
  return found
}

export async function deleteLeftBehind(base: string, session: string): Promise<void> {
  for (const key of keysOf(base, session)) localStorage.removeItem(key)
  clearCallsLeft(base, session)
  if (!(await sessionsOfCalls(base)).includes(session)) return
  // Tabs of a session close its database for this. Those from before sessions had names do not.
  if (session !== '') return deleteDB(nameOf(base, session))
  const database = await openDB<Tables>(nameOf(base, session))
  const transaction = database.transaction(['calls', 'refused', 'names'], 'readwrite')
  for (const table of ['calls', 'refused', 'names'] as const) await transaction.objectStore(table).clear()
  await transaction.done
  database.close()
}

const nameOf = (base: string, session: string): string =>
  session === '' ? `scriptorium ${base}` : databaseName(base, session)

/** Sessions with a database of calls. Browsers that list no databases keep them, unsent. */
async function sessionsOfCalls(base: string): Promise<string[]> {
  const databases = (await indexedDB.databases?.()) ?? []
  return databases.flatMap(({ name = '' }) => {
    if (name === nameOf(base, '')) return ['']
    const session = name.startsWith(`${nameOf(base, '')} `) ? name.slice(nameOf(base, '').length + 1) : ''
    return SESSION_NAME.test(session) ? [session] : []
  })
}

async function callsOf(base: string, session: string): Promise<LeftChange[]> {
  if (!(await sessionsOfCalls(base)).includes(session)) return []
  const database: IDBPDatabase<Tables> = await openDB<Tables>(nameOf(base, session))
  try {
    const queued = await database.getAll('calls')
    const refused = await database.getAll('refused')
    return [
      ...queued.map((call) => changeOf(call, call.isSent === true)),
      ...refused.map((call) => changeOf(call, false)),
    ]
  } finally {
    database.close()
  }
}

/** @param mayHaveArrived  true if the call was sent, and no answer came */
export function changeOf({ tool, arguments: input, file, form }: OwnCall, mayHaveArrived: boolean): LeftChange {
  if (form !== undefined) return { text: form.text || form.action, mayHaveArrived }
  const texts = textsIn(input)
  const text = texts.length > 0 ? texts.join('\n\n') : `${tool} ${JSON.stringify(input)}`
  return { text, mayHaveArrived, ...(file !== undefined && { file }) }
}

/** Arguments that hold what a person wrote. */
const TEXT_KEYS: ReadonlySet<string> = new Set(['markdown', 'title', 'text', 'content', 'name', 'fileName', 'value'])

/** The texts in the arguments of a call, in their order. */
function textsIn(value: unknown, isText = false): string[] {
  if (typeof value === 'string') return isText && value.trim() !== '' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    textsIn(inner, TEXT_KEYS.has(key) || (isText && Array.isArray(value))),
  )
}

/** `draft` and `conflict` are the kinds of texts; see `UnsavedTextStore`. */
const TEXT_KEY = /^(?:([0-9a-f]{16}-[0-9a-f]{16}) )?[\w-]+ (?:draft|conflict) /

function textKeys(base: string): { key: string; session: string }[] {
  const start = `scriptorium ${base} `
  return Object.keys(localStorage).flatMap((key) => {
    const found = key.startsWith(start) ? TEXT_KEY.exec(key.slice(start.length)) : null
    return found === null ? [] : [{ key, session: found[1] ?? '' }]
  })
}

const sessionsOfTexts = (base: string): string[] => textKeys(base).map(({ session }) => session)

const keysOf = (base: string, session: string): string[] =>
  textKeys(base)
    .filter((one) => one.session === session)
    .map(({ key }) => key)

const textsOf = (base: string, session: string): LeftChange[] =>
  keysOf(base, session).flatMap((key) => {
    const stored = localStorage.getItem(key)
    const text = stored === null ? '' : fullText(parseUnsaved(stored))
    return text.trim() === '' ? [] : [{ text, mayHaveArrived: false }]
  })

/** A draft stays stored until its call is queued, so both may be there. */
function withoutRepeats(changes: readonly LeftChange[]): LeftChange[] {
  const texts = new Set<string>()
  return changes.filter(({ text, file }) => {
    if (file === undefined && texts.has(text)) return false
    texts.add(text)
    return true
  })
}

/**
 * Calls within reach of a connection whose undo could change or reveal something out of it: what they changed leads
 * there, was moved there, or changed together with something there.
 */
import type { Chance } from '../test-client/generated-calls.ts'
import { call, type TestClient } from '../test-client/test-client.ts'
import type { Things } from '../test-client/things.ts'

export interface UndoableOptions {
  /** Reaches everything. */
  full: TestClient
  seen: Things
  hidden: Things
  /** Decides what happens out of reach. */
  luck: Chance
  /** Wraps every write to the visible part, and every other one. */
  see<T>(work: () => Promise<T>): Promise<T>
  hide<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Makes such calls. Some may be refused, since the connection changes the visible part as well.
 *
 * @returns the IDs of the calls to undo
 */
export async function makeUndoable(options: UndoableOptions): Promise<string[]> {
  const made: string[] = []
  for (const make of MAKERS) made.push(...(await make(options)))
  return made.filter((id) => id !== '')
}

/** Returns IDs of calls, empty for calls that were refused. */
type Maker = (options: UndoableOptions) => Promise<string[]>

const add = async ({ full }: UndoableOptions, pageId: string, markdown: string): Promise<string> => {
  const { object } = await call(full, 'blocks_add', { markdown, position: { position: 'end', pageId } })
  return (object.items as { id: string }[] | undefined)?.[0]?.id ?? ''
}

/** Makes a call, and returns its ID, or nothing if it was refused. */
async function callIdOf(full: TestClient, name: string, args: object): Promise<string> {
  const { isRefused } = await call(full, name, args)
  return isRefused ? '' : lastCall(full)
}

async function lastCall(full: TestClient): Promise<string> {
  const { object } = await call(full, 'history_list', { limit: 1, format: 'json' })
  return (object.items as { callId: string }[])[0]?.callId ?? ''
}

/** A block is changed, moved out of reach, and changed or deleted there. */
const departed: Maker = async (options) => {
  const { full, seen, hidden, luck, see, hide } = options
  const id = await see(() => add(options, seen.document, 'departing words'))
  const blocks = [{ id, markdown: 'changed words' }]
  const changing = await see(() => callIdOf(full, 'blocks_update', { blocks }))
  const position = { position: 'end', pageId: hidden.document }
  const moving = await see(() => callIdOf(full, 'blocks_move', { blockIds: [id], position }))
  const choice = luck.below(4)
  await hide(async () => {
    if (choice === 0) await call(full, 'blocks_delete', { blockIds: [id] })
    if (choice === 1) await call(full, 'blocks_update', { blocks: [{ id, markdown: 'xylophone' }] })
    if (choice === 2) await call(full, 'blocks_move', { blockIds: [id], position: { ...position, position: 'start' } })
  })
  return [changing, moving]
}

/** A block is deleted together with a number of blocks out of reach, and the call is undone there. */
const together: Maker = async (options) => {
  const { full, seen, hidden, luck, see, hide } = options
  const id = await see(() => add(options, seen.document, 'deleted words'))
  const away: string[] = []
  for (let count = luck.below(3); count > 0; count--) {
    away.push(await hide(() => add(options, hidden.document, 'xylophone')))
  }
  const deleting = await see(() => callIdOf(full, 'blocks_delete', { blockIds: [id, ...away] }))
  if (away.length > 0 && luck.is(0.5)) {
    await hide(() => call(full, 'history_undo', { calls: [deleting], documentId: hidden.document }))
  }
  return [deleting]
}

/** An item is changed, and gets a link that leads out of reach, or none. */
const linking: Maker = async ({ full, seen, hidden, luck, see }) => {
  const leads = luck.is(0.5) ? { blockId: hidden.block } : null
  const itemsToUpdate = [{ id: seen.item, title: 'words changed', properties: { leads } }]
  return [await see(() => callIdOf(full, 'items_update', { collectionId: seen.collection, itemsToUpdate }))]
}

/** A block is added, and something out of reach links to it. */
const linked: Maker = async (options) => {
  const { full, seen, hidden, luck, see, hide } = options
  const blockId = await see(() => add(options, seen.document, 'linked words'))
  const adding = blockId === '' ? '' : await lastCall(full)
  if (luck.is(0.5)) {
    const items = [{ title: 'xylophone', properties: { leads: { blockId } } }]
    await hide(() => call(full, 'items_add', { collectionId: hidden.collection, items }))
  }
  return [adding]
}

/** A collection gets a relation to one out of reach. */
const relating: Maker = async ({ full, seen, hidden, see }) => {
  const { object: schema } = await call(full, 'schema_get', { collectionId: seen.collection, format: 'schema' })
  const known = (schema.properties as object[] | undefined) ?? []
  const relation = { name: `Tie ${known.length}`, type: 'relation', targetCollectionId: hidden.collection }
  const properties = [...known, relation]
  const args = { collectionId: seen.collection, schema: { ...schema, properties } }
  return [await see(() => callIdOf(full, 'schema_update', args))]
}

const MAKERS: readonly Maker[] = [departed, together, linking, linked, relating]

/** All ways to undo a call. */
export const undoArguments = (id: string): Record<string, unknown>[] => [
  { calls: [id], dryRun: true },
  { calls: [id], dryRun: true, skipConflicts: true },
  { calls: [id] },
  { calls: [id], skipConflicts: true },
]

/**
 * Derives the hints that hosts show people before a call: each call is made twice on a new space, and everything
 * readable is compared. A tool is destructive if something is missing after the first call, and idempotent if the
 * second call changes nothing more.
 */
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { endpoints } from '../../tools/index.ts'
import { call, type TestClient } from '../prove/test-client/test-client.ts'
import type { Things } from '../prove/test-client/things.ts'
import { type Args, validCalls } from '../prove/test-client/valid-calls.ts'
import { spaceOfThings } from '../support/space-of-things.ts'

/** Additional calls of tools whose other calls do not show all of their effects. */
const FURTHER: Readonly<Record<string, (own: Things) => readonly Args[]>> = {
  blocks_update: ({ block }) => [{ blocks: [{ id: block, markdown: 'one\n\ntwo' }] }],
  batch: ({ task }) => [{ steps: [{ tool: 'blocks_delete', arguments: { blockIds: [task] } }] }],
  tasks_update: ({ task: id }) => [
    { tasksToUpdate: [{ id, repeat: { type: 'fixed', frequency: 'daily' }, taskInfo: { state: 'done' } }] },
  ],
  comments_update: ({ comment }) => [{ comments: [{ commentId: comment, content: 'other words' }] }],
  reminders_add: ({ task }) => [{ reminders: [{ blockId: task, remindAt: '2026-11-21T10:00:00Z' }] }],
  views_update: ({ collection, view }) => [
    { collectionId: collection, viewId: view, view: { sortBy: [{ property: 'price' }] } },
  ],
}

const { listings } = toolCatalogFor(endpoints, 'full').list
const writes = listings.flatMap(({ name, annotations }) => (annotations.readOnlyHint ? [] : [{ name, annotations }]))
const announced = new Map(writes.map(({ name, annotations }) => [name, annotations]))
const callsOf = (own: Things): [name: string, args: Args][] => [
  ...validCalls('full', own).flatMap(([name, args]): [string, Args][] => (announced.has(name) ? [[name, args]] : [])),
  ...Object.entries(FURTHER).flatMap(([name, calls]) => calls(own).map((args): [string, Args] => [name, args])),
]
const unknownThings = new Proxy({} as Things, { get: () => 'x' })
const cases = callsOf(unknownThings).map(([name], index) => [name, index] as const)

/** The tools whose calls turned out to be destructive, and those that turned out not to be idempotent. */
const destructive = new Set<string>()
const notIdempotent = new Set<string>()

test.each(cases)('%s does what its hints say (call %i)', async (name, index) => {
  const { client, own } = await spaceOfThings()
  const [, args = {}] = callsOf(own)[index] ?? []
  const before = await readAll(client)
  const { isRefused, text } = await call(client, name, args)
  expect(isRefused, text).toBe(false)
  const once = await readAll(client)
  await call(client, name, args)
  const twice = await readAll(client)
  const lost = before.facts.difference(once.facts)
  const further = [once.facts.symmetricDifference(twice.facts), once.places.symmetricDifference(twice.places)]
  if (lost.size > 0) destructive.add(name)
  if (further.some(({ size }) => size > 0)) notIdempotent.add(name)
  const { destructiveHint, idempotentHint = false } = announced.get(name) ?? {}
  if (!destructiveHint) expect([...lost]).toEqual([])
  if (idempotentHint) expect(further.flatMap((facts) => [...facts])).toEqual([])
})

test.each(writes)('some call of $name shows that its hints are not too cautious', ({ name, annotations }) => {
  const { destructiveHint, idempotentHint = false } = annotations
  expect({ destructiveHint, idempotentHint }).toEqual({
    destructiveHint: destructive.has(name),
    idempotentHint: !notIdempotent.has(name),
  })
})

interface Facts {
  /** The content of things, such as `ID.properties.price=5`. */
  facts: Set<string>
  /** Their locations and order: a moved thing is not lost. */
  places: Set<string>
}

/** Reads everything within a connection's reach. */
async function readAll(client: TestClient): Promise<Facts> {
  const all: Facts = { facts: new Set(), places: new Set() }
  const read = async (name: string, args: object) => {
    const { isRefused, object, text } = await call(client, name, args)
    if (isRefused) throw new Error(`${name}: ${text}`)
    const answer = Object.keys(object).length > 0 ? object : JSON.parse(text)
    collectFacts(answer, name, all)
    return answer
  }
  const { items: documents } = await read('documents_list', {})
  for (const { id } of documents) {
    const { content } = await read('blocks_get', { id, fetchMetadata: true })
    for (const { id, type } of content ?? []) {
      if (type === 'whiteboard') await read('elements_list', { whiteboardBlockId: id })
    }
  }
  const { items: collections } = await read('collections_list', { format: 'json' })
  for (const { id: collectionId } of collections) {
    await read('items_list', { collectionId })
    await read('views_list', { collectionId })
  }
  await read('tasks_list', { scope: 'all' })
  await read('reminders_list', { status: 'all' })
  await read('folders_list', {})
  return all
}

/** Derived facts: counts, and how often something was written. */
const FOLLOWING: ReadonlySet<string> = new Set(['documentCount', 'itemCount', 'blocks', 'revision', 'version'])
const PLACES: ReadonlySet<string> = new Set(['location', 'folderId', 'documentId'])

function collectFacts(value: unknown, path: string, all: Facts): void {
  if (Array.isArray(value)) {
    const ids = value.flatMap(({ id }) => id ?? [])
    if (ids.length > 0) all.places.add(`${path}=${ids}`)
    for (const one of value) collectFacts(one, path, all)
  } else if (typeof value === 'object' && value !== null) {
    const { id } = value as { id?: unknown }
    const start = typeof id === 'string' ? id : path
    for (const [key, inner] of Object.entries(value)) {
      if (PLACES.has(key)) all.places.add(`${start}.${key}=${JSON.stringify(inner)}`)
      else if (!FOLLOWING.has(key)) collectFacts(inner, `${start}.${key}`, all)
    }
  } else all.facts.add(`${path}=${value}`)
}

/**
 * Listeners must be notified of changes within their reach and of no others. All connection methods listen at the same time, while
 * the hidden part of the space changes in every possible way.
 */
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { askToPropose } from '../test-client/proposing.ts'
import { ask, call, type TestClient } from '../test-client/test-client.ts'
import {
  done,
  makeDay,
  makeDocument,
  makePlaces,
  makeThings,
  NOW,
  PICTURE,
  propose,
  type Things,
} from '../test-client/things.ts'
import { methodName, openConnection, VERSIONED_METHODS, type VersionedMethod } from './connection-methods.ts'
import { addressesOf } from './entries.ts'
import { EventListener, startEventReceiver } from './event-listening.ts'
import { isOfChange, LIST_CHANGED, waitUntil, withFrequentPolling } from './listening.ts'
import { writeHiddenReferences } from './ties.ts'

export interface News {
  changes: number
  notifications: number
  faults: string[]
}

export interface NewsOptions {
  kind: 'selected' | 'daily'
  ways?: readonly VersionedMethod[]
  /** Plants a fault in the space that calls run on. */
  plant?(space: OpenSpace): OpenSpace
}

interface Listener {
  name: string
  client: TestClient
  /** How many notifications were checked. */
  seen: number
  /** Set if an expected notification did not arrive. */
  isDeaf?: true
  events: EventListener
}

export async function news({ kind, ways = VERSIONED_METHODS, plant = (space) => space }: NewsOptions): Promise<News> {
  const clock = { now: NOW }
  const space = await openSpace(':memory:', { name: 'News', timezone: 'Europe/Budapest', clock: () => clock.now })
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'maker')), id: 'maker' })
  const far = await askToPropose(space, { kind: 'full', documents: [], hasLink: true })
  const seen = await makeSeen(full, kind)
  const hidden = await makeThings(full, await makeDocument(full, 'hidden'), 'hidden', await makePlaces(full, 'hidden'))
  const documents = kind === 'selected' ? [seen.document] : []
  const quick = plant(withFrequentPolling(space))
  const opened = await Promise.all(
    // One after another, since a sign-in changes the clock of this process.
    await inTurn(ways, (way) => openConnection({ ...way, space, as: quick, kind, documents, clock: () => clock.now })),
  )
  const receiver = await startEventReceiver(quick)
  const listeners: Listener[] = opened.map(({ client }, index) => ({
    name: nameOf(ways, index),
    client,
    seen: 0,
    events: new EventListener(client, seen, hidden),
  }))
  const found: News = { changes: 0, notifications: 0, faults: [] }
  const receivedBy = (listener: Listener) => listener.client.received.slice(listener.seen).filter(isOfChange)
  const act = async (work: () => Promise<unknown>) => {
    clock.now += 1_000
    await work()
  }
  /** Changes a block that all of them reach, comments on it, and waits until all of them are notified. */
  const mark = async (what: string) => {
    const markdown = `words ${clock.now}`
    await act(() => done(full, 'blocks_update', { blocks: [{ id: seen.block, markdown }] }))
    await act(() => done(full, 'comments_add', { comments: [{ blockId: seen.block, content: markdown }] }))
    for (const listener of listeners) {
      for (const mode of listener.isDeaf ? [] : await listener.events.deafModes()) {
        listener.isDeaf = true
        found.faults.push(`${kind}, ${listener.name}: by ${mode} it hears no event of a change after ${what}`)
      }
      const isNotified = () => receivedBy(listener).some(({ params }) => params?.uri === addressesOf(seen)[0])
      if (listener.isDeaf || (await waitUntil(isNotified))) continue
      listener.isDeaf = true
      found.faults.push(`${kind}, ${listener.name}: it hears nothing of a change after ${what}`)
    }
  }
  try {
    const addresses = [...addressesOf(seen), ...addressesOf(hidden)]
    for (const { client, events } of listeners) {
      await client.listen(addresses)
      await events.start(receiver)
    }
    await mark('nothing')
    for (const { events } of listeners) events.checkAll()
    for (const [what, work] of changesOf(kind, { full, far }, hidden, seen)) {
      for (const listener of listeners) listener.seen = listener.client.received.length
      await act(work)
      await mark(what)
      found.changes += 1
      for (const listener of listeners) {
        const received = receivedBy(listener)
        const { count, unexpected: heard } = listener.events.checkAll()
        found.notifications += received.length + count
        for (const { mode, name, text } of heard) {
          found.faults.push(`${kind}, ${listener.name}: after ${what} it hears ${name} by ${mode}: ${text}`)
        }
        const unexpected = received.find(({ params }) => !addressesOf(seen).includes(params?.uri ?? ''))
        if (unexpected === undefined) continue
        const { method, params } = unexpected
        found.faults.push(`${kind}, ${listener.name}: after ${what} it hears ${method} ${JSON.stringify(params ?? {})}`)
      }
    }
    found.faults.push(...(await expectOwnChanges(kind, full, seen, { listeners, act })))
  } finally {
    await receiver.close()
    for (const { close } of opened) await close()
    await far.close()
    await full.close()
    await space.close()
  }
  return found
}

const nameOf = (ways: readonly VersionedMethod[], index: number): string => {
  const way = ways[index]
  return way === undefined ? '' : methodName(way)
}

async function inTurn<From, To>(list: readonly From[], work: (one: From) => Promise<To>): Promise<To[]> {
  const made: To[] = []
  for (const one of list) made.push(await work(one))
  return made
}

async function makeSeen(full: TestClient, kind: NewsOptions['kind']): Promise<Things> {
  const document = kind === 'daily' ? await makeDay(full, 'today', 'words') : await makeDocument(full, 'words')
  return makeThings(full, document, 'words', await makePlaces(full, 'words'))
}

/** Returns the changes to the hidden part, in the order in which they are made. */
function changesOf(
  kind: NewsOptions['kind'],
  { full, far }: Record<'full' | 'far', TestClient>,
  hidden: Things,
  seen: Things,
): (readonly [what: string, work: () => Promise<unknown>])[] {
  const position = { position: 'end', pageId: hidden.document }
  const did = (name: string, args: object) => () => done(full, name, args)
  const documents = [{ title: 'another', markdown: `[to](block://${seen.block})` }]
  const reminders = [{ blockId: hidden.block, remindAt: '2026-11-21T09:30:00Z' }]
  const elements = [{ id: 'more', type: 'rectangle', link: `block://${seen.block}` }]
  const ofDocuments = { documentIds: [hidden.document] }
  const waiting: string[] = []
  const proposes = async () => {
    waiting.push((await propose(far, 'blocks_add', { markdown: 'proposed', position })).proposalId)
  }
  const decides = (verb: 'approve' | 'reject') => async () => {
    const proposalId = waiting.at(-1)
    const read = await full.rest({ method: 'GET', target: `/proposals?proposalId=${proposalId}` })
    const { fingerprint } = JSON.parse(read.text).items[0]
    const body = JSON.stringify(verb === 'approve' ? { fingerprint } : {})
    const headers = { 'content-type': 'application/json' }
    const target = `/proposals/${proposalId}/${verb}`
    const { status, text } = await full.rest({ method: 'POST', target, headers, body })
    if (status !== 200) throw new Error(`Expected a proposal to be decided on, found ${text}.`)
  }
  return [
    ['a hidden document was added', did('documents_add', { documents })],
    ['a hidden block was changed', did('blocks_update', { blocks: [{ id: hidden.block, markdown: 'other' }] })],
    ['hidden blocks were added', did('blocks_add', { markdown: `[to](block://${seen.block})`, position })],
    ['a file was added to a hidden document', did('files_add', { position, data: PICTURE, fileName: 'more.png' })],
    ['a whiteboard was added to a hidden document', did('whiteboards_add', { position })],
    ['a hidden whiteboard was drawn on', did('elements_add', { whiteboardBlockId: hidden.board, elements })],
    ['a hidden block was commented on', did('comments_add', { comments: [{ blockId: hidden.block, content: 'a' }] })],
    ['a hidden item was added', did('items_add', { collectionId: hidden.collection, items: [{ title: 'more' }] })],
    ['a reminder of a hidden block was added', did('reminders_add', { reminders })],
    ['a change of a hidden document was proposed', proposes],
    ['a proposal to change a hidden document was rejected', decides('reject')],
    ['another change of a hidden document was proposed', proposes],
    ['it was approved', decides('approve')],
    ['a folder was added', did('folders_add', { folders: [{ name: 'more' }] })],
    [
      'a hidden document was moved',
      did('documents_move', { ...ofDocuments, destination: { folderId: hidden.folder } }),
    ],
    [
      'a link to a hidden block was written',
      () => writeHiddenReferences({ full, seen, see: (work) => work(), leadTo: async () => hidden.block }),
    ],
    ...(kind === 'daily' ? [] : ofDays(full)),
    ['a hidden document was thrown away', did('documents_delete', ofDocuments)],
    [
      'a hidden document was brought back',
      did('documents_move', { ...ofDocuments, destination: { destination: 'unsorted' } }),
    ],
  ]
}

const ofDays = (full: TestClient): (readonly [string, () => Promise<unknown>])[] => [
  ['a daily note was begun', () => makeDay(full, 'tomorrow', 'a note')],
  ['a task came to the inbox', () => done(full, 'tasks_add', { tasks: [{ markdown: 'a task' }] })],
]

interface Listening {
  listeners: readonly Listener[]
  act(work: () => Promise<unknown>): Promise<void>
}

/** Listeners must be notified of changes within their reach. Otherwise silence would prove nothing. */
async function expectOwnChanges(
  kind: NewsOptions['kind'],
  full: TestClient,
  seen: Things,
  { listeners, act }: Listening,
): Promise<string[]> {
  for (const listener of listeners) listener.seen = listener.client.received.length
  const position = { position: 'end', pageId: seen.document }
  await act(() => call(full, 'files_add', { position, text: 'own', fileName: 'own.txt' }))
  const faults: string[] = []
  for (const { name, client, seen: from } of listeners) {
    const isNotified = () => client.received.slice(from).some(({ method }) => method === LIST_CHANGED)
    if (!(await waitUntil(isNotified))) faults.push(`${kind}, ${name}: it does not hear that there is a further file`)
  }
  return faults
}

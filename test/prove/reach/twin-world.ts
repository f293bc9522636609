/** Builds the two spaces of a pair: they have the same visible part, and random hidden parts. */

import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { activeParticipants } from '../../../storage/participants.ts'
import { chance } from '../proof.ts'
import { Chance } from '../test-client/generated-calls.ts'
import { askToPropose } from '../test-client/proposing.ts'
import { ask, endpointNamed, type RestInput, requestFor, type TestClient } from '../test-client/test-client.ts'
import {
  done,
  makeDay,
  makeDocument,
  makePlaces,
  makeProposals,
  makeThings,
  NOUNS,
  NOW,
  propose,
  type Things,
} from '../test-client/things.ts'
import { relate, writeHiddenReferences } from './ties.ts'
import { makeMembers, nameMembers } from './twin-members.ts'
import { makeUndoable } from './undoable.ts'

/**
 * Draws IDs separately for the visible and the hidden part, so that those of the visible part are the same in both
 * spaces.
 */
export class Ids {
  readonly #which: number
  readonly #counts = { seen: 0, hidden: 0 }
  readonly #calls = { seen: 0, hidden: 0 }
  #part: 'seen' | 'hidden' = 'seen'

  constructor(which: number) {
    this.#which = which
  }

  use(part: 'seen' | 'hidden'): void {
    this.#part = part
  }

  /** UUIDs for participants and links. */
  uuid(): string {
    const count = ++this.#counts[this.#part]
    const group = this.#part === 'seen' ? 10_000_000 : 20_000_000 + this.#which
    return `${group}-0000-7000-8000-${String(count).padStart(12, '0')}`
  }

  /** IDs of the visible part begin with 1, the others with 2. */
  draw(count: number): number[] {
    const group = this.#part === 'seen' ? 100_000_000_000 : 200_000_000_000 + this.#which * 10_000_000_000
    return Array.from({ length: count }, () => group + ++this.#counts[this.#part])
  }

  /** IDs of calls that made the visible part begin with 3, the others with 4. */
  drawCall(): number {
    const group = this.#part === 'seen' ? 300_000_000_000 : 400_000_000_000 + this.#which * 10_000_000_000
    return group + ++this.#calls[this.#part]
  }
}

export interface TwinOptions {
  space: OpenSpace
  clock: { now: number }
  ids: Ids
  kind: 'selected' | 'daily'
  seed: number
  which: 1 | 2
  /** True if connections that propose have access links. */
  hasLinks: boolean
}

export interface BuiltTwin {
  visible: Things[]
  /** The first of the hidden things, which stays. */
  first: Things
  /** IDs of the hidden part. */
  hidden: string[]
  /** IDs of the documents exposed to a selected connection. */
  exposed: string[]
}

const VISIBLE = 2
const SECRET = '5'.repeat(64)
const ID_PREFIX = '55555555-5555-8555-8555'

/** Opens one space of a pair, still empty. */
export async function openWorld(options: Omit<TwinOptions, 'space' | 'clock' | 'ids'>): Promise<TwinOptions> {
  const clock = { now: NOW }
  const ids = new Ids(options.which)
  const space = await openSpace(':memory:', {
    name: 'Twin',
    timezone: 'Europe/Budapest',
    clock: () => clock.now,
    steadyClock: () => clock.now,
    newUuid: () => ids.uuid(),
    generateIds: (count) => ids.draw(count),
    generateCallId: () => ids.drawCall(),
  })
  // Addresses depend on these, which are normally different in each space.
  space.info.secret = SECRET
  space.info.addressKey = { idPrefix: ID_PREFIX, fileKey: SECRET }
  return { ...options, space, clock, ids }
}

export async function buildTwin(options: TwinOptions): Promise<BuiltTwin> {
  const { space, clock, ids, kind, seed, which, hasLinks } = options
  const luck = new Chance(chance(seed * 31 + which))
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'maker')), id: 'maker' })
  const far = await askToPropose(space, { kind: 'full', documents: [], hasLink: hasLinks })
  const visible: Things[] = []
  const hidden: Things[] = []
  let moment = 0
  const see = async <T>(work: () => Promise<T>): Promise<T> => {
    ids.use('seen')
    clock.now = NOW + ++moment * 1_000
    return work()
  }
  const hide = async <T>(work: () => Promise<T>): Promise<T> => {
    ids.use('hidden')
    clock.now = NOW + moment * 1_000 + luck.below(900)
    return work()
  }
  /**
   * Also creates hidden content, but at the same time in both spaces: a relation to a visible item changes the item's
   * document.
   */
  const reach = async <T>(work: () => Promise<T>): Promise<T> => {
    ids.use('hidden')
    clock.now = NOW + ++moment * 1_000
    return work()
  }
  const hideSome = async (least: number) => {
    for (let count = least + luck.below(3); count > 0; count--) {
      const word = hidden.length === 0 ? 'xylophone' : luck.one(WORDS)
      hidden.push(await hide(() => makeHidden({ full, far }, luck, { kind, word, day: hidden.length })))
    }
  }
  try {
    const members = await makeMembers(space, luck, { see, hide })
    await hideSome(1)
    const [first] = hidden
    for (let index = 0; index < VISIBLE; index++) {
      const seen = await see(() => makeVisible(full, kind, index))
      visible.push(seen)
      await see(() => nameMembers(full, members, seen))
      await hideSome(0)
      if (first !== undefined) await tie(full, luck, { see, hide: reach }, { seen, first, any: luck.one(hidden) })
    }
    await hideSome(0)
    const further: string[] = []
    for (const seen of visible) {
      further.push(...(await hide(() => proposeAround(far, luck, seen, luck.one(hidden)))))
      const documents = kind === 'selected' ? [seen.document] : []
      const near = await see(() => askToPropose(space, { kind, documents, hasLink: hasLinks }))
      Object.assign(seen, await see(() => makeProposals(near, seen.document, 'words')))
      await near.close()
    }
    if (first === undefined) throw new Error('Expected something hidden.')
    return {
      visible,
      first,
      hidden: [...hidden.flatMap((things) => NOUNS.map((noun) => things[noun])), ...further, ...members.hidden],
      exposed: visible.map(({ document }) => document),
    }
  } finally {
    await far.close()
    await full.close()
  }
}

/**
 * Returns a function that makes calls within the reach of the narrow connection, which differ between the two spaces
 * only out of it. It returns the IDs of the calls.
 */
export async function startVisibleWork(
  { space, ids, seed, which }: TwinOptions,
  { visible, first }: BuiltTwin,
): Promise<{ work(): Promise<string[]>; close(): Promise<void> }> {
  const luck = new Chance(chance(seed * 91 + which))
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'beside')), id: 'beside' })
  const wrap =
    (part: 'seen' | 'hidden') =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      ids.use(part)
      try {
        return await work()
      } finally {
        ids.use('seen')
      }
    }
  let count = 0
  return {
    async work() {
      // What ends the lease of a visible row must not be a hidden call, which draws its ID.
      await space.endLeases()
      const seen = visible[count++ % visible.length] as Things
      return makeUndoable({ full, seen, hidden: first, luck, see: wrap('seen'), hide: wrap('hidden') })
    },
    close: () => full.close(),
  }
}

/**
 * Makes proposals from a connection that reaches everything: some change the hidden part, and some change the visible
 * part and link to hidden content.
 *
 * @returns the IDs of the proposals and those that they promise
 */
async function proposeAround(far: TestClient, luck: Chance, seen: Things, hidden: Things): Promise<string[]> {
  const markdown = `${luck.one(WORDS)} [away](block://${hidden.block})`
  const pages = [seen.document, seen.page, hidden.page].filter(() => luck.is(0.6))
  const ids: string[] = []
  for (const pageId of pages) {
    const { proposalId, promised } = await propose(far, 'blocks_add', {
      markdown,
      position: { position: 'end', pageId },
    })
    ids.push(proposalId, ...promised)
  }
  return ids
}

/**
 * Adds another participant with different reminders for visible blocks, which only that participant may see. From then
 * on a connection without a sign-in has no reminders.
 */
export async function remindAnother(
  { space, ids, seed, which }: TwinOptions,
  visible: readonly Things[],
): Promise<void> {
  const luck = new Chance(chance(seed * 57 + which))
  ids.use('hidden')
  const bob = await space.write(OPERATOR_LINK, async (view) => {
    await addParticipant(view, 'Bob')
    return (await activeParticipants(view.tx)).find(({ name }) => name === 'Bob')
  })
  if (bob === undefined) throw new Error('Expected the participant that was added.')
  const link = await space.createAccessLink('full', [], 'Bob')
  const client = await ask(space, { ...link, id: 'bob', participant: bob.n, isSignedIn: true })
  for (const { block, task } of visible) {
    const blocks = luck.is(0.5) ? [block] : [block, task]
    // Some of them are due. Every response to their owner says so.
    const reminders = blocks.map((blockId) => ({ blockId, remindAt: luck.is(0.5) ? SOON : '2026-11-25T09:30:00Z' }))
    await done(client, 'reminders_add', { reminders })
  }
  await client.close()
}

const SOON = '2026-11-20T12:00:00Z'

const WORDS = ['xylophone', 'zeppelin', 'words', 'words inside', 'a fox in words'] as const

async function makeVisible(full: TestClient, kind: TwinOptions['kind'], index: number): Promise<Things> {
  const word = `words ${index}`
  if (kind === 'selected') return makeThings(full, await makeDocument(full, word), word, NOWHERE)
  const tasks = [{ markdown: `${word} in the inbox` }, { markdown: `${word} done`, taskInfo: { state: 'done' } }]
  await done(full, 'tasks_add', { tasks })
  return makeThings(full, await makeDay(full, index === 0 ? 'today' : 'yesterday', word), word, NOWHERE)
}

/** Placeholders: these connections do not know folders and templates. */
const NOWHERE = {
  folder: '300000000001',
  outerFolder: '300000000002',
  template: '300000000003',
}

interface Hidden {
  kind: TwinOptions['kind']
  word: string
  /** A different number for each, used for the dates of daily notes. */
  day: number
}

interface Makers {
  full: TestClient
  /** A connection that proposes and reaches everything. */
  far: TestClient
}

async function makeHidden({ full, far }: Makers, luck: Chance, { kind, word, day }: Hidden): Promise<Things> {
  const isDay = kind === 'selected' && luck.is(0.4)
  const date = `2026-10-${10 + day}`
  const document = isDay ? await makeDay(full, date, word) : await makeDocument(full, word)
  const proposer = luck.is(0.6) ? far : undefined
  const things = await makeThings(full, document, word, await makePlaces(full, word), { proposer })
  if (proposer !== undefined && luck.is(0.5)) await reject(full, things.otherProposal)
  const position = { position: 'end', pageId: document }
  // The file has the same bytes as files added to the visible part.
  if (luck.is(0.5)) await done(full, 'files_add', { text: 'x', fileName: 'x.txt', position })
  await done(full, 'reminders_add', { reminders: [{ blockId: things.block, remindAt: '2026-11-20T09:30:00Z' }] })
  if (kind === 'selected') await done(full, 'tasks_add', { tasks: [{ markdown: `${word} in the inbox` }] })
  // Never the first document, since the visible part refers to it.
  if (day > 0 && luck.is(0.3)) await done(full, 'documents_delete', { documentIds: [document] })
  return things
}

async function reject(full: TestClient, proposalId: string): Promise<void> {
  const request = requestFor(endpointNamed(full.table, 'proposals_reject'), { proposalId, note: 'xylophone' })
  const { status, text } = await full.rest(request as RestInput)
  if (status !== 200) throw new Error(`Expected the proposal to be rejected, found ${text}.`)
}

interface Ties {
  see: <T>(work: () => Promise<T>) => Promise<T>
  hide: <T>(work: () => Promise<T>) => Promise<T>
}

/** Creates links and relations between the two parts, in both directions. */
async function tie(
  full: TestClient,
  luck: Chance,
  { see, hide }: Ties,
  tied: { seen: Things; first: Things; any: Things },
) {
  const { seen, first, any } = tied
  await writeHiddenReferences({ full, seen, see, leadTo: async () => any.block })
  const outward = luck.is(0.5) ? [first.item] : [first.item, first.secondItem]
  await relate({ full, seen, hidden: first, outward, inward: 1 + luck.below(3), see, hide })
  // The same number in both spaces: references to a visible item change its document.
  const markdown = `xylophone [in](block://${seen.block})`
  await hide(() => done(full, 'blocks_add', { markdown, position: { position: 'end', pageId: first.document } }))
}

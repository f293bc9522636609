/**
 * Tests every argument of every tool that can hold an ID with IDs of things that are out of reach, in the trash, or
 * never existed. Things out of reach must be answered like things that never existed: word for word, with the same
 * status, over MCP and REST, and without any write.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LARGEST_ID, SMALLEST_ID } from '../../../src/space/model/ids.ts'
import { type ConnectionKind, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { resources } from '../../../tools/index.ts'
import { chance } from '../proof.ts'
import { Chance } from '../test-client/generated-calls.ts'
import { askToPropose } from '../test-client/proposing.ts'
import { ask, call, endpointNamed, type TestClient } from '../test-client/test-client.ts'
import {
  done,
  makeDay,
  makeDocument,
  makePlaces,
  makeProposals,
  makeThings,
  NOUNS,
  NOW,
  type Noun,
  propose,
  type Things,
} from '../test-client/things.ts'
import { type Args, type ToolCall, validCalls } from '../test-client/valid-calls.ts'
import { watchWrites } from '../test-client/write-watch.ts'
import { namedPlaces, otherPlaces, type Place } from './cells.ts'
import { type ComparedResponses, ResponseComparison } from './compare.ts'
import { methodName, openConnection, type VersionedMethod } from './connection-methods.ts'
import { addressOf, RESOURCE_NOUNS } from './entries.ts'
import { changeOf, type Part, partOf } from './hidden-part.ts'
import { type Form, relate, writeHiddenReferences } from './ties.ts'
import { makeUndoable, undoArguments } from './undoable.ts'
import { undoing } from './undoing.ts'

export interface Matrix {
  arguments: number
  calls: number
  faults: string[]
}

export interface Extent extends VersionedMethod {
  /** Also tries IDs of the wrong kind of thing, and IDs in texts, over REST and for things in the trash. */
  isLong: boolean
  /** Returns true for a fault with which the search can stop. */
  until?(fault: string): boolean
  /** Plants a fault in the space that calls run on. */
  plant?(space: OpenSpace): OpenSpace
}

export async function matrix(folder: string, kind: ConnectionKind, extent: Extent): Promise<Matrix> {
  const { isLong, until = () => false, plant = (space) => space, ...way } = extent
  mkdirSync(folder)
  const file = join(folder, 'space.sqlite')
  let count = 0
  const generateIds = (wanted: number) => Array.from({ length: wanted }, () => SMALLEST_ID + ++count)
  let calls = 0
  const generateCallId = () => LARGEST_ID - ++calls
  const chosen = { clock: () => NOW, steadyClock: () => NOW, generateIds, generateCallId }
  const space = await openSpace(file, { name: 'Proof', timezone: 'Europe/Budapest', ...chosen })
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'tester')), id: 'full' })
  const world = await makeWorld(kind, full, { space, hasLinks: way.door !== 'stdio' })
  const { own, hidden, trashed } = world
  // A selected connection may learn that one of its documents is in the trash, including the ID.
  const exposed = kind === 'selected' ? trashed.document : undefined
  const documents = kind === 'selected' ? [own.document, trashed.document] : []
  const unseen = [hidden.document, trashed.document]
  let before: Part = new Map()
  let change: string | undefined
  const undone = undoing(space, (view) => {
    if (kind !== 'full') change = changeOf(view, before, unseen)
  })
  const opened = await openConnection({ ...way, space, as: plant(undone), kind, documents, clock: () => NOW })
  const { client } = opened
  // A connection sees the history of its documents since it was made.
  const undoable = await undoableCalls(full, own, hidden)
  before = await space.read(OPERATOR_LINK, async (view) => partOf(view, unseen))
  const watch = watchWrites(file)
  const made = count
  const secrets = new Map(kind === 'full' ? [] : world.secrets)
  if (exposed !== undefined) secrets.delete(exposed)
  const compare = new ResponseComparison({
    client,
    // Each call draws the same IDs as the one before, which was rolled back.
    begin: () => {
      count = made
      change = undefined
    },
    written: () => watch.count(),
    changed: () => change,
    secrets,
    gone: trashed.document,
  })
  const places = new Set<string>()
  const isWhole = way.door === 'stdio' || isLong
  try {
    const calls = validCalls(kind, own)
    for (const [tool, args] of [...calls, ...(isWhole ? asSteps(client, calls) : [])]) {
      const { schema, endpoint } = endpointNamed(client.table, tool)
      // The unchanged call: responses about things within reach could reveal others.
      await compare.compare([tool, args], MISSING)
      if (endpoint.effect !== 'read') await compare.compare([tool, args], MISSING, { isDry: true })
      for (const place of [...namedPlaces(args, own), ...(isWhole ? otherPlaces(schema, args, own) : [])]) {
        const name = `${tool} ${place.name}`
        // A place that holds no ID in valid calls is tried in only one call.
        if (place.noun === undefined && (places.has(name) || (kind === 'full' && !isLong))) continue
        // Through other connection methods, the same functions run the same calls, and only the caller differs.
        if (!isWhole && places.has(name)) continue
        places.add(name)
        await tryPlace(compare, { kind, tool, place, world, isLong, isWhole })
      }
      if (compare.faults.some(until)) break
    }
    if (!compare.faults.some(until)) {
      await tryResources(compare, kind, world)
      await tryCursors(compare, kind, full, world)
      await tryUndo(compare, kind, undoable)
    }
  } finally {
    watch.close()
    await opened.close()
    await full.close()
    await space.close()
  }
  const left = readdirSync(`${file}.files`).filter((name) => name.startsWith('passing-'))
  if (left.length > 0) compare.faults.push(`the bytes of ${left.length} refused files were left`)
  const faults = compare.faults.map((fault) => `${kind}, ${methodName(way)}: ${fault}`)
  return { arguments: places.size, calls: compare.sent, faults }
}

/** Wraps each call that can be a step in a batch of one step. */
const asSteps = ({ table }: TestClient, calls: readonly ToolCall[]): ToolCall[] =>
  calls.flatMap(([tool, args]): ToolCall[] => {
    const { isNoStep, isRestOnly } = endpointNamed(table, tool).endpoint
    return isNoStep || isRestOnly ? [] : [['batch', { steps: [{ tool, arguments: args }] }]]
  })

interface World {
  /** Things within reach, things out of reach, and things in the trash. */
  own: Things
  hidden: Things
  trashed: Things
  /**
   * More things out of reach: those that hidden proposals promise, and proposals that would change something within
   * reach but link to something out of it.
   */
  further: Partial<Record<Noun, readonly string[]>>
  /** IDs and words that no response may contain if the connection does not reach them, with their meaning. */
  secrets: [secret: string, meaning: string][]
}

interface Making {
  space: OpenSpace
  /** True if connections that propose have access links. */
  hasLinks: boolean
}

async function makeWorld(kind: ConnectionKind, full: TestClient, { space, hasLinks }: Making): Promise<World> {
  const day = (date: string, word: string) => makeDay(full, date, word)
  // The hidden proposals are the first in the queue.
  const far = await askToPropose(space, { kind: 'full', documents: [], hasLink: hasLinks })
  const places = await makePlaces(full, HIDDEN)
  const hidden = await makeThings(full, await makeDocument(full, HIDDEN), HIDDEN, places, { proposer: far })
  const ownDocument = kind === 'daily' ? await day('today', OWN) : await makeDocument(full, OWN)
  const exposed = kind === 'selected' ? [ownDocument] : []
  const near = await askToPropose(space, { kind, documents: exposed, hasLink: hasLinks })
  const own = await makeThings(full, ownDocument, OWN, await makePlaces(full, OWN))
  const secrets: World['secrets'] = []
  const leadTo = async (form: Form) => {
    const position = { position: 'end', pageId: hidden.document }
    const { items = [] } = await done(full, 'blocks_add', { markdown: HIDDEN, position })
    const id = items[0]?.id ?? ''
    secrets.push([id, `the block that ${form} leads to`])
    return id
  }
  const see = <T>(work: () => Promise<T>) => work()
  await writeHiddenReferences({ full, seen: own, see, leadTo })
  await relate({ full, seen: own, hidden, outward: [hidden.item], inward: 2, see, hide: see })
  const thrown = kind === 'daily' ? await day('yesterday', TRASHED) : await makeDocument(full, TRASHED)
  const trashed = await makeThings(full, thrown, TRASHED, await makePlaces(full, TRASHED), { proposer: far })
  await done(full, 'documents_delete', { documentIds: [thrown] })
  for (const noun of NOUNS) {
    secrets.push([hidden[noun], `the ID of the hidden ${noun}`], [trashed[noun], `the ID of the ${noun} in the trash`])
  }
  secrets.push([HIDDEN, 'a word of what is hidden'], [TRASHED, 'a word of what is in the trash'])
  // These come last, so that no later change affects the proposals.
  Object.assign(own, await makeProposals(near, own.document, OWN))
  const further = await proposeFurther(far, own, hidden)
  for (const id of [...further.document, ...further.block]) secrets.push([id, 'an ID that a hidden proposal promises'])
  for (const id of further.proposal) secrets.push([id, 'the ID of a proposal that leads to what is hidden'])
  for (const { close } of [near, far]) await close()
  return { own, hidden, trashed, further, secrets }
}

/** @param far  a connection that proposes and reaches everything */
async function proposeFurther(far: TestClient, own: Things, hidden: Things) {
  const position = { position: 'end', pageId: own.document }
  const document = await propose(far, 'documents_add', { documents: [{ title: HIDDEN }] })
  const inside = await propose(far, 'blocks_add', { markdown: HIDDEN, position: { ...position, pageId: hidden.page } })
  const markdown = `${OWN} [away](block://${hidden.block})`
  const leading = await propose(far, 'blocks_add', { markdown, position })
  const steps = [
    { tool: 'blocks_get', arguments: { id: hidden.page } },
    { tool: 'blocks_add', arguments: { markdown: OWN, position } },
  ]
  const reading = await propose(far, 'batch', { steps })
  const proposals = [document, inside, leading, reading].map(({ proposalId }) => proposalId)
  return { document: document.promised, block: inside.promised, proposal: proposals, otherProposal: proposals }
}

const OWN = 'words'
const HIDDEN = 'xylophone'
const TRASHED = 'zeppelin'

/** Values that never existed: an ID, and a name like those of whiteboard elements. */
const MISSING = '199999999999'
const MISSING_NAME = 'nothing-element'
const isId = (text: string): boolean => /^\d{12}$/.test(text)

interface Trial {
  kind: ConnectionKind
  tool: string
  place: Place
  world: World
  isLong: boolean
  /** True to try other IDs in addition to the hidden one of the same kind. */
  isWhole: boolean
}

async function tryPlace(
  compare: ResponseComparison,
  { kind, tool, place, world, isLong, isWhole: isThorough }: Trial,
): Promise<void> {
  const { noun } = place
  const isNamed = noun !== undefined
  const response = new Map<string, ComparedResponses[]>()
  const compareMissing = async (id: string): Promise<ComparedResponses[]> => {
    const known = response.get(id)
    if (known !== undefined) return known
    const missing: ComparedResponses[] = []
    for (const args of place.put(id)) {
      missing.push(await compare.compare([tool, args], id, { overRest: isNamed || isLong, isAlike: isNamed }))
    }
    response.set(id, missing)
    return missing
  }
  await compareMissing(MISSING)
  const trial = async (id: string, isWhole: boolean) => {
    const missing = await compareMissing(isId(id) ? MISSING : MISSING_NAME)
    const forms = place.put(id)
    for (const [index, args] of (isWhole || !isNamed ? forms : forms.slice(0, 1)).entries()) {
      const response = await compare.compare([tool, args], id, { overRest: isWhole, isAlike: isNamed })
      // A full connection reaches everything, so only the two transports are compared.
      if (kind !== 'full') compare.same(`${tool} ${JSON.stringify(args)}`, response, missing[index] ?? response)
    }
  }
  for (const id of isNamed ? (world.further[noun] ?? []) : []) await trial(id, true)
  for (const things of [world.hidden, world.trashed]) {
    if (isNamed) await trial(things[noun], true)
    if (!isThorough) continue
    if (isNamed ? kind === 'full' : !isLong && things !== world.hidden) continue
    // The short run tries one of four, and which one depends on the place.
    const some = NOUNS.filter((_, index) => isLong || (index + place.name.length) % 4 === 0)
    const others = new Set((isNamed ? some : LINKED).map((one) => things[one]))
    for (const id of others) if (!isNamed || id !== things[noun]) await trial(id, isLong)
  }
}

/** The kinds of things that texts can refer to. */
const LINKED = ['block', 'file'] as const

async function tryResources(
  compare: ResponseComparison,
  kind: ConnectionKind,
  { own, hidden, trashed }: World,
): Promise<void> {
  if (kind === 'full') return
  for (const resource of resources) {
    for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe']) {
      const compareBoth = (id: string) => compare.compareMessages(method, { uri: addressOf(resource, id) }, id)
      const missing = { mcp: await compareBoth(MISSING) }
      const missingName = { mcp: await compareBoth(MISSING_NAME) }
      for (const id of [hidden, trashed].flatMap((things) => NOUNS.map((noun) => things[noun]))) {
        compare.same(
          `${method} ${addressOf(resource, id)}`,
          { mcp: await compareBoth(id) },
          isId(id) ? missing : missingName,
        )
      }
    }
    const noun = RESOURCE_NOUNS[resource.name]
    if (noun !== undefined)
      await compare.compareMessages('resources/read', { uri: addressOf(resource, own[noun]) }, MISSING)
  }
  for (const method of ['resources/list', 'resources/templates/list', 'tools/list']) {
    await compare.compareMessages(method, {}, MISSING)
  }
}

/** Calls whose undo could change something out of reach, and one that only changed something there. */
async function undoableCalls(full: TestClient, own: Things, hidden: Things) {
  const as = <T>(work: () => Promise<T>) => work()
  const luck = new Chance(chance(1))
  const calls: string[] = []
  // Often enough for everything that may happen out of reach.
  for (let count = 0; count < 8; count++) {
    calls.push(...(await makeUndoable({ full, seen: own, hidden, luck, see: as, hide: as })))
  }
  await done(full, 'blocks_add', { markdown: HIDDEN, position: { position: 'end', pageId: hidden.document } })
  const { items } = (await call(full, 'history_list', { limit: 1, format: 'json' })).object as {
    items: { callId: string }[]
  }
  return { calls, hiddenCall: items[0]?.callId ?? '' }
}

/** Undoes calls within reach, which must change nothing out of it, and calls out of reach, as if they did not exist. */
async function tryUndo(
  compare: ResponseComparison,
  kind: ConnectionKind,
  { calls, hiddenCall }: Awaited<ReturnType<typeof undoableCalls>>,
): Promise<void> {
  for (const id of calls) for (const args of undoArguments(id)) await compare.compare(['history_undo', args], MISSING)
  if (kind === 'full') return
  for (const [index, args] of undoArguments(hiddenCall).entries()) {
    const missing = await compare.compare(['history_undo', undoArguments(MISSING)[index] as Args], MISSING)
    const response = await compare.compare(['history_undo', args], hiddenCall)
    compare.same(`history_undo ${JSON.stringify(args)}`, response, missing)
  }
}

/** Uses cursors from a connection with a wider reach, which must not lead beyond one's own reach. */
async function tryCursors(
  compare: ResponseComparison,
  kind: ConnectionKind,
  full: TestClient,
  { own, hidden }: World,
): Promise<number> {
  let tried = 0
  const mine = validCalls(kind, own)
  for (const [tool, args] of [...mine, ...validCalls(kind, hidden)]) {
    if (!full.names.includes(tool) || endpointNamed(full.table, tool).schema.properties?.cursor === undefined) continue
    const { text } = await call(full, tool, args)
    const [, cursor] = /"cursor":"([^"]+)"/.exec(text) ?? /cursor (?:is )?([\w-]{20,})/.exec(text) ?? []
    if (cursor === undefined) continue
    tried += 1
    for (const [again, same] of mine) {
      if (again === tool) await compare.compare([tool, { ...same, cursor }], MISSING)
    }
    await compare.compare([tool, { ...args, cursor }], MISSING)
  }
  return tried
}

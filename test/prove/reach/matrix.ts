/**
 * Every argument of every tool that can hold an ID, with IDs of things that are out of reach, thrown away, and that
 * never were. What is out of reach must be answered as what never was: word for word, with the same status, over MCP and
 * over REST, and nothing may be written.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openSpace } from '../../../src/space/open.ts'
import type { Kind, Link } from '../../../src/space/space.ts'
import { type Asking, ask, call } from '../asking/asking.ts'
import { done, makeDay, makeDocument, makePlaces, makeThings, NOUNS, NOW, type Things } from '../asking/things.ts'
import { validCalls } from '../asking/valid-calls.ts'
import { namedPlaces, otherPlaces, type Place } from './cells.ts'
import { Comparing, type Told } from './compare.ts'
import { undoing } from './undoing.ts'

export interface Matrix {
  arguments: number
  calls: number
  faults: string[]
}

export interface Extent {
  /** IDs of the wrong kind of thing, and IDs in texts, over REST and from the trash as well. */
  isLong: boolean
  /** Faults after which it is enough. */
  most?: number
}

export async function matrix(folder: string, kind: Kind, { isLong, most = Infinity }: Extent): Promise<Matrix> {
  mkdirSync(folder)
  const file = join(folder, 'space.sqlite')
  let count = 0
  const newId = () => idOf(0, ++count)
  const space = await openSpace(file, { name: 'Proof', timezone: 'Europe/Budapest', clock: () => NOW, newId })
  const full = await ask(space, linkAs(await space.link('full', [], 'tester')))
  const world = await makeWorld(kind, full)
  const { own, hidden, trashed } = world
  // Of a document in the trash a connection that had it is told that, and its ID.
  const exposed = kind === 'selected' ? trashed.document : undefined
  const documents = kind === 'selected' ? [own.document, trashed.document] : []
  const asking = await ask(undoing(space), linkAs(await space.link(kind, documents, 'tester')))
  const watch = new Sqlite(file, { readonly: true })
  const made = count
  const compare = new Comparing({
    asking,
    // Each call gives the IDs that the one before gave and that were taken back.
    begin: () => {
      count = made
    },
    written: () => watch.pragma('data_version', { simple: true }),
    secrets: kind === 'full' ? [] : [...secretsOf(hidden), ...secretsOf(trashed)].filter((one) => one !== exposed),
  })
  const places = new Set<string>()
  try {
    for (const [tool, args] of validCalls(kind, own)) {
      const { schema } = asking.table.get(tool)
      for (const place of [...namedPlaces(args, own), ...otherPlaces(schema, args, own)]) {
        const name = `${tool} ${place.name}`
        // A place that names nothing is tried in one of the calls.
        if (place.noun === undefined && (places.has(name) || (kind === 'full' && !isLong))) continue
        places.add(name)
        await tryPlace(compare, { kind, tool, place, world, isLong })
      }
      if (compare.faults.length >= most) break
    }
    if (compare.faults.length < most) {
      await tryResources(compare, kind, world)
      await tryCursors(compare, kind, full, world)
    }
  } finally {
    watch.close()
    await asking.close()
    await full.close()
    await space.close()
  }
  const left = readdirSync(`${file}.files`).filter((name) => name.startsWith('passing-'))
  if (left.length > 0) compare.faults.push(`the bytes of ${left.length} refused files were left`)
  return { arguments: places.size, calls: compare.sent, faults: compare.faults.map((fault) => `${kind}: ${fault}`) }
}

interface World {
  /** Things within reach, things out of it, and things in the trash. */
  own: Things
  hidden: Things
  trashed: Things
}

async function makeWorld(kind: Kind, full: Asking): Promise<World> {
  const day = (date: string, word: string) => makeDay(full, date, word)
  const ownDocument = kind === 'daily' ? await day('today', OWN) : await makeDocument(full, OWN)
  const own = await makeThings(full, ownDocument, OWN, await makePlaces(full, OWN))
  const places = await makePlaces(full, HIDDEN)
  const hidden = await makeThings(full, await makeDocument(full, HIDDEN), HIDDEN, places)
  const thrown = kind === 'daily' ? await day('yesterday', TRASHED) : await makeDocument(full, TRASHED)
  const trashed = await makeThings(full, thrown, TRASHED, await makePlaces(full, TRASHED))
  await done(full, 'documents_delete', { documentIds: [thrown] })
  return { own, hidden, trashed }
}

const OWN = 'words'
const HIDDEN = 'xylophone'
const TRASHED = 'zeppelin'

/** IDs and words that stand in no answer to who does not reach them. */
const secretsOf = (things: Things): string[] => NOUNS.map((noun) => things[noun]).concat(HIDDEN, TRASHED)

const idOf = (group: number, count: number): string =>
  `0000000${group}-0000-7000-8000-${String(count).padStart(12, '0')}`

/** Of nothing that there ever was. */
// As long as the others, and alike at the beginning: keys are made of names, and cut.
const MISSING = idOf(0, 999_999_999_999)

/** As links that are served have it, so that none takes another's answers for its own. */
const linkAs = (link: Link): Link => ({ ...link, id: link.kind })

interface Trial {
  kind: Kind
  tool: string
  place: Place
  world: World
  isLong: boolean
}

async function tryPlace(compare: Comparing, { kind, tool, place, world, isLong }: Trial): Promise<void> {
  const { noun } = place
  const isNamed = noun !== undefined
  const missing: Told[] = []
  for (const args of place.put(MISSING)) {
    missing.push(await compare.tell([tool, args], MISSING, { overRest: isNamed || isLong, isAlike: isNamed }))
  }
  const trial = async (id: string, isWhole: boolean) => {
    const forms = place.put(id)
    for (const [index, args] of (isWhole || !isNamed ? forms : forms.slice(0, 1)).entries()) {
      const told = await compare.tell([tool, args], id, { overRest: isWhole, isAlike: isNamed })
      // A full connection reaches it all, and need only be told the same over both transports.
      if (kind !== 'full') compare.same(`${tool} ${JSON.stringify(args)}`, told, missing[index] ?? told)
    }
  }
  for (const things of [world.hidden, world.trashed]) {
    if (isNamed) await trial(things[noun], true)
    if (isNamed ? kind === 'full' : !isLong && things !== world.hidden) continue
    // Every fourth in the short form, others from place to place.
    const some = NOUNS.filter((_, index) => isLong || (index + place.name.length) % 4 === 0)
    const others = new Set((isNamed ? some : LINKED).map((one) => things[one]))
    for (const id of others) if (!isNamed || id !== things[noun]) await trial(id, isLong)
  }
}

/** What a text may lead to. */
const LINKED = ['block', 'file'] as const

async function tryResources(compare: Comparing, kind: Kind, { hidden, trashed }: World): Promise<void> {
  if (kind === 'full') return
  for (const resource of ['documents', 'files', 'whiteboards']) {
    const read = (id: string) => {
      const asked = { uri: `scriptorium://${resource}/${id}` }
      return compare.tellOf('resources/read', asked, id)
    }
    const missing = { mcp: await read(MISSING) }
    for (const id of [hidden, trashed].flatMap((things) => NOUNS.map((noun) => things[noun]))) {
      compare.same(`scriptorium://${resource}/${id}`, { mcp: await read(id) }, missing)
    }
  }
  await compare.tellOf('resources/list', {}, MISSING)
}

/** Cursors that were made for a connection that reaches more: they lead to nothing beyond one's own reach. */
async function tryCursors(compare: Comparing, kind: Kind, full: Asking, { own, hidden }: World): Promise<number> {
  let tried = 0
  const mine = validCalls(kind, own)
  for (const [tool, args] of [...mine, ...validCalls(kind, hidden)]) {
    if (!full.names.includes(tool) || full.table.get(tool).schema.properties?.cursor === undefined) continue
    const { text } = await call(full, tool, args)
    const [, cursor] = /"cursor":"([^"]+)"/.exec(text) ?? /cursor (?:is )?([\w-]{20,})/.exec(text) ?? []
    if (cursor === undefined) continue
    tried += 1
    for (const [again, same] of mine) {
      if (again === tool) await compare.tell([tool, { ...same, cursor }], MISSING)
    }
    await compare.tell([tool, { ...args, cursor }], MISSING)
  }
  return tried
}

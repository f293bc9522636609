/** The law of names in the history: a narrow connection receives only what it could read at some time. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import type { PlaceChanges } from '../../src/space/history/summary-text.ts'
import type { AccessLink } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { type Connected, connect } from '../connect.ts'

const RUNS = process.env.FC_RUNS === 'long' ? 100 : 5
const STEPS = 30

type Place = 'open' | 'hidden'
const step = fc.record({
  act: fc.constantFrom('task', 'page', 'row', 'rename', 'rename', 'rename', 'move', 'move', 'delete'),
  where: fc.constantFrom<Place[]>('open', 'hidden'),
  which: fc.nat(5),
})

/** What a step makes or changes: a task, page or row, in one of two documents. */
interface Thing {
  id: string
  kind: 'task' | 'page' | 'row'
  where: Place
  name: string
}

async function placeIn(full: Connected, title: string) {
  const { items } = await full.call('documents_add', { documents: [{ title }] })
  const position = { position: 'end', pageId: items[0].id }
  const schema = { name: `${title} rows`, properties: [] }
  const { collectionBlockId } = await full.call('collections_add', { schema, position })
  return { position, pageId: items[0].id as string, collectionId: collectionBlockId as string }
}

/** Plays steps, and returns every name that could be read in the open document. */
async function play(full: Connected, places: Record<Place, Awaited<ReturnType<typeof placeIn>>>, steps: Steps) {
  const things: Thing[] = []
  const readable = new Set(['open rows'])
  const note = ({ where, name }: Thing) => where === 'open' && readable.add(name)
  let written = 0
  const first: Steps = (['task', 'page', 'row', 'task'] as const).map((act) => ({ act, where: 'open', which: 0 }))
  for (const { act, where, which } of [...first, ...steps]) {
    const name = `name ${++written}`
    const { position, collectionId } = places[where]
    const thing = things[which % Math.max(things.length, 1)]
    if (act === 'task' || act === 'page' || act === 'row') {
      const markdown = act === 'task' ? `- [ ] ${name}` : `<page>${name}</page>`
      const { items } =
        act === 'row'
          ? await full.call('items_add', { collectionId, items: [{ title: name }] })
          : await full.call('blocks_add', { markdown, position })
      const made: Thing = { id: items[0].id, kind: act, where, name }
      things.push(made)
      note(made)
    } else if (thing === undefined) continue
    else if (act === 'rename') {
      thing.name = name
      const markdown = thing.kind === 'task' ? `- [ ] ${name}` : name
      await full.call('blocks_update', { blocks: [{ id: thing.id, markdown }] })
      note(thing)
    } else if (act === 'move' && thing.kind !== 'row' && thing.where !== where) {
      thing.where = where
      await full.call('blocks_move', { blockIds: [thing.id], position })
      note(thing)
    } else if (act === 'delete') {
      things.splice(things.indexOf(thing), 1)
      await full.call('blocks_delete', { blockIds: [thing.id] })
    }
  }
  return readable
}
type Steps = { act: 'task' | 'page' | 'row' | 'rename' | 'move' | 'delete'; where: Place; which: number }[]

async function namesFor({ space }: Connected, link: AccessLink): Promise<string[]> {
  const tool = toolCatalogFor(endpoints, link.kind).get('history_list')
  const answer = await runCall(tool, { limit: 100 }, { space, link }, { namesChanges: true })
  const { items } = ('object' in answer ? answer.object : {}) as { items: { changes?: PlaceChanges[] }[] }
  const changes = items.flatMap((item) => item.changes ?? []).flatMap((place) => place.changes)
  return changes.flatMap(({ names = [], collection }) => [...names, ...(collection ? [collection.title] : [])])
}

test('all names are of what was within reach', { timeout: 600_000 }, async () => {
  let received = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const full = await connect()
      const places = { open: await placeIn(full, 'open'), hidden: await placeIn(full, 'hidden') }
      const link = await full.space.createAccessLink('selected', [places.open.pageId], 'reader')
      const readable = await play(full, places, steps)
      const names = await namesFor(full, { ...link, historyFrom: 0 })
      received += names.length
      expect(names.filter((name) => !readable.has(name))).toEqual([])
    }),
    { numRuns: RUNS },
  )
  expect(received).toBeGreaterThan(0)
})

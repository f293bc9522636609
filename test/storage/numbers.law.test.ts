/** Numbers are never reused in a space, whatever is added and deleted, by whichever process. */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import type { Answer } from '../connect.ts'
import { png } from '../picture.ts'
import { folder } from '../program.ts'
import { connectionOf } from '../sqlite.ts'
import { runs } from '../support/runs.ts'

const RUNS = runs(1, 4)

/** SQL that identifies each row independently of its number. */
const ROWS: readonly (readonly [table: string, identity: string])[] = [
  ...['block', 'folder', 'view', 'reminder', 'comment', 'file'].map((table) => [table, 'id'] as const),
  ['document', '(SELECT id FROM block WHERE block.n = document.n)'],
  ['collection', '(SELECT id FROM block WHERE block.n = collection.n)'],
  ['property', "collection || ' ' || key"],
  ['option', "property || ' ' || name"],
  ['element', "board || ' ' || id"],
  ['board_asset', "board || ' ' || id"],
]

/** A step: one of two processes adds a thing or deletes the one added last, or reopens the space. */
type Step = { kind: 'add' | 'delete'; thing: number; by: 0 | 1 } | { kind: 'reopen'; by: 0 | 1 }

const steps = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record<Step & { kind: 'add' | 'delete' }>({
        kind: fc.constantFrom('add', 'delete', 'delete'),
        thing: fc.nat({ max: 5 }),
        by: fc.constantFrom(0, 1),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('reopen' as const), by: fc.constantFrom(0 as const, 1 as const) }),
    },
  ),
  { minLength: 20, maxLength: 30 },
)

class World {
  readonly #file: string
  readonly #open: (OpenSpace | undefined)[] = []
  /** The row that each number identified when it was first seen. */
  readonly #seen = new Map<string, string>()
  readonly #added: Answer[][] = THINGS.map(() => [])
  count = 0
  document = ''
  collection = ''
  board = ''

  constructor(file: string) {
    this.#file = file
  }

  async begin(): Promise<void> {
    this.document = (await this.call(0, 'documents_add', { documents: [{ title: 'D' }] })).items[0].id
    const position = { position: 'end', pageId: this.document }
    this.collection = (
      await this.call(0, 'collections_add', { schema: { name: 'C', properties: [] }, position })
    ).collectionBlockId
    this.board = (await this.call(0, 'whiteboards_add', { position })).whiteboardBlockId
    await this.call(0, 'views_add', { collectionId: this.collection, view: { name: 'Stays', type: 'table' } })
  }

  async call(by: 0 | 1, name: string, args: object): Promise<Answer> {
    const space = await this.#space(by)
    const answer = await runCall(toolCatalogFor(endpoints, 'full').get(name), args, { space, link: OPERATOR_LINK })
    return 'object' in answer ? answer.object : undefined
  }

  async #space(by: 0 | 1): Promise<OpenSpace> {
    const space = this.#open[by] ?? (await openSpace(this.#file))
    this.#open[by] = space
    return space
  }

  async run(step: Step): Promise<void> {
    if (step.kind === 'reopen') await this.close(step.by)
    else {
      const { add, remove } = THINGS[step.thing] ?? THINGS[0]
      const added = this.#added[step.thing] ?? []
      const call = (name: string, args: object) => this.call(step.by, name, args)
      if (step.kind === 'add') added.push(await add(this, call))
      else if (added.length > 0) await remove(this, call, added.pop())
    }
    await this.#checkRow()
  }

  async #checkRow(): Promise<void> {
    const space = await this.#space(0)
    await space.read(OPERATOR_LINK, async ({ tx }) => {
      for (const [table, identity] of ROWS) {
        const rows = connectionOf(tx)
          .sql<{ n: number; identity: string }>(`SELECT n, ${identity} AS identity FROM ${table}`)
          .all()
        for (const { n, identity } of rows) {
          const before = this.#seen.get(`${table} ${n}`) ?? identity
          expect(identity, `number ${n} of ${table}`).toBe(before)
          this.#seen.set(`${table} ${n}`, identity)
        }
      }
    })
  }

  async close(by: 0 | 1): Promise<void> {
    await this.#open[by]?.close()
    this.#open[by] = undefined
  }
}

type Call = (name: string, args: object) => Promise<Answer>

interface Thing {
  add(world: World, call: Call): Promise<Answer>
  /** @param added  the result of `add` */
  remove(world: World, call: Call, added: Answer): Promise<Answer>
}

const end = ({ document: pageId }: World) => ({ position: 'end', pageId })
const picture = png(1, 1).toString('base64')

const THINGS: readonly [Thing, ...Thing[]] = [
  {
    // With a reminder and comments, which are deleted together with it.
    async add(world, call) {
      const { items } = await call('blocks_add', { markdown: 'a\n\nb', position: end(world) })
      const blockIds = items.map(({ id }: Answer) => id)
      await call('comments_add', { comments: blockIds.map((blockId: string) => ({ blockId, content: 'c' })) })
      await call('reminders_add', { reminders: [{ blockId: blockIds[0] }] })
      return blockIds
    },
    remove: (_, call, blockIds) => call('blocks_delete', { blockIds }),
  },
  {
    async add(world, call) {
      const properties = [{ type: 'singleSelect', name: 'S', options: [{ name: 'one' }] }]
      const schema = { name: `C${world.count++}`, properties }
      const { collectionBlockId } = await call('collections_add', { schema, position: end(world) })
      await call('items_add', { collectionId: collectionBlockId, items: [{ title: 'i', properties: { s: 'one' } }] })
      return collectionBlockId
    },
    remove: (_, call, id) => call('blocks_delete', { blockIds: [id] }),
  },
  {
    add: async (_, call) => (await call('folders_add', { folders: [{ name: 'F' }] })).items[0].id,
    remove: (_, call, id) => call('folders_delete', { folderIds: [id] }),
  },
  {
    add: async ({ collection: collectionId }, call) =>
      (await call('views_add', { collectionId, view: { name: 'V', type: 'table' } })).id,
    remove: ({ collection: collectionId }, call, viewId) => call('views_delete', { collectionId, viewId }),
  },
  {
    async add(world, call) {
      const id = `e${world.count++}`
      await call('elements_add', { whiteboardBlockId: world.board, elements: [{ id, type: 'rectangle' }] })
      return id
    },
    remove: ({ board: whiteboardBlockId }, call, id) =>
      call('elements_delete', { whiteboardBlockId, elementIds: [id] }),
  },
  {
    // The row of a file is deleted the next time the space is opened after its last block is deleted.
    add: async (world, call) => (await call('files_add', { data: picture, position: end(world) })).blockId,
    remove: (_, call, id) => call('blocks_delete', { blockIds: [id] }),
  },
]

test('a number never refers to another row than before', async () => {
  const place = folder()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const file = join(place, `${runs++}.sqlite`)
      const world = new World(file)
      try {
        await world.begin()
        for (const step of taken) await world.run(step)
      } finally {
        await world.close(0)
        await world.close(1)
      }
    }),
    { numRuns: RUNS },
  )
})

test('in a space that several processes add to and delete from in turn', async () => {
  const file = join(folder(), 'space.sqlite')
  const world = new World(file)
  await world.begin()
  for (const [thing] of THINGS.entries()) {
    for (const kind of ['add', 'delete', 'add'] as const) {
      for (const by of [0, 1] as const) await world.run({ kind, thing, by })
      await world.close(0)
      await world.close(1)
    }
  }
})

/** Rules about documents: their lists, where they stand, and the trash. */

import { FULL, FULL_AND_SELECTED, type RuleGroup, SELECTED } from '../rule.ts'
import { has, holds, idsOf, one, reads, same, withId } from '../rule-context.ts'
import { ROOT_DAY } from '../world.ts'
import { addFolder, inFolder, list } from './folder-setup.ts'

const UNSORTED = { destination: 'unsorted' }
const TEMPLATES = { destination: 'templates' }
const TRASH = { destination: 'trash' }

export const documents: RuleGroup = {
  title: 'documents',
  rules: [
    {
      statement: 'GET lists the exposed documents with their IDs, titles and whether they were deleted.',
      kinds: SELECTED,
      async check(at) {
        const found = withId(await list(at), at.world.secondExposed)
        has(found, { rootBlockId: at.world.secondExposed, title: 'Second exposed', isDeleted: false })
      },
    },
    {
      statement: 'GET takes fetchMetadata, and no filter of a full connection.',
      kinds: SELECTED,
      async check(at) {
        for (const query of [{ location: 'trash' }, { folderId: at.root }, { createdDateGte: 'today' }]) {
          await at.refused('documents_list', query)
        }
      },
    },
    {
      statement: 'fetchMetadata is false by default; with it, times and a clickableLink are answered.',
      kinds: FULL_AND_SELECTED,
      async check(at) {
        const id = at.world.secondExposed
        const plain = withId(await list(at), id)
        same([plain.createdAt, plain.lastModifiedAt, plain.clickableLink], [undefined, undefined, undefined])
        const rich = withId(await list(at, { fetchMetadata: true }), id)
        for (const time of [rich.createdAt, rich.lastModifiedAt]) reads(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        reads(rich.clickableLink, /documentId=/)
      },
    },
    {
      statement: 'location lists the documents of unsorted, trash, templates or daily_notes.',
      kinds: FULL,
      async check(at) {
        const [unsorted, template, deleted] = [await at.document('a'), await at.document('b'), await at.document('c')]
        await at.setup('documents_move', { documentIds: [template], destination: TEMPLATES })
        await at.setup('documents_delete', { documentIds: [deleted] })
        const places = { unsorted, templates: template, trash: deleted, daily_notes: at.world.roots.daily }
        for (const [location, id] of Object.entries(places)) {
          const found = idsOf(await list(at, { location }))
          for (const [other, each] of Object.entries(places)) {
            same([location, found.includes(each)], [location, other === location])
          }
          holds(found.includes(id), `Expected ${id} in ${location}`)
        }
        await at.refused('documents_list', { location: 'archive' })
      },
    },
    {
      statement: 'folderId lists the documents of a folder and of its subfolders.',
      kinds: FULL,
      async check(at) {
        const outer = await addFolder(at, 'outer')
        const inner = await addFolder(at, 'inner', { parentFolderId: outer })
        const ids = [await inFolder(at, outer), await inFolder(at, inner)]
        same(idsOf(await list(at, { folderId: outer })).toSorted(), ids.toSorted())
        same(idsOf(await list(at, { folderId: inner })), [ids[1]])
      },
    },
    {
      statement: 'The filters by dates of creation and change are inclusive, and take dates or words.',
      kinds: FULL,
      async check(at) {
        const id = await at.document('of today')
        const listed = async (query: object) => idsOf(await list(at, { ...query, documentIds: [id] })).includes(id)
        for (const field of ['createdDate', 'lastModifiedDate']) {
          for (const day of ['today', '2026-11-20']) {
            same(await listed({ [`${field}Gte`]: day, [`${field}Lte`]: day }), true)
          }
          same(await listed({ [`${field}Gte`]: 'tomorrow' }), false)
          same(await listed({ [`${field}Lte`]: 'yesterday' }), false)
        }
      },
    },
    {
      statement: 'The filters by dates of daily notes are inclusive.',
      kinds: FULL,
      async check(at) {
        const listed = async (query: object) => idsOf(await list(at, query)).includes(at.world.roots.daily)
        same(await listed({ dailyNoteDateGte: ROOT_DAY, dailyNoteDateLte: ROOT_DAY }), true)
        same(await listed({ dailyNoteDateGte: '2026-11-11' }), false)
        same(await listed({ dailyNoteDateLte: '2026-11-09' }), false)
      },
    },
    {
      statement: 'location, folderId and documentIds are not combined.',
      kinds: FULL,
      async check(at) {
        const folderId = await addFolder(at, 'a folder')
        const documentIds = [at.world.hidden]
        for (const query of [
          { location: 'trash', folderId },
          { location: 'trash', documentIds },
          { folderId, documentIds },
        ]) {
          await at.refused('documents_list', query)
        }
      },
    },
    {
      statement: 'Without a filter, GET lists all documents.',
      kinds: FULL,
      async check(at) {
        const { hidden, roots, secondExposed } = at.world
        const { items } = await at.done('documents_list', at.isRest ? {} : { limit: 20_000 })
        const found = idsOf(items)
        for (const id of [hidden, secondExposed, ...Object.values(roots)]) holds(found.includes(id), `Expected ${id}`)
      },
    },
    {
      statement: 'POST makes documents, and answers with their IDs, titles and links.',
      kinds: FULL,
      async check(at) {
        const documents = [{ title: 'one', markdown: 'words' }, { title: 'two' }]
        const { items } = await at.done('documents_add', { documents })
        same(
          items.map(({ title }) => title),
          ['one', 'two'],
        )
        for (const { id, clickableLink } of items) reads(clickableLink, new RegExp(`documentId=${id}$`))
        same((await at.read(items[0]?.id ?? '')).content.length, 1)
      },
    },
    {
      statement: 'The destination of POST is unsorted, templates or a folder.',
      kinds: FULL,
      async check(at) {
        const folderId = await addFolder(at, 'a folder')
        const placed = async (destination: object) => {
          const { items } = await at.done('documents_add', { documents: [{ title: 'a' }], destination })
          return one(await list(at, { documentIds: idsOf(items) }))
        }
        has(await placed(UNSORTED), { location: 'unsorted' })
        has(await placed(TEMPLATES), { location: 'templates' })
        has(await placed({ folderId }), { folderId })
      },
    },
    {
      statement: 'No document is made in the trash.',
      kinds: FULL,
      check: async (at) =>
        void (await at.refused('documents_add', { documents: [{ title: 'a' }], destination: TRASH })),
    },
    {
      statement: 'DELETE moves documents of any location to the trash, and answers with their IDs.',
      kinds: FULL,
      async check(at) {
        const folderId = await addFolder(at, 'a folder')
        const ids = [await at.document('a'), await inFolder(at, folderId)]
        same((await at.done('documents_delete', { documentIds: ids })).items as unknown, ids)
        for (const found of await list(at, { documentIds: ids })) has(found, { location: 'trash', isDeleted: true })
      },
    },
    {
      statement: 'A deleted document keeps its content.',
      kinds: FULL,
      async check(at) {
        const id = await at.document('a', { markdown: 'kept' })
        await at.done('documents_delete', { documentIds: [id] })
        same(one((await at.read(id)).content).markdown, 'kept')
      },
    },
    {
      statement: 'PUT /documents/move restores a document from the trash to unsorted, the templates or a folder.',
      kinds: FULL,
      async check(at) {
        const folderId = await addFolder(at, 'a folder')
        for (const destination of [UNSORTED, TEMPLATES, { folderId }]) {
          const id = await at.document('a')
          await at.done('documents_delete', { documentIds: [id] })
          await at.done('documents_move', { documentIds: [id], destination })
          const found = one(await list(at, { documentIds: [id] }))
          same(found.isDeleted, false)
          same('folderId' in destination ? found.folderId : found.location, Object.values(destination)[0])
        }
      },
    },
    {
      statement: 'PUT /documents/move answers with the documents and their new places.',
      kinds: FULL,
      async check(at) {
        const id = await at.document('a')
        const { items } = await at.done('documents_move', { documentIds: [id], destination: TEMPLATES })
        has(one(items), { id, destination: TEMPLATES })
      },
    },
    {
      statement: 'No document is moved to the trash.',
      kinds: FULL,
      async check(at) {
        const id = await at.document('a')
        await at.refused('documents_move', { documentIds: [id], destination: TRASH })
        has(one(await list(at, { documentIds: [id] })), { location: 'unsorted' })
      },
    },
    {
      statement: 'Daily notes are not moved.',
      kinds: FULL,
      async check(at) {
        const id = at.world.roots.daily
        for (const destination of [UNSORTED, TEMPLATES])
          await at.refused('documents_move', { documentIds: [id], destination })
        has(one(await list(at, { documentIds: [id] })), { location: 'daily_notes' })
      },
    },
  ],
}

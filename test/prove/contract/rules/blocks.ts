/** Rules about reading, adding, changing, moving and deleting blocks. */

import { DAILY, FULL, FULL_AND_DAILY, REST, type RuleGroup, SELECTED } from '../rule.ts'
import { beside, has, holds, idsOf, inPage, markdownsOf, one, type RuleContext, same } from '../rule-context.ts'
import { ROOT_DAY } from '../world.ts'

/** The texts on a page. */
const textsOn = async (at: RuleContext, page: string) => markdownsOf((await at.read(page)).content)

const add = (at: RuleContext, markdown: string, position: object) => at.done('blocks_add', { markdown, position })

const NESTED =
  '<page><pageTitle>one</pageTitle><content><page><pageTitle>two</pageTitle><content>three</content></page></content></page>'

export const blocks: RuleGroup = {
  title: 'blocks',
  rules: [
    {
      statement: 'GET reads a block by its id.',
      async check(at) {
        const { id } = await at.madeBlock('words')
        has(await at.read(id), { id, type: 'text', markdown: 'words' })
      },
    },
    {
      statement: 'GET reads a daily note by its date.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        same((await at.done('blocks_get', { date: ROOT_DAY })).id, at.world.roots.daily)
      },
    },
    {
      statement: 'GET takes id or date, not both.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        await at.refused('blocks_get', { id: at.root, date: ROOT_DAY })
      },
    },
    {
      statement: 'GET needs id or date.',
      kinds: FULL,
      check: async (at) => void (await at.refused('blocks_get', {})),
    },
    {
      statement: 'GET needs id, and takes no date.',
      kinds: SELECTED,
      async check(at) {
        await at.refused('blocks_get', {})
        await at.refused('blocks_get', { date: 'today' })
      },
    },
    {
      statement: 'GET without id and date reads today.',
      kinds: DAILY,
      async check(at) {
        await add(at, 'today', { position: 'end', date: 'today' })
        const { id } = await at.done('blocks_get')
        has(await at.done('blocks_get', { date: '2026-11-20' }), { id, type: 'page' })
      },
    },
    {
      statement: 'maxDepth is -1 by default: all descendants.',
      async check(at) {
        const { id } = await at.madeBlock(NESTED)
        for (const more of [{}, { maxDepth: -1 }]) {
          has(await at.read(id, more), { content: [{ markdown: 'two', content: [{ markdown: 'three' }] }] })
        }
      },
    },
    {
      statement: 'maxDepth 0 reads the block alone.',
      async check(at) {
        const { id } = await at.madeBlock(NESTED)
        const read = await at.read(id, { maxDepth: 0 })
        same([read.markdown, read.content], ['one', undefined])
      },
    },
    {
      statement: 'maxDepth 1 reads the direct children.',
      async check(at) {
        const { id } = await at.madeBlock(NESTED)
        const child = one((await at.read(id, { maxDepth: 1 })).content)
        same([child.markdown, child.content], ['two', undefined])
      },
    },
    {
      statement: 'fetchMetadata is false by default.',
      async check(at) {
        const { id } = await at.madeBlock('words')
        same((await at.read(id)).metadata, undefined)
        same((await at.read(id, { fetchMetadata: false })).metadata, undefined)
        holds((await at.read(id, { fetchMetadata: true })).metadata !== undefined, 'Expected metadata')
      },
    },
    {
      statement: 'GET answers with the block, with all blocks in it nested through content.',
      async check(at) {
        const { id } = await at.madeBlock(NESTED)
        const two = one((await at.read(id)).content)
        has(await at.read(two.id), { id: two.id, type: 'page', content: [{ type: 'text', markdown: 'three' }] })
      },
    },
    {
      statement: 'Without a limit in the call, GET reads a page of any length at once.',
      over: REST,
      async check(at) {
        const page = await at.page()
        const blocks = Array.from({ length: 1_200 }, (_, index) => ({ type: 'text', markdown: `block ${index}` }))
        await at.setup('blocks_add', { blocks, position: inPage(page) })
        const { content, pagination } = await at.read(page)
        same([content.length, pagination], [1_200, undefined])
      },
    },
    {
      statement: 'POST adds blocks that are given one by one.',
      async check(at) {
        const page = await at.page()
        const blocks = [{ type: 'text', markdown: 'one' }, { type: 'line' }, { type: 'page', title: 'two' }]
        const { items } = await at.done('blocks_add', { blocks, position: inPage(page) })
        same(
          items.map(({ type }) => type),
          ['text', 'line', 'page'],
        )
        same(idsOf((await at.read(page)).content), idsOf(items))
      },
    },
    {
      statement: 'POST adds blocks that are given as Markdown.',
      async check(at) {
        const page = await at.page()
        const { items } = await add(at, '# one\n\ntwo', inPage(page))
        same(markdownsOf(items), ['# one', 'two'])
        same(await textsOn(at, page), ['# one', 'two'])
      },
    },
    {
      statement: 'POST takes blocks or Markdown, not both.',
      async check(at) {
        const page = await at.page()
        const position = inPage(page)
        await at.refused('blocks_add', { markdown: 'a', blocks: [{ type: 'text', markdown: 'b' }], position })
        await at.refused('blocks_add', { position })
        same(await textsOn(at, page), [])
      },
    },
    {
      statement: 'POST takes Markdown as the whole body, with the position as JSON in the query.',
      kinds: DAILY,
      over: REST,
      async check(at) {
        const page = await at.page()
        const target = `/blocks?position=${encodeURIComponent(JSON.stringify(inPage(page)))}`
        const { status } = await at.rest('POST', target, { 'content-type': 'text/markdown' }, '# one\n\ntwo')
        same(status, 200)
        same(await textsOn(at, page), ['# one', 'two'])
      },
    },
    {
      statement: 'POST answers with the added blocks and their IDs.',
      async check(at) {
        const { items } = await add(at, 'one\n\ntwo', inPage(await at.page()))
        for (const { id, markdown } of items) same((await at.read(id)).markdown, markdown)
        same(items.length, 2)
      },
    },
    {
      statement: 'DELETE deletes blocks with all that they hold.',
      async check(at) {
        const { page, id } = await at.madeBlock(NESTED)
        const inner = one((await at.read(id)).content).id
        await at.done('blocks_delete', { blockIds: [id] })
        same(await textsOn(at, page), [])
        for (const gone of [id, inner]) await at.refused('blocks_get', { id: gone }, 'NOT_FOUND_ERROR')
      },
    },
    {
      statement: 'DELETE answers with the IDs of the deleted blocks.',
      async check(at) {
        const { ids } = await at.made('one\n\ntwo')
        same(idsOf((await at.done('blocks_delete', { blockIds: ids })).items), ids)
      },
    },
    {
      statement: 'PUT changes only the given fields.',
      async check(at) {
        const { id } = await at.added({ type: 'text', markdown: 'words', textAlignment: 'right', color: '#ff8800' })
        await at.done('blocks_update', { blocks: [{ id, markdown: 'other words' }] })
        has(await at.read(id), { markdown: 'other words', textAlignment: 'right', color: '#ff8800' })
        await at.done('blocks_update', { blocks: [{ id, font: 'mono' }] })
        has(await at.read(id), { markdown: 'other words', textAlignment: 'right', font: 'mono' })
      },
    },
    {
      statement: 'PUT answers with the changed blocks.',
      async check(at) {
        const { ids } = await at.made('one\n\ntwo')
        const blocks = ids.map((id) => ({ id, markdown: `new ${id}` }))
        const { items } = await at.done('blocks_update', { blocks })
        same(
          items.map(({ id, markdown }) => ({ id, markdown })),
          blocks,
        )
      },
    },
    {
      statement: 'null takes a color away.',
      async check(at) {
        const { id } = await at.added({ type: 'text', markdown: 'words', color: '#ff8800' })
        await at.done('blocks_update', { blocks: [{ id, color: null }] })
        same((await at.read(id)).color, undefined)
      },
    },
    {
      statement: 'A block that was read is written back, although another block of the document changed meanwhile.',
      async check(at) {
        const { page, ids } = await at.made('one\n\ntwo')
        const [id = '', other = ''] = ids
        const { content: _, ...read } = await at.read(id)
        await at.setup('blocks_update', { blocks: [{ id: other, markdown: 'changed' }] })
        await at.done('blocks_update', { blocks: [{ ...read, markdown: 'new' }] })
        same(await textsOn(at, page), ['new', 'changed'])
      },
    },
    {
      statement: 'A change of a block that is no longer as it was read is a conflict.',
      async check(at) {
        const { id } = await at.madeBlock('words')
        await at.setup('blocks_update', { blocks: [{ id, markdown: 'changed' }] })
        const blocks = [{ id, markdown: 'new', expected: { markdown: 'words' } }]
        await at.refused('blocks_update', { blocks }, 'CONFLICT')
        same((await at.read(id)).markdown, 'changed')
      },
    },
    {
      statement: 'PUT /blocks/move puts blocks, with all that they hold, to a position.',
      async check(at) {
        const { page, ids } = await at.made(`one\n\ntwo\n\n${NESTED}`)
        const [first = '', , nested = ''] = ids
        await at.done('blocks_move', { blockIds: [nested], position: beside(first, 'before') })
        same(idsOf((await at.read(page)).content)[0], nested)
        has(await at.read(nested), { content: [{ markdown: 'two', content: [{ markdown: 'three' }] }] })
        await at.done('blocks_move', { blockIds: [first], position: inPage(page) })
        same(await textsOn(at, page), ['one', 'two', 'one'])
      },
    },
    {
      statement: 'PUT /blocks/move answers with the IDs of the moved blocks.',
      async check(at) {
        const { ids } = await at.made('one\n\ntwo')
        same(idsOf((await at.done('blocks_move', { blockIds: ids, position: inPage(await at.page()) })).items), ids)
      },
    },
    {
      statement: 'Blocks move between documents of any location.',
      kinds: FULL,
      async check(at) {
        const template = await at.document('template')
        await at.setup('documents_move', { documentIds: [template], destination: { destination: 'templates' } })
        const { id } = await at.madeBlock('moved')
        await at.done('blocks_move', { blockIds: [id], position: inPage(template) })
        same(idsOf((await at.read(template)).content), [id])
        const date = at.world.nextDay()
        await at.done('blocks_move', { blockIds: [id], position: { position: 'end', date } })
        same(idsOf((await at.done('blocks_get', { date })).content), [id])
      },
    },
    {
      statement: 'Blocks move between the exposed documents, and to no other.',
      kinds: SELECTED,
      async check(at) {
        const { id } = await at.madeBlock('moved')
        const target = await at.freshDocument('there')
        await at.done('blocks_move', { blockIds: [id], position: inPage(target.id) })
        same(idsOf((await at.read(target.id)).content).at(-1), id)
        const position = inPage(at.world.hidden)
        await at.refused('blocks_move', { blockIds: [id], position }, 'NOT_FOUND_ERROR')
      },
    },
    {
      statement: 'Blocks move to another daily note, and to no other document.',
      kinds: DAILY,
      async check(at) {
        const { id } = await at.madeBlock('moved')
        const { items } = await at.done('blocks_move', {
          blockIds: [id],
          position: { position: 'end', date: '2026-11-04' },
        })
        has(one(items), { id, dailyNoteDate: '2026-11-04' })
        const position = inPage(at.world.hidden)
        await at.refused('blocks_move', { blockIds: [id], position }, 'NOT_FOUND_ERROR')
      },
    },
  ],
}

/** Rules about whiteboards and their elements. */

import { FULL, type RuleGroup } from '../rule.ts'
import { has, idsOf, inPage, one, type RuleContext, same, withId } from '../rule-context.ts'

const board = async (at: RuleContext) =>
  (await at.setup('whiteboards_add', { position: inPage(await at.page()) })).whiteboardBlockId
const element = (id: string, more: object = {}) => ({
  id,
  type: 'rectangle',
  x: 0,
  y: 0,
  width: 10,
  height: 10,
  ...more,
})
const many = (count: number) => Array.from({ length: count }, (_, index) => element(`element-${index}`))

export const whiteboards: RuleGroup = {
  title: 'whiteboards',
  rules: [
    {
      statement: 'POST /whiteboards makes a whiteboard at a position, and answers with its ID.',
      async check(at) {
        const page = await at.page()
        const { whiteboardBlockId } = await at.done('whiteboards_add', { position: inPage(page) })
        has(one((await at.read(page)).content), { id: whiteboardBlockId, type: 'whiteboard' })
      },
    },
    {
      statement: 'GET answers with the elements of a whiteboard.',
      async check(at) {
        const whiteboardBlockId = await board(at)
        same((await at.done('elements_list', { whiteboardBlockId })).elements, [])
        await at.setup('elements_add', { whiteboardBlockId, elements: [element('a')] })
        has(one((await at.done('elements_list', { whiteboardBlockId })).elements), element('a'))
      },
    },
    {
      statement: 'assets and appState are answered where there are some.',
      async check(at) {
        const whiteboardBlockId = await board(at)
        const [assets, appState] = [
          { picture: { id: 'picture', mimeType: 'image/png' } },
          { viewBackgroundColor: '#ffffff' },
        ]
        await at.done('elements_add', { whiteboardBlockId, elements: [element('a')], assets, appState })
        has(await at.done('elements_list', { whiteboardBlockId }), { assets, appState })
      },
    },
    {
      statement: 'POST adds elements beside those that are there, and answers with the board.',
      async check(at) {
        const whiteboardBlockId = await board(at)
        await at.setup('elements_add', { whiteboardBlockId, elements: [element('a')] })
        const { elements } = await at.done('elements_add', { whiteboardBlockId, elements: [element('b')] })
        same(idsOf(elements), ['a', 'b'])
      },
    },
    {
      statement: 'PUT changes only the given keys of elements; others stay.',
      async check(at) {
        const whiteboardBlockId = await board(at)
        await at.setup('elements_add', { whiteboardBlockId, elements: [element('a'), element('b')] })
        const { elements } = await at.done('elements_update', { whiteboardBlockId, elements: [{ id: 'a', x: 50 }] })
        has(withId(elements, 'a'), element('a', { x: 50 }))
        has(withId(elements, 'b'), element('b'))
      },
    },
    {
      statement: 'PUT takes only elements that exist.',
      async check(at) {
        const whiteboardBlockId = await board(at)
        const answer = await at.call('elements_update', { whiteboardBlockId, elements: [{ id: 'none', x: 1 }] })
        same([answer.isRefused, (await at.done('elements_list', { whiteboardBlockId })).elements], [true, []])
      },
    },
    {
      statement: 'DELETE answers with the numbers of deleted and remaining elements.',
      async check(at) {
        const whiteboardBlockId = await board(at)
        await at.setup('elements_add', { whiteboardBlockId, elements: many(3) })
        const elementIds = ['element-0', 'element-1']
        same(await at.done('elements_delete', { whiteboardBlockId, elementIds }), {
          deletedCount: 2,
          remainingCount: 1,
        })
        same(idsOf((await at.done('elements_list', { whiteboardBlockId })).elements), ['element-2'])
      },
    },
    {
      statement: 'A request adds, changes or deletes at most 500 elements.',
      async check(at) {
        const whiteboardBlockId = await board(at)
        same((await at.done('elements_add', { whiteboardBlockId, elements: many(500) })).elements.length, 500)
        await at.refused('elements_add', { whiteboardBlockId, elements: many(501) })
        await at.refused('elements_update', { whiteboardBlockId, elements: many(501) })
        await at.refused('elements_delete', { whiteboardBlockId, elementIds: idsOf(many(501) as never) })
        same(
          (await at.done('elements_delete', { whiteboardBlockId, elementIds: idsOf(many(500) as never) })).deletedCount,
          500,
        )
      },
    },
    {
      statement: 'A block that is no whiteboard is refused.',
      kinds: FULL,
      async check(at) {
        const { id } = await at.madeBlock('words')
        const { isRefused } = await at.call('elements_list', { whiteboardBlockId: id })
        same(isRefused, true)
      },
    },
  ],
}

/** Rules about positions: where blocks are added and moved to. */

import { DAILY, FULL, FULL_AND_DAILY, type RuleGroup, SELECTED } from '../rule.ts'
import { beside, has, holds, inPage, markdownsOf, one, type RuleContext, same } from '../rule-context.ts'

/** The texts on a page. */
const textsOn = async (at: RuleContext, page: string) => markdownsOf((await at.read(page)).content)

const add = (at: RuleContext, markdown: string, position: object) => at.done('blocks_add', { markdown, position })

export const positions: RuleGroup = {
  title: 'position',
  rules: [
    {
      statement: 'start and end with pageId are the first and the last place in a page.',
      async check(at) {
        const { page } = await at.made('middle')
        await add(at, 'first', inPage(page, 'start'))
        await add(at, 'last', inPage(page, 'end'))
        same(await textsOn(at, page), ['first', 'middle', 'last'])
      },
    },
    {
      statement: 'before and after with siblingId are the places beside a block.',
      async check(at) {
        const { page, id } = await at.madeBlock('middle')
        await add(at, 'before', beside(id, 'before'))
        await add(at, 'after', beside(id, 'after'))
        same(await textsOn(at, page), ['before', 'middle', 'after'])
      },
    },
    {
      statement: 'start and end with date are places in the daily note of that date.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const { items } = await add(at, 'last of the day', { position: 'end', date: '2026-11-03' })
        const first = await add(at, 'first of the day', { position: 'start', date: '2026-11-03' })
        has(one(items), { dailyNoteDate: '2026-11-03' })
        const { content } = await at.done('blocks_get', { date: '2026-11-03' })
        same([content[0]?.id, content.at(-1)?.id], [one(first.items).id, one(items).id])
      },
    },
    {
      statement: 'Without pageId and date, the date is today.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        has(one((await add(at, 'today', { position: 'end' })).items), { dailyNoteDate: '2026-11-20' })
      },
    },
    {
      statement: 'pageId is required, where no sibling is given.',
      kinds: SELECTED,
      check: async (at) => void (await at.refused('blocks_add', { markdown: 'a', position: { position: 'end' } })),
    },
    {
      statement: 'An empty pageId is not a page.',
      kinds: FULL,
      check: async (at) => void (await at.refused('blocks_add', { markdown: 'a', position: inPage('') })),
    },
    {
      statement: 'An empty pageId is the root page of today.',
      kinds: DAILY,
      async check(at) {
        has(one((await add(at, 'today', inPage(''))).items), { dailyNoteDate: '2026-11-20' })
      },
    },
    {
      statement: 'A date is no place.',
      kinds: SELECTED,
      check: async (at) =>
        void (await at.refused('blocks_add', { markdown: 'a', position: { position: 'end', date: 'today' } })),
    },
    {
      statement: 'Exactly one form is given.',
      async check(at) {
        const { page, id } = await at.madeBlock('middle')
        const mixed = [
          { position: 'end', pageId: page, siblingId: id },
          { position: 'before', pageId: page },
          { position: 'start', siblingId: id },
          { position: 'between', siblingId: id },
          ...(at.kind === 'daily' ? [] : [{ position: 'before', siblingId: id, date: 'today' }]),
          ...(at.kind === 'selected' ? [] : [{ position: 'end', pageId: page, date: 'today' }]),
        ]
        for (const position of mixed) await at.refused('blocks_add', { markdown: 'a', position })
        same(await textsOn(at, page), ['middle'])
      },
    },
    {
      statement: 'A position needs its word.',
      async check(at) {
        const page = await at.page()
        const { isRefused } = await at.call('blocks_add', { markdown: 'a', position: { pageId: page } })
        // Or the end, which is all that a page without a word can mean.
        same(await textsOn(at, page), isRefused ? [] : ['a'])
        await at.refused('blocks_add', { markdown: 'a', position: { siblingId: page } })
      },
    },
    {
      statement: 'Pages, texts, cards and items are parents.',
      async check(at) {
        const { id: text } = await at.madeBlock('a text')
        const { id: card } = await at.madeBlock('<card><pageTitle>a card</pageTitle><content>a</content></card>')
        const collectionId = await at.collection()
        const item = one((await at.setup('items_add', { collectionId, items: [{ title: 'an item' }] })).items).id
        for (const parent of [await at.page(), text, card, item]) {
          await add(at, 'child', inPage(parent))
          holds((await textsOn(at, parent)).includes('child'), `Expected a child of ${parent}`)
        }
      },
    },
    {
      statement: 'Other blocks are no parents.',
      async check(at) {
        const { ids } = await at.made(
          '****\n\n```\ncode\n```\n\n| a |\n| - |\n| 1 |\n\n![alt](https://example.com/a.png)',
        )
        for (const parent of [...ids, await at.collection()]) {
          await at.refused('blocks_add', { markdown: 'child', position: inPage(parent) })
        }
      },
    },
    {
      statement: 'Of several daily notes of one date, the one that was changed last is meant.',
      cannot:
        'A date has at most one daily note here: a second one cannot be made, and one that is restored to a taken day becomes an ordinary document.',
    },
  ],
}

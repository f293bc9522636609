/** Rules about the fields that blocks of all types have, and about texts, pages and items. */

import type { RuleGroup } from '../rule.ts'
import { has, holds, inPage, one, type RuleContext, reads, same } from '../rule-context.ts'
import { SAMPLES } from './samples.ts'

const TYPES = new Set(
  'text page collectionItem image video file drawing whiteboard table collection code richUrl line'.split(' '),
)

/** Each value of a field is taken and answered, and another one is refused. */
const takes = (block: object, field: string, values: readonly string[]) => async (at: RuleContext) => {
  for (const value of values) has(await at.added({ ...block, [field]: value }), { [field]: value })
  const position = inPage(await at.page())
  await at.refused('blocks_add', { blocks: [{ ...block, [field]: 'mauve' }], position })
}

const text = { type: 'text', markdown: 'words' }
const page = { type: 'page', title: 'A page' }
const TEXT_STYLES = ['card', 'page', 'h1', 'h2', 'h3', 'h4', 'caption', 'body']
const ALIGNMENTS = ['center', 'right', 'justify']
const FONTS = ['serif', 'rounded', 'mono']
const CARD_LAYOUTS = ['small', 'square', 'regular', 'large']

/** A field is answered with the value, or left out where the value is the default. */
const hasDefault = (block: object, field: string, value: string) => async (at: RuleContext) => {
  const found = (await at.added({ ...block, [field]: value }))[field]
  holds(found === undefined || found === value, `Expected ${field} ${value} or none, found ${found}`)
}

export const blockFields: RuleGroup = {
  title: 'block fields',
  rules: [
    {
      statement: 'Each block has an ID and one of thirteen types.',
      async check(at) {
        const { page: id } = await at.made(SAMPLES)
        const { content } = await at.read(id)
        holds(content.length >= 9, `Expected nine blocks, found ${content.length}`)
        for (const block of content) {
          reads(block.id, /^\d{12}$/)
          holds(TYPES.has(block.type), `Expected a type of the contract, found ${block.type}`)
        }
        same(new Set(content.map(({ id }) => id)).size, content.length)
      },
    },
    {
      statement: 'markdown is the content of a block in Markdown.',
      async check(at) {
        const { page: id } = await at.made(SAMPLES)
        for (const { type, markdown } of (await at.read(id)).content) {
          holds(typeof markdown === 'string', `Expected markdown of ${type}`)
        }
        same(one(await at.readBack('some **bold** words')).markdown, 'some **bold** words')
      },
    },
    {
      statement: 'markdown of a page is its title.',
      async check(at) {
        has(await at.added({ type: 'page', title: 'The title' }), { type: 'page', markdown: 'The title' })
        has(await at.added({ type: 'page', markdown: 'The title' }), { type: 'page', title: { value: 'The title' } })
      },
    },
    {
      statement: 'markdown of an item is its title.',
      async check(at) {
        const collectionId = await at.collection()
        const { id } = one((await at.done('items_add', { collectionId, items: [{ title: 'An item' }] })).items)
        has(await at.read(id), { id, type: 'collectionItem', markdown: 'An item', title: 'An item' })
      },
    },
    {
      statement: 'indentationLevel is an integer from 0 to 5.',
      async check(at) {
        const item = { type: 'text', markdown: 'point', listStyle: 'bullet' }
        const position = inPage(await at.page())
        const blocks = [0, 1, 2, 3, 4, 5].map((indentationLevel) => ({ ...item, indentationLevel }))
        const { items } = await at.done('blocks_add', { blocks, position })
        same(
          items.map(({ indentationLevel }) => indentationLevel ?? 0),
          [0, 1, 2, 3, 4, 5],
        )
        for (const indentationLevel of [6, -1, 1.5]) {
          await at.refused('blocks_add', { blocks: [{ ...item, indentationLevel }], position })
        }
      },
    },
    {
      statement: 'listStyle is none, bullet, numbered, toggle or task.',
      async check(at) {
        await takes(text, 'listStyle', ['bullet', 'numbered', 'toggle', 'task'])(at)
        await hasDefault(text, 'listStyle', 'none')(at)
      },
    },
    {
      statement: 'decorations is an object: a callout, a quote or both.',
      async check(at) {
        has(await at.added({ ...text, decorations: { quote: true } }), {
          decorations: { quote: true },
          markdown: '> words',
        })
        reads((await at.added({ ...text, decorations: { callout: true } })).markdown, /<callout>words<\/callout>/)
      },
    },
    {
      statement: 'color is a # with six hexadecimal digits in either letter case.',
      async check(at) {
        for (const color of ['#ff8800', '#FF88aa']) {
          const found = (await at.added({ ...text, color })).color
          same(String(found).toLowerCase(), color.toLowerCase())
        }
        const position = inPage(await at.page())
        for (const color of ['#f80', 'red', '#ff88001', 'ff8800', '#gg8800']) {
          await at.refused('blocks_add', { blocks: [{ ...text, color }], position })
        }
      },
    },
    {
      statement: 'A color is adjusted for readability, with a variant for dark screens.',
      cannot:
        'It says how applications show a color. Answers have the color as it was given; the pages choose the shown one.',
    },
    {
      statement: 'taskInfo counts only where listStyle is task.',
      async check(at) {
        const task = await at.added({ ...text, listStyle: 'task', taskInfo: { state: 'done' } })
        has(task, { taskInfo: { state: 'done' }, markdown: '- [x] words' })
        // On another block it is ignored or refused, but never kept.
        const page = await at.page()
        const blocks = [{ ...text, taskInfo: { state: 'done' } }]
        await at.call('blocks_add', { blocks, position: inPage(page) })
        for (const { taskInfo, markdown } of (await at.read(page)).content) {
          same([taskInfo, markdown], [undefined, 'words'])
        }
      },
    },
    {
      statement: 'With fetchMetadata, metadata says who made and changed a block, and when.',
      async check(at) {
        const { page: id } = await at.made('words')
        const { metadata } = one((await at.read(id, { fetchMetadata: true })).content)
        for (const field of ['createdAt', 'lastModifiedAt']) reads(metadata[field], /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        for (const field of ['createdBy', 'lastModifiedBy']) reads(metadata[field], /./)
      },
    },
    {
      statement: 'With fetchMetadata, metadata holds the comments of a block.',
      async check(at) {
        const { page: pageId, id } = await at.madeBlock('words')
        await at.done('comments_add', { comments: [{ blockId: id, content: 'a comment' }] })
        const { metadata } = one((await at.read(pageId, { fetchMetadata: true })).content)
        same(one(metadata.comments).content as unknown, 'a comment')
      },
    },
    {
      statement: 'Without fetchMetadata, there is no metadata.',
      async check(at) {
        const { page: id } = await at.made('words')
        const read = await at.read(id)
        same([read.metadata, one(read.content).metadata], [undefined, undefined])
      },
    },
    {
      statement: 'textStyle of a text is card, page, h1, h2, h3, h4, caption or body.',
      async check(at) {
        for (const textStyle of TEXT_STYLES.slice(2, 7)) has(await at.added({ ...text, textStyle }), { textStyle })
        await hasDefault(text, 'textStyle', 'body')(at)
        // A text with the style of a page or card is one as soon as it has content.
        for (const textStyle of ['card', 'page']) {
          const found = await at.added({ ...text, textStyle })
          holds(
            found.textStyle === textStyle || found.type === 'page',
            `Expected ${textStyle}, found ${JSON.stringify(found)}`,
          )
        }
        await at.refused('blocks_add', { blocks: [{ ...text, textStyle: 'h7' }], position: inPage(await at.page()) })
      },
    },
    {
      statement: 'textAlignment of a text is left (the default), center, right or justify.',
      async check(at) {
        await takes(text, 'textAlignment', ALIGNMENTS)(at)
        await hasDefault(text, 'textAlignment', 'left')(at)
      },
    },
    {
      statement: 'font of a text is system, serif, rounded or mono.',
      async check(at) {
        await takes(text, 'font', FONTS)(at)
        await hasDefault(text, 'font', 'system')(at)
      },
    },
    {
      statement: 'cardLayout is small, square, regular or large, of the style card.',
      check: takes({ ...page, textStyle: 'card' }, 'cardLayout', CARD_LAYOUTS),
    },
    {
      statement: 'Cards that are small or square stand in columns, regular and large ones over the full width.',
      cannot: 'It says how applications lay cards out; answers only hold the value.',
    },
    {
      statement: 'A text that receives children becomes a page.',
      async check(at) {
        const { id } = await at.madeBlock('becomes a page')
        await at.done('blocks_add', { markdown: 'child', position: inPage(id) })
        const read = await at.read(id)
        has(read, { id, type: 'page', markdown: 'becomes a page' })
        same(one(read.content).markdown, 'child')
      },
    },
    {
      statement: 'title of a page is an object with its text and marks.',
      async check(at) {
        const title = { value: 'A title', attributes: [{ start: 2, end: 7, type: 'bold' }] }
        has(await at.added({ type: 'page', title }), { title, markdown: 'A title' })
      },
    },
    {
      statement: 'styling holds how a page looks: cover, colors and fonts.',
      async check(at) {
        const styling = { coverImage: { url: 'https://example.com/cover.png' }, backgroundColor: '#ffeedd' }
        has(await at.added({ ...page, styling }), { styling })
      },
    },
    {
      statement: 'A page has textStyle, textAlignment, font and cardLayout as a text has.',
      async check(at) {
        await takes(page, 'textAlignment', ALIGNMENTS)(at)
        await takes(page, 'font', FONTS)(at)
        has(await at.added({ ...page, textStyle: 'card', cardLayout: 'square' }), {
          textStyle: 'card',
          cardLayout: 'square',
        })
      },
    },
    {
      statement: 'content of a page holds its blocks, of the same form.',
      async check(at) {
        const inner = { type: 'page', title: 'inner', content: [{ type: 'text', markdown: 'deepest' }] }
        const { id } = await at.added({ ...page, content: [{ type: 'text', markdown: 'first' }, inner] })
        const [first, second] = (await at.read(id)).content
        has(first, { type: 'text', markdown: 'first' })
        has(second, { type: 'page', markdown: 'inner', content: [{ type: 'text', markdown: 'deepest' }] })
      },
    },
    {
      statement: 'properties of an item are an object by the keys of its properties.',
      async check(at) {
        const collectionId = await at.collection([{ name: 'Price', type: 'number' }])
        const items = [{ title: 'An item', properties: { price: 5 } }]
        const { id } = one((await at.done('items_add', { collectionId, items })).items)
        same((await at.read(id)).properties, { price: 5 })
      },
    },
    {
      statement: 'An item is a page: content holds its blocks.',
      async check(at) {
        const collectionId = await at.collection()
        const { id } = one((await at.done('items_add', { collectionId, items: [{ title: 'An item' }] })).items)
        await at.done('blocks_add', { markdown: 'in the item', position: inPage(id) })
        has(await at.read(id), { type: 'collectionItem', content: [{ markdown: 'in the item' }] })
      },
    },
  ],
}

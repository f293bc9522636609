/** Rules about the extensions of Markdown, each read from a text and written back. */

import type { RuleGroup } from '../rule.ts'
import { has, holds, inPage, markdownsOf, one, type RuleContext, reads, same } from '../rule-context.ts'

const COLORS =
  'yellow green mint cyan blue purple pink red gray gradient-blue gradient-purple gradient-red gradient-yellow gradient-brown'.split(
    ' ',
  )

/** A text that is written back as it came. */
const staysAs =
  (markdown: string, written = markdown) =>
  async (at: RuleContext) =>
    same(one(await at.readBack(markdown)).markdown, written)

/** A tag that callers may not write. */
const isRefused = (markdown: string) => async (at: RuleContext) => {
  const page = await at.page()
  const answer = await at.call('blocks_add', { markdown, position: inPage(page) })
  if (answer.isRefused) return
  const types = new Set((await at.read(page)).content.map(({ type }) => type))
  holds(!types.has('collection') && !types.has('collectionItem'), `Expected no collection, found ${[...types]}`)
}

export const markdown: RuleGroup = {
  title: 'markdown',
  rules: [
    {
      statement: '<page> is a page in a page.',
      async check(at) {
        const [page] = await at.readBack('<page><pageTitle>Inner</pageTitle><content>deep</content></page>')
        has(page, { type: 'page', markdown: 'Inner', content: [{ markdown: 'deep' }] })
      },
    },
    {
      statement: '<page> may have textStyle and cardLayout.',
      async check(at) {
        const [page] = await at.readBack(
          '<page textStyle="card" cardLayout="square"><pageTitle>Inner</pageTitle><content>deep</content></page>',
        )
        has(page, { type: 'page', textStyle: 'card', cardLayout: 'square' })
      },
    },
    {
      statement: '<page> is written with its id.',
      async check(at) {
        const { page, id } = await at.madeBlock('<page><pageTitle>Inner</pageTitle><content>deep</content></page>')
        reads(await at.markdown(page), new RegExp(`<page[^>]* id="${id}"`))
      },
    },
    {
      statement: '<card> is a page with the style card.',
      async check(at) {
        const [card] = await at.readBack('<card><pageTitle>Inner</pageTitle><content>deep</content></card>')
        has(card, { type: 'page', textStyle: 'card', markdown: 'Inner' })
      },
    },
    {
      statement: '<pageTitle> is the first child of a page.',
      async check(at) {
        const { page } = await at.made('<page><pageTitle>Inner</pageTitle><content>deep</content></page>')
        reads(await at.markdown(page), /<page[^>]*>\s*<pageTitle>Inner<\/pageTitle>\s*<content>/)
      },
    },
    {
      statement: '<content> is the body of a page, after its title.',
      async check(at) {
        const { page } = await at.made('<page><pageTitle>Inner</pageTitle><content>\none\n\ntwo\n</content></page>')
        reads(await at.markdown(page), /<\/pageTitle>\s*<content>\s*one\n\ntwo\s*<\/content>\s*<\/page>/)
      },
    },
    {
      statement: '<callout> is a box around one block.',
      async check(at) {
        has(one(await at.readBack('<callout>mind</callout>')), { markdown: '<callout>mind</callout>' })
      },
    },
    {
      statement: '<callout> may hold several blocks.',
      async check(at) {
        const blocks = await at.readBack('<callout>\none\n\ntwo\n</callout>')
        same(blocks.length, 2)
        for (const { decorations } of blocks)
          holds((decorations as { callout?: unknown })?.callout !== undefined, 'Expected a callout')
      },
    },
    {
      statement: '<caption> is the style caption.',
      async check(at) {
        has(one(await at.readBack('<caption>below</caption>')), {
          textStyle: 'caption',
          markdown: '<caption>below</caption>',
        })
      },
    },
    {
      statement: '<highlight> colors words in one of fourteen colors.',
      async check(at) {
        const lines = COLORS.map((color) => `<highlight color="${color}">words</highlight>`)
        const written = markdownsOf(await at.readBack(lines.join('\n\n')))
        same(written.length, COLORS.length)
        for (const [index, color] of COLORS.entries()) {
          const form = color === 'yellow' ? /^==words==$|color="yellow"/ : new RegExp(`color="${color}"`)
          reads(written[index], form)
        }
        const wrong = '<highlight color="mauve">words</highlight>'
        await at.refused('blocks_add', { markdown: wrong, position: inPage(await at.page()) })
      },
    },
    {
      statement: '<highlight> without a color is yellow.',
      async check(at) {
        reads(
          one(await at.readBack('<highlight>words</highlight>')).markdown,
          /^==words==$|^<highlight color="yellow">/,
        )
      },
    },
    { statement: '==words== is a yellow highlight.', check: staysAs('a ==yellow== word') },
    {
      statement: '<comment id> surrounds words that have a thread of comments.',
      async check(at) {
        const { page, id } = await at.madeBlock('some words')
        const { commentId } = await at.done('comments_add', { comments: [{ blockId: id, content: 'why?' }] })
        const text = `some <comment id="${commentId}">words</comment>`
        await at.done('blocks_update', { blocks: [{ id, markdown: text }] })
        reads(one((await at.read(page)).content).markdown, new RegExp(`<comment id="${commentId}">words</comment>`))
      },
    },
    { statement: '$formula$ is a formula in a line.', check: staysAs('a $x^2$ here') },
    {
      statement: '$$formula$$ is a formula of its own.',
      async check(at) {
        const [block] = await at.readBack('$$\nx^2\n$$')
        has(block, { type: 'code', language: 'math_formula', rawCode: 'x^2' })
        reads(block?.markdown, /^\$\$/)
      },
    },
    {
      statement: 'block:// links to a block.',
      async check(at) {
        const { id } = await at.madeBlock('target')
        await staysAs(`see [it](block://${id})`)(at)
      },
    },
    { statement: 'date:// links to the daily note of a date.', check: staysAs('on [that day](date://2026-11-24)') },
    {
      statement: 'Two spaces at the start of a line are one level of nesting.',
      async check(at) {
        const blocks = await at.readBack('- one\n  - two\n    - three')
        same(
          blocks.map(({ indentationLevel }) => indentationLevel ?? 0),
          [0, 1, 2],
        )
        same(markdownsOf(blocks), ['- one', '  - two', '    - three'])
      },
    },
    {
      statement: 'An empty line separates paragraphs and headings.',
      async check(at) {
        same(markdownsOf(await at.readBack('# Head\n\none\n\ntwo')), ['# Head', 'one', 'two'])
      },
    },
    {
      statement: 'A line end separates entries of a list.',
      async check(at) {
        same(markdownsOf(await at.readBack('- one\n- two\n- three')), ['- one', '- two', '- three'])
      },
    },
    {
      statement: 'The first entry of a list cannot be empty.',
      cannot:
        'It restricts what callers send. An empty first entry is accepted as an empty entry, and nothing is lost.',
    },
    {
      statement: '<collection> is written, with its title, properties and items.',
      async check(at) {
        const page = await at.page()
        const schema = { name: 'Things', properties: [{ name: 'Price', type: 'number' }] }
        const { collectionBlockId: collectionId } = await at.setup('collections_add', {
          schema,
          position: inPage(page),
        })
        await at.setup('items_add', { collectionId, items: [{ title: 'An item', properties: { price: 5 } }] })
        const text = await at.markdown(page)
        reads(
          text,
          /<collection[^>]*>\s*<title>Things<\/title>\s*<properties>[^<]*price[^<]*<\/properties>\s*<content>/,
        )
      },
    },
    {
      statement: '<collectionItem> is written with its properties and its title.',
      async check(at) {
        const page = await at.page()
        const schema = { name: 'Things', properties: [{ name: 'Price', type: 'number' }] }
        const { collectionBlockId: collectionId } = await at.setup('collections_add', {
          schema,
          position: inPage(page),
        })
        await at.setup('items_add', {
          collectionId,
          items: [{ title: 'An item', properties: { price: 5 }, markdown: 'inside' }],
        })
        const text = await at.markdown(page)
        reads(text, /<collectionItem[^>]*>[\s\S]*<property name="?price"?>5<\/property>[\s\S]*<\/collectionItem>/)
        reads(text, /<collectionItem[^>]*>[\s\S]*<title>An item<\/title>[\s\S]*<content>\s*inside/)
      },
    },
    {
      statement: 'Where the depth ends, <contentPreview> shows the beginning of an item.',
      async check(at) {
        const page = await at.page()
        const schema = { name: 'Things', properties: [] }
        const { collectionBlockId: collectionId } = await at.setup('collections_add', {
          schema,
          position: inPage(page),
        })
        await at.setup('items_add', { collectionId, items: [{ title: 'An item', markdown: 'inside' }] })
        reads(await at.markdown(page, { maxDepth: 2 }), /<contentPreview>[\s\S]*inside/)
      },
    },
    {
      statement: 'Where the depth ends, <itemsPreview> shows the beginning of a collection.',
      async check(at) {
        const page = await at.page()
        const schema = { name: 'Things', properties: [] }
        const { collectionBlockId: collectionId } = await at.setup('collections_add', {
          schema,
          position: inPage(page),
        })
        await at.setup('items_add', { collectionId, items: [{ title: 'An item' }] })
        reads(await at.markdown(page, { maxDepth: 1 }), /<itemsPreview>[\s\S]*An item/)
      },
    },
    {
      statement: 'The tags of collections are not input.',
      check: isRefused('<collection><title>Things</title><properties>a</properties><content></content></collection>'),
    },
    {
      statement: 'The tags of items are not input.',
      check: isRefused('<collectionItem><property name="a">1</property><title>An item</title></collectionItem>'),
    },
    {
      statement: 'What was read as Markdown and written again is the same.',
      async check(at) {
        const { page } = await at.made('# Head\n\n*a* **b** ~~c~~ `d`\n\n- one\n  - two\n\n1. three\n\n> quote\n\n****')
        const content = markdownsOf((await at.read(page)).content)
        same(markdownsOf(await at.readBack(content.join('\n\n'))), content)
      },
    },
  ],
}

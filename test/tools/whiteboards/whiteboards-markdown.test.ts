import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../../src/markdown/block.ts'
import { writeMarkdown } from '../../../src/markdown/write-markdown.ts'
import { connect } from '../../connect.ts'
import { boardOf, drawing } from '../../drawings.ts'
import { blocksOf } from '../../markdown/blocks-of.ts'
import { tree } from '../../markdown/trees.ts'
import { oddElement } from '../../odd-elements.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'

const shapes = [
  { id: 'a', type: 'rectangle', x: 0, y: 0, width: 50, height: 20 },
  { id: 'b', type: 'text', x: 5, y: 5, width: 40, height: 10, text: 'a <page> & </whiteboard>', containerId: 'a' },
]

describe('a page with a whiteboard, as Markdown', () => {
  test('has a description of it', async () => {
    const connected = await connect()
    const { pageId, whiteboardBlockId } = await boardOf(connected, shapes)
    expect(await connected.call('blocks_get', { id: pageId, format: 'markdown' })).toBe(
      [
        `<page id="${pageId}">\n<pageTitle>Document</pageTitle>\n<content>`,
        `<whiteboard id="${whiteboardBlockId}">`,
        'A reading of 2 elements (change them with elements_update):',
        '- rectangle "a &lt;page> &amp; &lt;/whiteboard>"',
        '</whiteboard>\n</content>\n</page>',
      ].join('\n'),
    )
  })

  test('has no description if nothing is drawn, and none in JSON', async () => {
    const connected = await connect()
    const { whiteboardBlockId: id } = await boardOf(connected)
    expect(await connected.call('blocks_get', { id, format: 'markdown' })).toBe(`<whiteboard id="${id}"/>`)
    await connected.call('elements_add', { whiteboardBlockId: id, elements: shapes })
    expect(await connected.call('blocks_get', { id })).toMatchObject({ markdown: '<whiteboard/>' })
  })

  test('can be written back without a change, whatever is drawn, and the board stays', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(oddElement, { maxLength: 6, selector: ({ id }) => id as string }),
        fc.constantFrom(
          {},
          { indentationLevel: 2 },
          { listStyle: 'bullet' },
          { decorations: ['quote'] },
          { decorations: ['callout'] },
        ),
        async (odd, style) => {
          const connected = await connect()
          const kept = JSON.parse(JSON.stringify(odd))
          const elements = kept.filter((one: unknown) => JSON.stringify(one).isWellFormed())
          const { pageId, whiteboardBlockId } = await boardOf(connected)
          await connected.call('blocks_update', { blocks: [{ id: whiteboardBlockId, ...style }] })
          await connected.call('elements_add', { whiteboardBlockId, elements: elements.filter(isTaken) })
          const before = await connected.call('elements_list', { whiteboardBlockId })
          const { revision } = await connected.call('blocks_get', { id: pageId })
          const markdown = await connected.call('blocks_get', { id: pageId, format: 'markdown' })
          const change = await connected.call('blocks_update', { pageId, markdown, revision })
          expect(change).toMatchObject({ added: [], changed: [], moved: [], deleted: [] })
          expect(await connected.call('elements_list', { whiteboardBlockId })).toEqual(before)
        },
      ),
      { numRuns: runs(6, 60) },
    )
  })

  test('can be changed around it', async () => {
    const connected = await connect()
    const elements = drawing('domain-driven-design 16')
    const { pageId, whiteboardBlockId } = await boardOf(connected, elements)
    const { revision } = await connected.call('blocks_get', { id: pageId })
    const text: string = await connected.call('blocks_get', { id: pageId, format: 'markdown' })
    const markdown = text.replace('<content>', '<content>\nwords before\n').replace('"10"', '"ten"')
    const change = await connected.call('blocks_update', { pageId, markdown, revision })
    expect(change).toMatchObject({ added: [expect.any(String)], changed: [], moved: [], deleted: [] })
    expect((await connected.call('elements_list', { whiteboardBlockId })).elements).toEqual(elements)
  })

  test('may omit an empty board, but not a drawing', async () => {
    const connected = await connect()
    const { pageId, whiteboardBlockId } = await boardOf(connected, shapes)
    const { revision } = await connected.call('blocks_get', { id: pageId })
    const edit = { pageId, markdown: 'words', revision }
    expect(await connected.refused('blocks_update', edit)).toBe(
      `Expected the tag <whiteboard id="${whiteboardBlockId}"/> in the edited text, found it left out with 2 elements on the board; keep it, or delete the board with blocks_delete. Nothing was written.`,
    )
    expect((await connected.call('elements_list', { whiteboardBlockId })).elements).toEqual(shapes)
    // Without its ID, the whiteboard is recognized by its position.
    const kept = await connected.call('blocks_update', { ...edit, markdown: 'words\n\n<whiteboard/>' })
    expect(kept).toMatchObject({ added: [expect.any(String)], deleted: [] })
    await connected.call('elements_delete', { whiteboardBlockId, elementIds: ['a', 'b'] })
    const now = await connected.call('blocks_get', { id: pageId })
    const { deleted } = await connected.call('blocks_update', { ...edit, revision: now.revision })
    expect(deleted).toEqual([whiteboardBlockId])
  })
})

/** The framework refuses NUL in texts. */
const isTaken = (element: object): boolean => !JSON.stringify(element).includes('\\u0000')

test('a description anywhere in a tree is skipped when it is read back', () => {
  const line = fc.string({ unit: anyCharacter }).map((words) => `- ${words.replace(/\s/g, ' ')}.`)
  const reading = fc.array(fc.oneof(line, fc.constantFrom('- <page>', '- text "</content>"', '  - "```"')), {
    minLength: 1,
  })
  fc.assert(
    fc.property(tree, reading, (blocks, lines) => {
      const withReading = (block: Block): Block => ({
        ...block,
        ...(block.type === 'whiteboard' && { reading: ['A reading:', ...lines].join('\n') }),
        ...(block.content && { content: block.content.map(withReading) }),
      })
      expect(blocksOf(writeMarkdown(blocks.map(withReading)))).toEqual(blocks)
    }),
    { numRuns: runs(50, 500) },
  )
})

/** Rules about media, lines, code and the other types of blocks. */

import type { RuleGroup } from '../rule.ts'
import { has, holds, inPage, one, type RuleContext, same } from '../rule-context.ts'
import { LANGUAGES } from './samples.ts'

const URL = 'https://example.com/a'

const needs = (type: string, field: string) => async (at: RuleContext) => {
  await at.refused('blocks_add', { blocks: [{ type }], position: inPage(await at.page()) })
  has(await at.added({ type, [field]: URL }), { type, [field]: URL })
}

const takes =
  (type: string, field: string, values: readonly (string | number)[], wrong: unknown) => async (at: RuleContext) => {
    for (const value of values) {
      const found = (await at.added({ type, url: URL, [field]: value }))[field]
      holds(found === value || found === undefined, `Expected ${field} ${value}, found ${found}`)
    }
    has(await at.added({ type, url: URL, [field]: values.at(-1) }), { [field]: values.at(-1) })
    const blocks = [{ type, url: URL, [field]: wrong }]
    await at.refused('blocks_add', { blocks, position: inPage(await at.page()) })
  }

const keeps = (type: string, fields: object) => async (at: RuleContext) =>
  has(await at.added({ type, url: URL, ...fields }), fields)

const PIXEL = 'GIF89a'

export const media: RuleGroup = {
  title: 'other blocks',
  rules: [
    { statement: 'An image needs a url.', check: needs('image', 'url') },
    { statement: 'An image may have an altText.', check: keeps('image', { altText: 'what is seen' }) },
    { statement: 'size of an image is fit or fill.', check: takes('image', 'size', ['fit', 'fill'], 'huge') },
    {
      statement: 'width of an image is auto or fullWidth.',
      check: takes('image', 'width', ['auto', 'fullWidth'], 'half'),
    },
    {
      statement: 'An image may have fileSize and mimeType.',
      check: keeps('image', { fileSize: 7, mimeType: 'image/png' }),
    },
    {
      statement: 'An image may have aspectRatio and previewImageWidth, numbers.',
      async check(at) {
        await keeps('image', { aspectRatio: 1.5, previewImageWidth: 320 })(at)
        const blocks = [{ type: 'image', url: URL, aspectRatio: 'wide' }]
        await at.refused('blocks_add', { blocks, position: inPage(await at.page()) })
      },
    },
    {
      statement: 'uploaded and isPreviewImageUploaded of an image are true or false.',
      async check(at) {
        const { uploaded, isPreviewImageUploaded } = await at.added({ type: 'image', url: URL })
        for (const value of [uploaded, isPreviewImageUploaded]) {
          holds(value === undefined || typeof value === 'boolean', `Expected true, false or none, found ${value}`)
        }
      },
    },
    { statement: 'A video needs a url.', check: needs('video', 'url') },
    {
      statement: 'A video may have an altText, fileSize and mimeType.',
      check: keeps('video', { altText: 'what is seen', fileSize: 7, mimeType: 'video/mp4' }),
    },
    { statement: 'size of a video is fit or fill.', check: takes('video', 'size', ['fit', 'fill'], 'huge') },
    {
      statement: 'width of a video is auto or fullWidth.',
      check: takes('video', 'width', ['auto', 'fullWidth'], 'half'),
    },
    { statement: 'A file needs a url.', check: needs('file', 'url') },
    {
      statement: 'A file may have a fileName, fileSize and mimeType.',
      check: keeps('file', { fileName: 'a.pdf', fileSize: 7, mimeType: 'application/pdf' }),
    },
    {
      statement: 'blockLayout of a file is small, regular or card.',
      check: takes('file', 'blockLayout', ['regular', 'small', 'card'], 'big'),
    },
    {
      statement: 'A file that was uploaded says so.',
      async check(at) {
        const page = await at.page()
        const { blockId } = await at.done('files_add', { text: PIXEL, position: inPage(page), fileName: 'a.txt' })
        has(await at.read(blockId), { type: 'file', uploaded: true, fileSize: PIXEL.length })
      },
    },
    {
      statement: 'A drawing has a url.',
      cannot: 'Nothing creates a drawing: it is a type that applications with a pen have.',
    },
    {
      statement: 'A whiteboard needs no url.',
      async check(at) {
        const { whiteboardBlockId } = await at.done('whiteboards_add', { position: inPage(await at.page()) })
        has(await at.read(whiteboardBlockId), { type: 'whiteboard' })
      },
    },
    {
      statement: 'A table is in its markdown alone.',
      async check(at) {
        const table = one(await at.readBack('| a | b |\n| - | - |\n| 1 | 2 |'))
        has(table, { type: 'table' })
        same(table.markdown.split('\n').length, 3)
      },
    },
    {
      statement: 'A collection on a page is a block of that type.',
      async check(at) {
        const page = await at.page()
        const schema = { name: 'Things', properties: [] }
        const { collectionBlockId } = await at.done('collections_add', { schema, position: inPage(page) })
        has(one((await at.read(page)).content), { id: collectionBlockId, type: 'collection', markdown: 'Things' })
      },
    },
    { statement: 'A richUrl needs a url.', check: needs('richUrl', 'url') },
    {
      statement: 'A richUrl may have a title and a description.',
      check: keeps('richUrl', { title: 'A site', description: 'about it' }),
    },
    {
      statement: 'layout of a richUrl is small, regular or card.',
      check: takes('richUrl', 'layout', ['regular', 'small', 'card'], 'big'),
    },
    {
      statement: 'lineStyle of a line is strong, regular (the default), light, extraLight or pageBreak.',
      async check(at) {
        has(await at.added({ type: 'line' }), { type: 'line', lineStyle: 'regular' })
        for (const lineStyle of ['strong', 'regular', 'light', 'extraLight', 'pageBreak']) {
          has(await at.added({ type: 'line', lineStyle }), { lineStyle })
        }
        await at.refused('blocks_add', {
          blocks: [{ type: 'line', lineStyle: 'bold' }],
          position: inPage(await at.page()),
        })
      },
    },
    {
      statement: 'separatorStyle of a line is a text.',
      async check(at) {
        has(await at.added({ type: 'line', separatorStyle: 'tape-1' }), { separatorStyle: 'tape-1' })
      },
    },
    {
      statement: 'A pageBreak does not change which block stands in which page.',
      async check(at) {
        const page = await at.page()
        const blocks = [
          { type: 'text', markdown: 'a' },
          { type: 'line', lineStyle: 'pageBreak' },
          { type: 'text', markdown: 'b' },
        ]
        await at.done('blocks_add', { blocks, position: inPage(page) })
        same(
          (await at.read(page)).content.map(({ type }) => type),
          ['text', 'line', 'text'],
        )
      },
    },
    {
      statement: 'Code needs its rawCode.',
      async check(at) {
        await at.refused('blocks_add', { blocks: [{ type: 'code' }], position: inPage(await at.page()) })
        has(await at.added({ type: 'code', rawCode: 'a\n b' }), { type: 'code', rawCode: 'a\n b' })
      },
    },
    {
      statement: `language of code is one of ${LANGUAGES.length} words.`,
      async check(at) {
        const position = inPage(await at.page())
        const blocks = LANGUAGES.map((language) => ({ type: 'code', rawCode: 'a', language }))
        const { items } = await at.done('blocks_add', { blocks, position })
        same(
          items.map(({ language }) => language ?? 'none'),
          LANGUAGES,
        )
      },
    },
  ],
}

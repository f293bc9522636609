/** TextBundles and TextPacks. */
import { expect, test } from 'vitest'
import { textbundleFormat } from '../../../src/import/textbundle/textbundle-format.ts'
import { png } from '../../picture.ts'
import { imported, problemLines, sourceOf } from '../importing.ts'
import { entriesOf, zipOf } from '../zips.ts'

const PICTURE = png(3, 2)
const bundle = (name: string, text: string) => ({
  [`${name}.textbundle/info.json`]: '{ "version": 2 }',
  [`${name}.textbundle/text.md`]: text,
  [`${name}.textbundle/assets/dot.png`]: PICTURE,
})

test('a bundle is a note with its files, and a pack the same', async () => {
  const run = await imported(
    {
      ...bundle('box/One', 'See [two](../Two.textpack).\n\n![](assets/dot.png)\n'),
      'Two.textpack': await zipOf(entriesOf(bundle('Two', 'Words.\n\n![dot](assets/dot.png)\n'))),
      'Three.textpack': await zipOf(entriesOf({ 'info.json': '{}', 'text.txt': 'Plain.' })),
    },
    textbundleFormat,
  )
  expect(await run.blocks('One')).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }])
  expect(await run.blocks('Two')).toMatchObject([{ markdown: 'Words.' }, { type: 'image', altText: 'dot' }])
  expect(await run.read('Three')).toBe('Plain.')
  expect((await run.call('documents_list')).items).toHaveLength(3)
  expect((await run.call('folders_list')).items.at(-1)).toMatchObject({ name: 'box', documentCount: 1 })
})

test('a pack that is opened by itself is one note, named as its file', async () => {
  const files = { 'info.json': '{}', 'text.md': 'Words.' }
  expect(await textbundleFormat.detects(sourceOf(files))).toBe(true)
  expect(await textbundleFormat.detects(sourceOf({ 'text.md': '' }))).toBe(false)
  const run = await imported(files, textbundleFormat)
  expect(await run.read('notes')).toBe('Words.')
})

test('a pack that is none is reported, and the others come in', async () => {
  const run = await imported({ 'a.textpack': 'no zip', ...bundle('B', 'Words.') }, textbundleFormat)
  expect(problemLines(run.report)).toEqual([expect.stringMatching(/^a\.textpack failed: Expected a zip, /)])
  expect(await run.read('B')).toBe('Words.')
})

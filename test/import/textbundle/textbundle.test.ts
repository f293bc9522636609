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

test('a bundle is imported as a note with its files, and so is a pack', async () => {
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

test('a single pack is one note, named after its file', async () => {
  const files = { 'info.json': '{}', 'text.md': 'Words.' }
  expect(await textbundleFormat.detects(sourceOf(files))).toBe(true)
  expect(await textbundleFormat.detects(sourceOf({ 'text.md': '' }))).toBe(false)
  const run = await imported(files, textbundleFormat)
  expect(await run.read('notes')).toBe('Words.')
})

test('an invalid pack is reported, and the others are imported', async () => {
  const run = await imported({ 'a.textpack': 'no zip', ...bundle('B', 'Words.') }, textbundleFormat)
  expect(problemLines(run.report)).toContainEqual(expect.stringMatching(/^a\.textpack failed: Expected a zip, /))
  expect(await run.read('B')).toBe('Words.')
})

test('a backup of Bear has the times of its notes, and leaves out those in the trash', async () => {
  const info = (fields: object) => JSON.stringify({ version: 2, 'net.shinyfrog.bear': fields })
  const files = {
    'Bear/A.textbundle/info.json': info({ trashed: 0, creationDate: '2024-01-02T03:04:05Z' }),
    'Bear/A.textbundle/text.markdown': '# A\n\n#tag\n\n![](assets/dot.png)',
    'Bear/A.textbundle/assets/dot.png': PICTURE,
    'Bear/B.textbundle/info.json': info({ trashed: 1 }),
    'Bear/B.textbundle/text.markdown': 'gone',
  }
  const { call, report, read } = await imported(files, textbundleFormat)
  const { items } = await call('documents_list', { fetchMetadata: true })
  expect(items).toMatchObject([{ title: 'A', createdAt: '2024-01-02T03:04:05.000Z' }])
  expect(await read('A')).toContain('#tag')
  expect(problemLines(report)).toEqual(['Bear/B.textbundle left out: It is in the trash of Bear.'])
})

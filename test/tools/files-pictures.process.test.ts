import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { boardOf } from '../drawings.ts'
import { MADE } from '../made-board.ts'
import { png } from '../picture.ts'

type Content = { type: string; text?: string; data?: string; mimeType?: string }

async function pictureOf({ client }: Connected, args: object): Promise<Content[]> {
  const { content } = await client.callTool({
    name: 'blocks_get',
    arguments: { images: true, format: 'json', ...args },
  })
  // The first content is the response itself.
  return (content as Content[]).slice(1)
}

async function add({ call }: Connected, pageId: string, data: Buffer, mimeType = 'image/png'): Promise<string> {
  const position = { position: 'end', pageId }
  return (await call('files_add', { position, data: data.toString('base64'), mimeType })).blockId
}

const withoutNotes = (content: Content[]) => content.filter(({ text }) => !text?.startsWith('Revision'))
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  'base64',
)
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')

test.each(['json', 'markdown'])('blocks_get shows images with %s, byte for byte', async (format) => {
  const connected = await connect()
  const page = await documentOf(connected)
  const kinds: [Buffer, string][] = [
    [png(4, 3), 'image/png'],
    [gif, 'image/gif'],
    [jpeg, 'image/jpeg'],
    [webp, 'image/webp'],
  ]
  const wanted: Content[] = []
  for (const [data, mimeType] of kinds) {
    const id = await add(connected, page, data, mimeType)
    wanted.push({ type: 'text', text: `Picture of ${id}:` })
    wanted.push({ type: 'image', mimeType, data: data.toString('base64') })
  }
  expect(withoutNotes(await pictureOf(connected, { id: page, format }))).toEqual(wanted)
})

test('images come in the order of the page, including whiteboards, five in all', async () => {
  const connected = await connect()
  const { pageId, whiteboardBlockId } = await boardOf(connected, MADE)
  const ids: string[] = []
  for (let count = 0; count < 6; count++) ids.push(await add(connected, pageId, png(1, 1, count)))
  const content = await pictureOf(connected, { id: pageId })
  expect(content[0]?.text).toBe(
    `No picture of ${ids[4]}, ${ids[5]}: too many for one answer, which shows 5; ask for one by its ID.`,
  )
  const named = [whiteboardBlockId, ...ids.slice(0, 4)].map((id) => `Picture of ${id}:`)
  expect(content.filter(({ text }) => text?.startsWith('Picture')).map(({ text }) => text)).toEqual(named)
  expect(await pictureOf(connected, { id: ids[5] })).toHaveLength(2)
})

const UNFIT = 'shown are PNG, JPEG, GIF and WebP of at most 3.75 MB.'

test.each<[string, Buffer, string]>([
  ['markup', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
  ['more bytes than models take', Buffer.concat([png(1, 1), Buffer.alloc(3_750_001)]), 'image/png'],
  ['more pixels than models take', png(8_001, 1), 'image/png'],
  ['a beginning alone', png(1, 1).subarray(0, 16), 'image/png'],
])('%s is omitted, with a note', async (_, data, mimeType) => {
  const connected = await connect()
  const page = await documentOf(connected)
  const id = await add(connected, page, data, mimeType)
  expect((await connected.call('blocks_get', { id })).type).toBe('image')
  expect(await pictureOf(connected, { id: page })).toEqual([{ type: 'text', text: `No picture of ${id}: ${UNFIT}` }])
})

test('missing bytes are omitted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'space.sqlite')
  const connected = await connect('full', { to: await buildSpace(path) })
  const page = await documentOf(connected)
  const id = await add(connected, page, png(1, 1))
  rmSync(`${path}.files`, { recursive: true })
  expect(await pictureOf(connected, { id: page })).toEqual([
    {
      type: 'text',
      text: `No picture of ${id}: its bytes are missing or changed on the disk of this server; add the file again, or restore a backup.`,
    },
  ])
})

test('external images are never fetched, and of many only the first are named', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const connected = await connect()
  const pictures = Array.from({ length: 25 }, (_, index) => `![](http://127.0.0.1:1/${index}.png)`)
  const page = await documentOf(connected, pictures.join('\n\n'))
  const [note, ...others] = await pictureOf(connected, { id: page })
  expect(note?.text).toMatch(
    /^No picture of (\d{12}, ){19}\d{12} and 5 more: its bytes are elsewhere, and are not fetched\.$/,
  )
  expect(others).toEqual([])
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockRestore()
})

test('a file of another document cannot be seen by naming it', async () => {
  const full = await connect()
  const hidden = await documentOf(full)
  const blockId = await add(full, hidden, png(2, 2))
  const { url } = await full.call('blocks_get', { id: blockId })
  const document = await documentOf(full)
  const selected = await connect('selected', { to: full, documents: [document] })
  await selected.call('blocks_add', { markdown: `![](${url})`, position: { position: 'end', pageId: document } })
  expect((await pictureOf(selected, { id: document })).filter(({ type }) => type === 'image')).toEqual([])
})

import { imageSize } from 'image-size'
import { expect, test } from 'vitest'
import { type Connected, connect } from '../../connect.ts'
import { boardOf, drawing } from '../../drawings.ts'
import { MADE, MADE_ASSETS } from '../../made-board.ts'

type Content = { type: string; text?: string; data?: string; mimeType?: string }

const pictureOf = async ({ client }: Connected, args: object): Promise<Content[]> =>
  (await client.callTool({ name: 'blocks_get', arguments: { images: true, format: 'json', ...args } }))
    .content as Content[]

test.each(['json', 'markdown'])('blocks_get shows whiteboards as images with %s', async (format) => {
  const connected = await connect()
  const { pageId, whiteboardBlockId } = await boardOf(connected, MADE, { assets: MADE_ASSETS })
  const content = await pictureOf(connected, { id: pageId, format })
  const [name, picture] = content.slice(-2)
  expect(name).toEqual({ type: 'text', text: `Picture of ${whiteboardBlockId}:` })
  expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' })
  expect(imageSize(Buffer.from(picture?.data ?? '', 'base64'))).toMatchObject({ type: 'png', width: 1_200 })
  expect(await pictureOf(connected, { id: whiteboardBlockId, format })).toHaveLength(content.length)
})

test('images are not shown without a request, nor for an empty board', async () => {
  const connected = await connect()
  const { pageId } = await boardOf(connected, MADE)
  const empty = await boardOf(connected)
  expect(await pictureOf(connected, { id: pageId, images: false })).toHaveLength(1)
  expect(await pictureOf(connected, { id: empty.pageId })).toHaveLength(1)
})

test('five are shown in one response, and the others are named', async () => {
  const connected = await connect()
  const { pageId } = await boardOf(connected)
  const ids: string[] = []
  for (let count = 0; count < 7; count++) {
    const position = { position: 'end', pageId }
    const { whiteboardBlockId } = await connected.call('whiteboards_add', { position })
    const elements = drawing('domain-driven-design 1')
    await connected.call('elements_add', { whiteboardBlockId, elements, answer: 'changed' })
    ids.push(whiteboardBlockId)
  }
  const content = await pictureOf(connected, { id: pageId })
  expect(content.filter(({ type }) => type === 'image')).toHaveLength(5)
  expect(content[1]?.text).toBe(
    `No picture of ${ids[5]}, ${ids[6]}: too many for one answer, which shows 5; ask for one by its ID.`,
  )
})

test('a response lists characters without a font', async () => {
  const connected = await connect()
  const characters = Array.from({ length: 12 }, (_, index) => String.fromCodePoint(0x10fff0 + index))
  const elements = [{ id: 't', type: 'text', text: `plain ${characters.join(' ')}` }]
  const { whiteboardBlockId } = await boardOf(connected, elements)
  const content = await pictureOf(connected, { id: whiteboardBlockId })
  expect(content[1]?.text).toBe(
    `The picture of ${whiteboardBlockId} has boxes in place of ${characters.slice(0, 10).join('')} and 2 more: this server has no font with these characters; install one, or start it with --fonts FOLDER.`,
  )
})

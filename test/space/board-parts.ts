/** Parts of whiteboards for tests of their pictures. */
import { MADE_ASSETS } from '../made-board.ts'

export const box = (more: object = {}) => ({
  id: 'a',
  type: 'rectangle',
  x: 0,
  y: 0,
  width: 100,
  height: 50,
  seed: 1,
  ...more,
})

/** The data URL of an image that claims to have this size. */
export const png = (width: number, height: number): string => {
  const bytes = Buffer.from(MADE_ASSETS.file.dataURL.split(',')[1] ?? '', 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}

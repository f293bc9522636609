import { expect, test } from 'vitest'
import { pngInput, renderWhiteboardPng } from '../../src/space/whiteboards/whiteboard-png.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'

test('a picture of a large whiteboard does not block the event loop', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ id: `e${at}`, type: 'rectangle', seed: 1, width: 100, height: 50, backgroundColor: '#ff0000' },
    ...{ x: (at % 70) * 120, y: Math.floor(at / 70) * 70 },
  }))
  expect(await longestPause(() => renderWhiteboardPng(pngInput(many, {})))).toBeLessThan(LONGEST_PAUSE)
})

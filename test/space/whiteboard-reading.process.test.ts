import { expect, test } from 'vitest'
import { describeWhiteboard } from '../../src/space/whiteboards/describe-whiteboard.ts'

const at = (x: number, width = 100) => ({ x, y: 0, width, height: 50 })
const KINDS = [
  (id: string, x: number) => ({ id, type: 'rectangle', ...at(x) }),
  (id: string, x: number) => ({ id, type: 'text', text: id, ...at(x) }),
  (id: string) => ({
    id,
    type: 'arrow',
    ...at(400),
    points: [
      [0, 0],
      [50, 0],
    ],
  }),
]

test('the maximum number of elements is described, which takes minutes where each is compared with each', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => ({ ...KINDS[index % 3]?.(`e${index}`, index) }))
  expect(describeWhiteboard(many, many.length)).toBeTruthy()
})

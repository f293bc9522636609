/** What moves together on a whiteboard, and how elements are drawn. */
import { describe, expect, test } from 'vitest'
import {
  applyChanges,
  type BoardElement,
  changeText,
  describeElement,
  drawShape,
  importElements,
  moveElements,
  placeBelow,
  textOf,
  withFollowers,
} from '../../src/page/assets/whiteboard/elements.ts'

const quay: BoardElement = { id: 'quay', type: 'rectangle', x: 0, y: 0, width: 200, height: 80 }
const label: BoardElement = { id: 'label', type: 'text', x: 60, y: 30, text: 'North quay', containerId: 'quay' }
const crane: BoardElement = { id: 'crane', type: 'ellipse', x: 300, y: 0, width: 100, height: 80 }
const way: BoardElement = {
  ...{
    id: 'way',
    type: 'arrow',
    x: 200,
    y: 40,
    points: [
      [0, 0],
      [40, 10],
      [100, 0],
    ],
  },
  ...{ startBinding: { elementId: 'quay' }, endBinding: { elementId: 'crane' } },
}
const board = [quay, label, crane, way]

describe('moving', () => {
  test('moves the label, and the near end of an arrow', () => {
    const moving = withFollowers(board, 'quay')
    expect([...moving]).toEqual(['quay', 'label'])
    expect(moveElements(board, moving, [10, 5])).toEqual([
      { id: 'quay', x: 10, y: 5 },
      { id: 'label', x: 70, y: 35 },
      {
        id: 'way',
        x: 210,
        y: 45,
        points: [
          [0, 0],
          [30, 5],
          [90, -5],
        ],
        width: 90,
        height: 10,
      },
    ])
  })

  test('moves only the far end', () => {
    expect(moveElements(board, withFollowers(board, 'crane'), [10, 5])).toEqual([
      { id: 'crane', x: 310, y: 5 },
      {
        id: 'way',
        points: [
          [0, 0],
          [40, 10],
          [110, 5],
        ],
        width: 110,
        height: 10,
      },
    ])
  })

  test('moves an arrow as a whole if both of its ends move', () => {
    const grouped = [{ ...quay, groupIds: ['g'] }, label, { ...crane, groupIds: ['g'] }, way]
    const moving = withFollowers(grouped, 'crane')
    expect([...moving].sort()).toEqual(['crane', 'label', 'quay'])
    expect(moveElements(grouped, moving, [10, 5]).at(-1)).toEqual({ id: 'way', x: 210, y: 45 })
  })

  test('detaches an arrow from what it was bound to', () => {
    expect(moveElements(board, withFollowers(board, 'way'), [10, 5])).toEqual([
      { id: 'way', x: 210, y: 45, startBinding: null, endBinding: null },
    ])
  })

  test('moves the content of a frame, with its labels', () => {
    const framed = [{ id: 'frame', type: 'frame', x: 0, y: 0 }, { ...quay, frameId: 'frame' }, label, crane]
    expect([...withFollowers(framed, 'frame')].sort()).toEqual(['frame', 'label', 'quay'])
  })
})

describe('drawing', () => {
  test('uses the corners, in any direction of the drag', () => {
    const drawn = { id: 'a', type: 'rectangle', x: 10, y: 20, width: 90, height: 40 }
    expect(drawShape({ id: 'a', type: 'rectangle', from: [10, 20], to: [100, 60] })).toEqual(drawn)
    expect(drawShape({ id: 'a', type: 'rectangle', from: [100, 60], to: [10, 20] })).toEqual(drawn)
  })

  test('by a click uses a default size', () => {
    expect(drawShape({ id: 'a', type: 'ellipse', from: [10, 20], to: [11, 20] })).toMatchObject({
      width: 180,
      height: 80,
    })
  })

  test('binds an arrow to the elements under its ends', () => {
    expect(drawShape({ id: 'a', type: 'arrow', from: [0, 0], to: [100, 50], start: 'quay', end: 'crane' })).toEqual({
      ...{ id: 'a', type: 'arrow', x: 0, y: 0, start: { id: 'quay' }, end: { id: 'crane' } },
    })
    expect(drawShape({ id: 'a', type: 'arrow', from: [0, 0], to: [100, 50], end: 'crane' })).toEqual({
      ...{ id: 'a', type: 'arrow', x: 0, y: 0, end: { id: 'crane' } },
      ...{
        points: [
          [0, 0],
          [100, 50],
        ],
        width: 100,
        height: 50,
      },
    })
    expect(
      drawShape({ id: 'a', type: 'arrow', from: [0, 0], to: [9, 0], start: 'quay', end: 'quay' }),
    ).not.toHaveProperty('start')
  })
})

test('words are set on a text itself, and on the label of a shape', () => {
  expect(changeText(label, 'South')).toEqual({ id: 'label', text: 'South', originalText: 'South' })
  expect(changeText(quay, 'South')).toEqual({ id: 'quay', label: { text: 'South' } })
  expect(changeText({ ...quay, type: 'image' }, 'South')).toBeUndefined()
})

test('words are those that were written, not the wrapped lines', () => {
  expect(textOf([quay, { ...label, text: 'North\nquay', originalText: 'North quay' }], quay)).toBe('North quay')
})

test('an element is announced with its words and what it connects', () => {
  expect(describeElement(board, quay)).toBe('rectangle “North quay”')
  expect(describeElement(board, way)).toBe('arrow from North quay to ellipse')
})

test('elements of a file get new IDs if the board has theirs, also in references', () => {
  const given = [
    { ...quay, boundElements: [{ type: 'text', id: 'label' }] },
    label,
    { ...crane, isDeleted: true },
  ] as BoardElement[]
  expect(importElements(given, new Set(['quay']), () => 'other')).toEqual([
    { ...quay, id: 'other', boundElements: [{ type: 'text', id: 'label' }] },
    { ...label, containerId: 'other' },
  ])
})

test('what is moved again before a reload continues from its new position', () => {
  const move = (elements: readonly BoardElement[]) => moveElements(elements, withFollowers(elements, 'quay'), [0, 10])
  const once = applyChanges(board, move(board))
  expect(applyChanges(once, move(once)).map(({ id, y }) => [id, y])).toEqual([
    ['quay', 20],
    ['label', 50],
    ['crane', 0],
    ['way', 60],
  ])
})

test('a drawing from a file is placed below the others', () => {
  const other: BoardElement = { id: 'other', type: 'text', x: 1_000, y: -50 }
  const inside: BoardElement = { id: 'inside', type: 'text', x: 1_010, y: -40 }
  expect(placeBelow([other, inside], board)).toEqual([
    { ...other, x: 0, y: 140 },
    { ...inside, x: 10, y: 150 },
  ])
  expect(placeBelow([other], [])).toEqual([other])
})

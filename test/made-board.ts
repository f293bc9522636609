/** A board with everything that the real drawings lack: frames, images, bound text, every arrowhead. */
import type { Drawn } from './drawings.ts'

/** Two by two pixels: red, green, blue, yellow. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP4z8DAAMIM////ZwAAHu8E/KPItPcAAAAASUVORK5CYII='

export const MADE_ASSETS = { file: { id: 'file', mimeType: 'image/png', dataURL: `data:image/png;base64,${PNG}` } }

const box = (id: string, x: number, y: number, width: number, height: number, more: object = {}): Drawn => {
  return { id, type: 'rectangle', x, y, width, height, seed: 7, roundness: { type: 3 }, ...more }
}
const text = (id: string, x: number, y: number, text: string, more: object = {}): Drawn => {
  return { id, type: 'text', x, y, width: 0, height: 0, text, ...more }
}
const inBox = (id: string, containerId: string, content: string, more: object = {}) =>
  text(id, 0, 0, content, { containerId, ...more })
const arrow = (id: string, x: number, y: number, points: number[][], more: object = {}): Drawn => {
  return { id, type: 'arrow', x, y, points, seed: 7, ...more }
}

const HEADS = [
  ...['arrow', 'triangle', 'triangle_outline', 'dot', 'circle_outline', 'bar', 'diamond', 'diamond_outline'],
  ...['crowfoot_one', 'crowfoot_many', 'crowfoot_one_or_many'],
]

export const MADE: readonly Drawn[] = [
  box('web', 20, 40, 160, 70, { backgroundColor: '#a5d8ff', fillStyle: 'solid' }),
  inBox('web-text', 'web', 'Web shop'),
  box('server', 360, 30, 180, 90, { type: 'ellipse', backgroundColor: '#b2f2bb', fillStyle: 'hachure' }),
  inBox('server-text', 'server', 'Server'),
  arrow('call', 0, 0, [], { startBinding: { elementId: 'web' }, endBinding: { elementId: 'server' } }),
  inBox('call-text', 'call', 'HTTP', { fontSize: 16 }),
  box('store', 360, 220, 180, 110, { type: 'diamond', backgroundColor: '#ffec99', fillStyle: 'cross-hatch' }),
  inBox('store-text', 'store', 'Store', { fontFamily: 3 }),
  arrow(
    'write',
    450,
    125,
    [
      [0, 0],
      [40, 45],
      [0, 90],
    ],
    {
      ...{ roundness: { type: 2 }, startArrowhead: 'dot', endArrowhead: 'triangle', strokeColor: '#e03131' },
    },
  ),
  box('note', 20, 180, 160, 140, { strokeStyle: 'dashed', opacity: 60, backgroundColor: '#ffc9c9' }),
  inBox('note-text', 'note', 'words that are far too long for one line of this box are broken', { fontSize: 16 }),
  box('turned', 220, 230, 90, 50, {
    angle: Math.PI / 6,
    strokeStyle: 'dotted',
    fillStyle: 'zigzag',
    backgroundColor: '#d0bfff',
  }),
  inBox('turned-text', 'turned', 'turned', { fontSize: 16, fontFamily: 2 }),
  { id: 'frame', type: 'frame', x: 600, y: 40, width: 260, height: 180, name: 'A frame' },
  box('cut', 780, 120, 160, 60, { frameId: 'frame', backgroundColor: '#ffd8a8', fillStyle: 'solid' }),
  { id: 'picture', type: 'image', x: 620, y: 60, width: 80, height: 80, fileId: 'file', frameId: 'frame' },
  {
    id: 'part',
    type: 'image',
    x: 620,
    y: 150,
    width: 60,
    height: 60,
    fileId: 'file',
    crop: { x: 0, y: 1, width: 2, height: 1, naturalWidth: 2, naturalHeight: 2 },
  },
  { id: 'gone', type: 'image', x: 710, y: 60, width: 60, height: 60, fileId: 'none', frameId: 'frame' },
  {
    id: 'pen',
    type: 'freedraw',
    x: 600,
    y: 260,
    points: Array.from({ length: 60 }, (_, at) => [at * 4, Math.sin(at / 4) * 30]),
    strokeColor: '#1971c2',
  },
  text('right', 900, 250, 'to the right\nżółć Ελ кот', { width: 120, height: 50, textAlign: 'right', fontFamily: 2 }),
  text('marks', 600, 300, '<b> & "quotes" → ✓', { width: 200, height: 25 }),
  ...HEADS.map((head, index) =>
    arrow(
      `head-${head}`,
      20 + (index % 6) * 150,
      380 + Math.floor(index / 6) * 50,
      [
        [0, 0],
        [100, 0],
      ],
      { endArrowhead: head },
    ),
  ),
  arrow(
    'elbow',
    900,
    60,
    [
      [0, 0],
      [60, 0],
      [60, 80],
      [110, 80],
    ],
    { elbowed: true, roundness: { type: 2 }, startArrowhead: 'bar' },
  ),
]

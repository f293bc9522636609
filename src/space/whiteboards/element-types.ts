/** The types of elements that Excalidraw draws. Source: `ExcalidrawElement` of Excalidraw 0.18. */

const SHAPE_TYPES = ['rectangle', 'ellipse', 'diamond'] as const

export const ELEMENT_TYPES: readonly string[] = [
  ...SHAPE_TYPES,
  'arrow',
  'line',
  'text',
  'freedraw',
  'image',
  'frame',
  'magicframe',
  'embeddable',
  'iframe',
  // Old drawings use these names for strokes and for the selection box.
  'draw',
  'selection',
]

/** True for shapes that can contain text and that arrows can be bound to. */
export const isShape = (type: unknown): boolean => (SHAPE_TYPES as readonly unknown[]).includes(type)

/** Other common names for types. */
const OTHER_NAMES = {
  rect: 'rectangle',
  box: 'rectangle',
  square: 'rectangle',
  roundrectangle: 'rectangle',
  sticky: 'rectangle',
  note: 'rectangle',
  node: 'rectangle',
  circle: 'ellipse',
  oval: 'ellipse',
  rhombus: 'diamond',
  connector: 'arrow',
  edge: 'arrow',
  label: 'text',
  pencil: 'freedraw',
  stroke: 'freedraw',
  picture: 'image',
}

const byName = new Map([...ELEMENT_TYPES.map((type) => [type, type] as const), ...Object.entries(OTHER_NAMES)])

/** Returns the type for a name, ignoring case. Returns undefined for an unknown name. */
export const elementTypeNamed = (name: string): string | undefined => byName.get(name.toLowerCase())

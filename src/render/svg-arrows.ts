/** Renders arrowheads. */
import { clampNumber, type NormalizedElement, type Point } from './normalize-element.ts'
import { getStrokeWidth } from './svg-shapes.ts'
import { paintAttributes, round, toColor } from './svg-values.ts'

/** Length of a head, and the angle between its sides and the line, in degrees. */
type HeadShape = readonly [length: number, angle: number]

const PLAIN_HEAD: HeadShape = [25, 20]

const ARROWHEADS: ReadonlyMap<string, HeadShape> = new Map(
  Object.entries({
    arrow: PLAIN_HEAD,
    triangle: [15, 25],
    triangle_outline: [15, 25],
    diamond: [12, 45],
    diamond_outline: [12, 45],
    bar: [15, 90],
    crowfoot_one: [20, 90],
    crowfoot_many: [20, 30],
    crowfoot_one_or_many: [20, 30],
    dot: [10, 0],
    circle: [10, 0],
    circle_outline: [10, 0],
  }),
)

/**
 * @param from  the point before the end of the line, which gives its direction
 * @param tip  the end of the line
 * @param length  length of the line; a head takes at most half of it
 */
export function arrowheadSvg(
  element: NormalizedElement,
  kind: string,
  from: Point,
  tip: Point,
  length: number,
  background: string,
): string {
  const [headLength, angle] = ARROWHEADS.get(kind) ?? PLAIN_HEAD
  const [x, y] = tip
  const distance = Math.hypot(x - from[0], y - from[1])
  if (distance === 0) return ''
  const size = Math.min(headLength * (getStrokeWidth(element) > 2 ? getStrokeWidth(element) / 2 : 1), length / 2)
  // Unit vector back along the line from its tip.
  const back: Point = [(from[0] - x) / distance, (from[1] - y) / distance]
  const at = (degrees: number, distanceFromTip: number): Point => {
    const radians = (degrees * Math.PI) / 180
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
    return [
      x + distanceFromTip * (back[0] * cos - back[1] * sin),
      y + distanceFromTip * (back[0] * sin + back[1] * cos),
    ]
  }
  const color = toColor(element.source.strokeColor, '#1e1e1e')
  const fill = paintAttributes('fill', kind.endsWith('_outline') ? background : color)
  const dashed = element.source.strokeStyle === 'dotted' ? ' stroke-dasharray="1.5 5"' : ''
  const line = `${paintAttributes('stroke', color)} stroke-width="${getStrokeWidth(element)}" stroke-linecap="round" stroke-linejoin="round"${dashed}`
  const path = (d: string, filled = 'fill="none"') => `<path d="${d}" ${line} ${filled}/>`

  switch (kind) {
    case 'dot':
    case 'circle':
    case 'circle_outline': {
      const [cx, cy] = at(0, size / 2)
      return `<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(size / 2)}" ${line} ${fill}/>`
    }
    case 'triangle':
    case 'triangle_outline':
      return path(`${linePath([tip, at(angle, size), at(-angle, size)])}Z`, fill)
    case 'diamond':
    case 'diamond_outline': {
      const side = size * Math.SQRT1_2
      return path(`${linePath([tip, at(angle, side), at(0, size), at(-angle, side)])}Z`, fill)
    }
    case 'bar':
      return path(linePath([at(angle, size / 2), at(-angle, size / 2)]))
    case 'crowfoot_one':
    case 'crowfoot_many':
    case 'crowfoot_one_or_many': {
      const foot = at(0, size)
      const toes = `${linePath([at(90, size / 2), foot])}${linePath([at(-90, size / 2), foot])}`
      const across = at(0, kind === 'crowfoot_one' ? size / 2 : size * 1.2)
      const bar = [-1, 1].map((side): Point => {
        return [across[0] - back[1] * side * (size / 2), across[1] + back[0] * side * (size / 2)]
      })
      return path((kind === 'crowfoot_one' ? '' : toes) + (kind === 'crowfoot_many' ? '' : linePath(bar)))
    }
    default:
      return path(linePath([at(angle, size), tip, at(-angle, size)]))
  }
}

const linePath = (points: readonly Point[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')

/** Length of a line through points, in board units. */
export function lineLength(points: readonly Point[]): number {
  let length = 0
  for (const [index, [x, y]] of points.entries()) {
    const before = points[index - 1]
    if (before !== undefined) length += Math.hypot(x - before[0], y - before[1])
  }
  return clampNumber(length, 0)
}

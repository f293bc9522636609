/** Shapes, lines and strokes as paths, hand-drawn as Excalidraw draws them: by the same library, from the same seeds. */
import { getStroke } from 'perfect-freehand'
import roughjs from 'roughjs'
import type { OpSet, Options, PathInfo } from 'roughjs/bin/core.js'
import { type Drawn, numberOf, type Point } from './drawn.ts'
import { colorOf, paint, round } from './svg-values.ts'

/** What draws; its types say otherwise, but it is a CommonJS module. */
// Its types say that the default export has another one within, which is true of neither of its modules.
const rough = roughjs as unknown as typeof roughjs.default
const generator = rough.generator()

/** A drawn line: its paths, and where its ends come from, which is where arrowheads turn. */
export interface Line {
  paths: string
  start: Point
  end: Point
}

/** Strokes closer than this part of a shape's size are no texture any more. */
const FINEST = 200
/** Points nearer than this close a line. */
const CLOSED = 8

/** A rectangle, diamond or ellipse at the origin of its box. */
export function shapePaths(one: Drawn): string {
  const { width, height } = one
  const options = optionsOf(one, true)
  switch (one.type) {
    case 'ellipse':
      return pathsOf(generator.ellipse(width / 2, height / 2, width, height, { ...options, curveFitting: 1 }))
    case 'diamond': {
      const corners: Point[] = [
        [width / 2, 0],
        [width, height / 2],
        [width / 2, height],
        [0, height / 2],
      ]
      const radius = radiusOf(one, Math.min(width, height))
      return pathsOf(radius > 0 ? generator.path(rounded(corners, radius), options) : polygon(corners, options))
    }
    default: {
      const radius = radiusOf(one, Math.min(width, height))
      const corners: Point[] = [
        [0, 0],
        [width, 0],
        [width, height],
        [0, height],
      ]
      if (radius > 0) return pathsOf(generator.path(rounded(corners, radius), options))
      return pathsOf(generator.rectangle(0, 0, width, height, options))
    }
  }
}

/** A line or arrow through points, which are given relative to where it starts. */
export function linePaths(one: Drawn, points: readonly Point[]): Line {
  const [first = [0, 0] as const, last = [0, 0] as const] = [points[0], points.at(-1)]
  const isLoop = points.length > 2 && Math.hypot(last[0] - first[0], last[1] - first[1]) <= CLOSED
  const options = optionsOf(one, isLoop)
  const isCurve = points.length > 2 && isRound(one) && one.given.elbowed !== true
  const drawable = isCurve ? generator.curve(mutable(points), options) : generator.linearPath(mutable(points), options)
  // A filled line that is not curved: its ground, then itself.
  const ground = !isCurve && options.fill !== undefined ? pathsOf(polygon(points, { ...options, stroke: 'none' })) : ''
  const ends = isCurve ? curveEnds(drawable.sets) : undefined
  return {
    paths: ground + pathsOf(drawable),
    start: ends?.[0] ?? points[1] ?? first,
    end: ends?.[1] ?? points.at(-2) ?? last,
  }
}

/** A stroke of a pen, wider where it was pressed. */
export function strokePaths(one: Drawn): string {
  const pressures = Array.isArray(one.given.pressures) ? one.given.pressures : []
  const points = one.points.map(([x, y], index) => [x, y, numberOf(pressures[index], 0.5, 0, 1)])
  const outline = getStroke(points, {
    size: widthOf(one) * 4.25,
    thinning: 0.6,
    smoothing: 0.5,
    streamline: 0.5,
    simulatePressure: one.given.simulatePressure !== false || pressures.length === 0,
    last: true,
  })
  const [first, ...more] = outline as [number, number][]
  if (first === undefined) return ''
  const ground = optionsOf(one, true).fill
  const [start, end] = [one.points[0], one.points.at(-1)]
  const isLoop = start && end && Math.hypot(end[0] - start[0], end[1] - start[1]) <= CLOSED
  const filled = ground && isLoop ? pathsOf(polygon(one.points, { ...optionsOf(one, true), stroke: 'none' })) : ''
  const d = `M${pair(first)}${more.map((point) => `L${pair(point)}`).join('')}Z`
  return `${filled}<path d="${d}" ${paint('fill', colorOf(one.given.strokeColor, '#1e1e1e'))}/>`
}

const pair = ([x, y]: readonly number[]): string => `${round(x ?? 0)} ${round(y ?? 0)}`

export const widthOf = ({ given }: Drawn): number => numberOf(given.strokeWidth, 2, 0.1, 100)

/** @param isClosed  whether it has an inside that can be filled */
function optionsOf(one: Drawn, isClosed: boolean): Options {
  const { given, width, height } = one
  const strokeWidth = widthOf(one)
  const style = given.strokeStyle
  const fill = isClosed ? colorOf(given.backgroundColor, 'transparent') : 'transparent'
  const fillStyle = String(given.fillStyle)
  const dash = style === 'dashed' ? [8, 8 + strokeWidth] : style === 'dotted' ? [1.5, 6 + strokeWidth] : undefined
  const size = Math.max(width, height)
  const roughness = numberOf(given.roughness, 1, 0, 5)
  return {
    seed: Math.max(1, Math.trunc(numberOf(given.seed, 1, 1, 2 ** 31 - 1))),
    // What is small would not be known again.
    roughness: size < 10 ? roughness / 3 : size < 30 ? roughness / 2 : roughness,
    stroke: colorOf(given.strokeColor, '#1e1e1e'),
    strokeWidth: dash === undefined ? strokeWidth : strokeWidth + 0.5,
    disableMultiStroke: dash !== undefined,
    preserveVertices: roughness < 2,
    fixedDecimalPlaceDigits: 2,
    ...(dash && { strokeLineDash: dash }),
    ...(fill !== 'transparent' && {
      fill,
      fillStyle: ['solid', 'cross-hatch', 'zigzag'].includes(fillStyle) ? fillStyle : 'hachure',
      fillWeight: strokeWidth / 2,
      hachureGap: Math.max(strokeWidth * 4, size / FINEST, 1),
    }),
  }
}

/** Of what Excalidraw calls roundness now, and sharpness before. */
const isRound = ({ given: { roundness, strokeSharpness } }: Drawn): boolean =>
  typeof roundness === 'object' ? roundness !== null : strokeSharpness === 'round'

function radiusOf(one: Drawn, side: number): number {
  if (!isRound(one)) return 0
  const { roundness } = one.given
  const { type, value } = (roundness ?? {}) as { type?: unknown; value?: unknown }
  if (type !== 3) return side / 4
  const radius = numberOf(value, 32, 0)
  return side <= radius * 4 ? side / 4 : radius
}

/** A polygon with its corners cut by curves that begin `radius` before them. */
function rounded(corners: readonly Point[], radius: number): string {
  const parts = corners.map((corner, index) => {
    const before = corners.at(index - 1) ?? corner
    const after = corners[(index + 1) % corners.length] ?? corner
    const [from, to] = [towards(corner, before, radius), towards(corner, after, radius)]
    return `${index === 0 ? 'M' : 'L'}${pair(from)} Q${pair(corner)} ${pair(to)}`
  })
  return `${parts.join(' ')} Z`
}

function towards([x, y]: Point, [toX, toY]: Point, distance: number): Point {
  const part = distance / (Math.hypot(toX - x, toY - y) || 1)
  return [x + (toX - x) * part, y + (toY - y) * part]
}

const mutable = (points: readonly Point[]): [number, number][] => points.map(([x, y]) => [x, y])

const polygon = (points: readonly Point[], options: Options) => generator.polygon(mutable(points), options)

/** Where the curve comes from at its first point, and at its last. */
function curveEnds(sets: readonly OpSet[]): [Point, Point] | undefined {
  const ops = sets.find(({ type }) => type === 'path')?.ops ?? []
  const curves = ops.filter(({ op }) => op === 'bcurveTo')
  // The second half draws the line once more.
  const [first, last] = [curves[0]?.data, curves.at(-1)?.data]
  if (first?.[1] === undefined || last?.[3] === undefined) return undefined
  return [
    [first[0] ?? 0, first[1]],
    [last[2] ?? 0, last[3]],
  ]
}

function pathsOf(drawable: Parameters<typeof generator.toPaths>[0]): string {
  const dash = drawable.options.strokeLineDash
  return generator
    .toPaths(drawable)
    .map((path) => pathTag(path, path.strokeWidth === drawable.options.strokeWidth ? dash : undefined))
    .join('')
}

function pathTag({ d, stroke, strokeWidth, fill }: PathInfo, dash: readonly number[] | undefined): string {
  const line = stroke === 'none' ? '' : ` ${paint('stroke', stroke)} stroke-width="${round(strokeWidth)}"`
  const dashes = dash === undefined || line === '' ? '' : ` stroke-dasharray="${dash.join(' ')}"`
  const filled = fill === undefined || fill === 'none' ? ' fill="none"' : ` ${paint('fill', fill)} fill-rule="evenodd"`
  return `<path d="${d}"${line}${dashes}${filled} stroke-linecap="round" stroke-linejoin="round"/>`
}

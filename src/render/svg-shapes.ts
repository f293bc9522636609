/**
 * Renders shapes, lines and strokes as paths in Excalidraw's hand-drawn style, with the same library and the same
 * seeds.
 */
import { getStroke } from 'perfect-freehand'
import roughjs from 'roughjs'
import type { OpSet, Options, PathInfo } from 'roughjs/bin/core.js'
import { clampNumber, type NormalizedElement, type Point } from './normalize-element.ts'
import { paintAttributes, round, toColor } from './svg-values.ts'

/** rough.js. It is a CommonJS module, although its types say otherwise. */
// The types declare a nested default export, which neither of its builds has.
const rough = roughjs as unknown as typeof roughjs.default
const generator = rough.generator()

/** A rendered line: its paths, and the points before its ends, which give arrowheads their direction. */
export interface LineSvg {
  paths: string
  start: Point
  end: Point
}

/** Most hachure lines across a shape: denser ones no longer look like a texture. */
const MAX_HACHURE_LINES = 200
/** A line is closed if its ends are within this distance. */
const LOOP_TOLERANCE = 8

/** A rectangle, diamond or ellipse at the origin of its box. */
export function shapePaths(element: NormalizedElement): string {
  const { width, height } = element
  const options = roughOptions(element, true)
  switch (element.type) {
    case 'ellipse':
      return drawablePaths(generator.ellipse(width / 2, height / 2, width, height, { ...options, curveFitting: 1 }))
    case 'diamond': {
      const corners: Point[] = [
        [width / 2, 0],
        [width, height / 2],
        [width / 2, height],
        [0, height / 2],
      ]
      const radius = cornerRadius(element, Math.min(width, height))
      return drawablePaths(
        radius > 0 ? generator.path(roundedPath(corners, radius), options) : polygon(corners, options),
      )
    }
    default: {
      const radius = cornerRadius(element, Math.min(width, height))
      const corners: Point[] = [
        [0, 0],
        [width, 0],
        [width, height],
        [0, height],
      ]
      if (radius > 0) return drawablePaths(generator.path(roundedPath(corners, radius), options))
      return drawablePaths(generator.rectangle(0, 0, width, height, options))
    }
  }
}

/** A line or arrow through points, relative to its start. */
export function linePaths(element: NormalizedElement, points: readonly Point[]): LineSvg {
  const [first = [0, 0] as const, last = [0, 0] as const] = [points[0], points.at(-1)]
  const isLoop = points.length > 2 && Math.hypot(last[0] - first[0], last[1] - first[1]) <= LOOP_TOLERANCE
  const options = roughOptions(element, isLoop)
  const isCurve = points.length > 2 && hasRoundCorners(element) && element.source.elbowed !== true
  const drawable = isCurve
    ? generator.curve(toMutable(points), options)
    : generator.linearPath(toMutable(points), options)
  // A filled polyline: first the fill, then the line.
  const fillPaths =
    !isCurve && options.fill !== undefined ? drawablePaths(polygon(points, { ...options, stroke: 'none' })) : ''
  const ends = isCurve ? curveEnds(drawable.sets) : undefined
  return {
    paths: fillPaths + drawablePaths(drawable),
    start: ends?.[0] ?? points[1] ?? first,
    end: ends?.[1] ?? points.at(-2) ?? last,
  }
}

/** A freehand stroke, wider where the pen was pressed harder. */
export function strokePaths(element: NormalizedElement): string {
  const pressures = Array.isArray(element.source.pressures) ? element.source.pressures : []
  const points = element.points.map(([x, y], index) => [x, y, clampNumber(pressures[index], 0.5, 0, 1)])
  const outline = getStroke(points, {
    size: getStrokeWidth(element) * 4.25,
    thinning: 0.6,
    smoothing: 0.5,
    streamline: 0.5,
    simulatePressure: element.source.simulatePressure !== false || pressures.length === 0,
    last: true,
  })
  const [first, ...more] = outline as [number, number][]
  if (first === undefined) return ''
  const fillColor = roughOptions(element, true).fill
  const [start, end] = [element.points[0], element.points.at(-1)]
  const isLoop = start && end && Math.hypot(end[0] - start[0], end[1] - start[1]) <= LOOP_TOLERANCE
  const filled =
    fillColor && isLoop
      ? drawablePaths(polygon(element.points, { ...roughOptions(element, true), stroke: 'none' }))
      : ''
  const d = `M${formatPoint(first)}${more.map((point) => `L${formatPoint(point)}`).join('')}Z`
  return `${filled}<path d="${d}" ${paintAttributes('fill', toColor(element.source.strokeColor, '#1e1e1e'))}/>`
}

const formatPoint = ([x, y]: readonly number[]): string => `${round(x ?? 0)} ${round(y ?? 0)}`

export const getStrokeWidth = ({ source }: NormalizedElement): number => clampNumber(source.strokeWidth, 2, 0.1, 100)

/** @param isClosed  true if it has an inside to fill */
function roughOptions(element: NormalizedElement, isClosed: boolean): Options {
  const { source, width, height } = element
  const strokeWidth = getStrokeWidth(element)
  const style = source.strokeStyle
  const fill = isClosed ? toColor(source.backgroundColor, 'transparent') : 'transparent'
  const fillStyle = String(source.fillStyle)
  const dash = style === 'dashed' ? [8, 8 + strokeWidth] : style === 'dotted' ? [1.5, 6 + strokeWidth] : undefined
  const size = Math.max(width, height)
  const roughness = clampNumber(source.roughness, 1, 0, 5)
  return {
    seed: Math.max(1, Math.trunc(clampNumber(source.seed, 1, 1, 2 ** 31 - 1))),
    // Small shapes would be unrecognizable at full roughness.
    roughness: size < 10 ? roughness / 3 : size < 30 ? roughness / 2 : roughness,
    stroke: toColor(source.strokeColor, '#1e1e1e'),
    strokeWidth: dash === undefined ? strokeWidth : strokeWidth + 0.5,
    disableMultiStroke: dash !== undefined,
    preserveVertices: roughness < 2,
    fixedDecimalPlaceDigits: 2,
    ...(dash && { strokeLineDash: dash }),
    ...(fill !== 'transparent' && {
      fill,
      fillStyle: ['solid', 'cross-hatch', 'zigzag'].includes(fillStyle) ? fillStyle : 'hachure',
      fillWeight: strokeWidth / 2,
      hachureGap: Math.max(strokeWidth * 4, size / MAX_HACHURE_LINES, 1),
    }),
  }
}

/** Reads `roundness`, and the older `strokeSharpness`. */
const hasRoundCorners = ({ source: { roundness, strokeSharpness } }: NormalizedElement): boolean =>
  typeof roundness === 'object' ? roundness !== null : strokeSharpness === 'round'

function cornerRadius(element: NormalizedElement, side: number): number {
  if (!hasRoundCorners(element)) return 0
  const { roundness } = element.source
  const { type, value } = (roundness ?? {}) as { type?: unknown; value?: unknown }
  if (type !== 3) return side / 4
  const radius = clampNumber(value, 32, 0)
  return side <= radius * 4 ? side / 4 : radius
}

/** A polygon with rounded corners: each curve starts `radius` before its corner. */
function roundedPath(corners: readonly Point[], radius: number): string {
  const parts = corners.map((corner, index) => {
    const before = corners.at(index - 1) ?? corner
    const after = corners[(index + 1) % corners.length] ?? corner
    const [from, to] = [pointToward(corner, before, radius), pointToward(corner, after, radius)]
    return `${index === 0 ? 'M' : 'L'}${formatPoint(from)} Q${formatPoint(corner)} ${formatPoint(to)}`
  })
  return `${parts.join(' ')} Z`
}

function pointToward([x, y]: Point, [toX, toY]: Point, distance: number): Point {
  const ratio = distance / (Math.hypot(toX - x, toY - y) || 1)
  return [x + (toX - x) * ratio, y + (toY - y) * ratio]
}

const toMutable = (points: readonly Point[]): [number, number][] => points.map(([x, y]) => [x, y])

const polygon = (points: readonly Point[], options: Options) => generator.polygon(toMutable(points), options)

/** The control points next to the first and the last point of the curve. */
function curveEnds(sets: readonly OpSet[]): [Point, Point] | undefined {
  const ops = sets.find(({ type }) => type === 'path')?.ops ?? []
  const curves = ops.filter(({ op }) => op === 'bcurveTo')
  // The second half of the operations draws the line a second time.
  const [first, last] = [curves[0]?.data, curves.at(-1)?.data]
  if (first?.[1] === undefined || last?.[3] === undefined) return undefined
  return [
    [first[0] ?? 0, first[1]],
    [last[2] ?? 0, last[3]],
  ]
}

function drawablePaths(drawable: Parameters<typeof generator.toPaths>[0]): string {
  const dash = drawable.options.strokeLineDash
  return generator
    .toPaths(drawable)
    .map((path) => pathTag(path, path.strokeWidth === drawable.options.strokeWidth ? dash : undefined))
    .join('')
}

function pathTag({ d, stroke, strokeWidth, fill }: PathInfo, dash: readonly number[] | undefined): string {
  const line = stroke === 'none' ? '' : ` ${paintAttributes('stroke', stroke)} stroke-width="${round(strokeWidth)}"`
  const dashes = dash === undefined || line === '' ? '' : ` stroke-dasharray="${dash.join(' ')}"`
  const filled =
    fill === undefined || fill === 'none' ? ' fill="none"' : ` ${paintAttributes('fill', fill)} fill-rule="evenodd"`
  return `<path d="${d}"${line}${dashes}${filled} stroke-linecap="round" stroke-linejoin="round"/>`
}

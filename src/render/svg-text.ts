/** Renders text as SVG. */
import { type Box, boundedString, clampNumber, type NormalizedElement } from './normalize-element.ts'
import { escapeXml, paintAttributes, round, toColor } from './svg-values.ts'

/** The bundled fonts by Excalidraw's font numbers: hand-drawn, normal, code. */
const HAND = 'Shantell Sans'
const NORMAL = 'DejaVu Sans'
const CODE = 'DejaVu Sans Mono'
const FAMILIES: Record<number, string> = { 2: NORMAL, 3: CODE, 6: NORMAL, 7: NORMAL, 8: CODE, 9: NORMAL }

/** Width of an average letter and of wide ones, and offset of the baseline, as fractions of the font size. */
const LETTER_WIDTH = 0.55
const WIDE_LETTER_WIDTH = 0.65
const BASELINE = 0.35
/** Space between text and the edge of its container. */
const PADDING = 5
/** Lines rendered per text. */
const MAX_LINES = 200

/** @param container  the shape that the text is bound to; the text is centered in it, whatever its own position */
export function textSvg(element: NormalizedElement, container?: Box): string {
  const { source } = element
  const size = clampNumber(source.fontSize, 20, 1, 2_000)
  const availableWidth = container === undefined ? undefined : Math.max(container.width - 2 * PADDING, size)
  const lines = wrapText(
    boundedString(source.text) ?? '',
    availableWidth === undefined ? Infinity : availableWidth / (size * LETTER_WIDTH),
  )
  const lineHeight = size * clampNumber(source.lineHeight, 1.25, 0.5, 5)
  const height = lineHeight * lines.length
  const place = container ?? element
  const align = source.textAlign ?? (container === undefined ? 'left' : 'center')
  const top = textTop(source.verticalAlign ?? (container === undefined ? 'top' : 'middle'), place, height, container)
  const inner = container === undefined ? 0 : PADDING
  const x = align === 'center' ? place.width / 2 : align === 'right' ? place.width - inner : inner
  const anchor = align === 'center' ? 'middle' : align === 'right' ? 'end' : 'start'
  const family = FAMILIES[clampNumber(source.fontFamily, 1)] ?? HAND
  const style = `font-family="${family}, ${NORMAL}" font-size="${round(size)}" text-anchor="${anchor}" ${paintAttributes('fill', toColor(source.strokeColor, '#1e1e1e'))}`
  const rows = lines.map((line, index) => {
    if (line.trim() === '') return ''
    const y = top + lineHeight * (index + 0.5) + size * BASELINE
    return `<text x="${round(x)}" y="${round(y)}" xml:space="preserve">${escapeXml(line)}</text>`
  })
  return `<g ${style}>${rows.join('')}</g>`
}

function textTop(align: unknown, { height: availableHeight }: Box, height: number, container: Box | undefined): number {
  if (container === undefined || align === 'top') return container === undefined ? 0 : PADDING
  return align === 'bottom' ? availableHeight - height - PADDING : (availableHeight - height) / 2
}

/** Splits text into lines. Lines far too long for their container are wrapped, as Excalidraw does. */
function wrapText(text: string, lettersPerLine: number): string[] {
  const lines: string[] = []
  for (const line of text.replace(/\r\n?/g, '\n').replaceAll('\t', '  ').split('\n')) {
    // Letters vary in width, so wrap only lines that clearly do not fit.
    if (line.length <= lettersPerLine * 1.3) lines.push(line)
    else lines.push(...wrapLine(line, lettersPerLine))
  }
  return lines.slice(0, MAX_LINES)
}

function wrapLine(line: string, lettersPerLine: number): string[] {
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= lettersPerLine) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Estimates the size of text without a stored size. */
export function estimateTextSize({ text, source, width, height }: NormalizedElement): {
  width: number
  height: number
} {
  const size = clampNumber(source.fontSize, 20, 1, 2_000)
  const lines = text.split('\n')
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0)
  return {
    width: Math.max(width, longest * size * WIDE_LETTER_WIDTH),
    height: Math.max(height, lines.length * size * 1.25),
  }
}

/** Estimates the size of text on a whiteboard and where its lines break, without a browser to measure it. */

/** In pixels. */
export interface TextSize {
  width: number
  height: number
}

/** Excalidraw's defaults. */
export const FONT_SIZE = 20
export const LINE_HEIGHT = 1.25
/** Excalidraw's number for its hand-drawn font, Excalifont. */
export const FONT_FAMILY = 5

/** Advance widths of the printable ASCII characters in Excalifont, in hundredths of the font size. */
const ASCII_WIDTHS = [
  [26, 31, 37, 78, 72, 93, 72, 22, 44, 40, 52, 55, 26, 41, 27, 56, 66, 43, 70, 61, 58, 62, 64, 56, 64, 63, 26, 30],
  [55, 55, 55, 47, 83, 68, 76, 63, 78, 71, 66, 78, 57, 54, 57, 61, 54, 77, 63, 77, 70, 77, 74, 62, 86, 73, 59, 79],
  [63, 56, 83, 47, 59, 50, 51, 67, 60, 58, 55, 50, 60, 54, 50, 55, 57, 24, 33, 53, 22, 66, 53, 60, 54, 54, 41, 54],
  [55, 55, 52, 69, 59, 53, 57, 50, 30, 54, 67],
].flat()
const FIRST_ASCII = 32
/**
 * The width of other letters, and a pattern for characters that are as wide as they are high: Chinese, Japanese,
 * Korean, emoji.
 */
const OTHER_WIDTH = 60
const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Extended_Pictographic}]/u
const NO_WIDTH = /\p{M}/u

function characterWidth(character: string): number {
  const known = ASCII_WIDTHS[character.charCodeAt(0) - FIRST_ASCII]
  if (known !== undefined) return known
  if (NO_WIDTH.test(character)) return 0
  return WIDE.test(character) ? 100 : OTHER_WIDTH
}

function lineWidth(line: string, fontSize: number): number {
  let hundredths = 0
  for (const character of line) hundredths += characterWidth(character)
  return (hundredths * fontSize) / 100
}

/** @param text  lines separated by line feeds */
export function measureText(text: string, fontSize: number, lineHeight: number): TextSize {
  const lines = text.split('\n')
  const width = lines.reduce((widest, line) => Math.max(widest, lineWidth(line, fontSize)), 0)
  return { width: Math.round(width * 100) / 100, height: lines.length * fontSize * lineHeight }
}

/**
 * Breaks lines between words if they are too wide. A word that is too wide on its own gets its own line.
 *
 * @param maxWidth  in pixels; a negative value means no limit, as for shapes that grow with their text
 */
export function wrapText(text: string, fontSize: number, maxWidth: number): string {
  if (maxWidth < 0) return text
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, fontSize, maxWidth))
    .join('\n')
}

function wrapLine(line: string, fontSize: number, maxWidth: number): string[] {
  const space = lineWidth(' ', fontSize)
  const lines: string[] = []
  let [current, width]: [string | undefined, number] = [undefined, 0]
  for (const word of line.split(' ')) {
    const wordWidth = lineWidth(word, fontSize)
    if (current !== undefined && width + space + wordWidth > maxWidth) {
      lines.push(current)
      current = undefined
    }
    ;[current, width] = current === undefined ? [word, wordWidth] : [`${current} ${word}`, width + space + wordWidth]
  }
  return [...lines, current ?? '']
}

/** Parses SVG with WebAssembly, which cannot crash the process the way native code could. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { Fonts } from './fonts.ts'

const { resolve } = createRequire(import.meta.url)
const ready = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))
const fontsByFolder = new Map<string | undefined, Fonts>()

export interface SvgImage {
  /** Has to be freed: the garbage collector does not track WebAssembly memory. */
  image: InstanceType<typeof Resvg>
  /** Characters that no font has: they are drawn as boxes. */
  missing: string[]
}

/**
 * Loads WebAssembly when this module is imported, so import it in a worker thread.
 *
 * @param fontFolder  with fonts for characters that the bundled ones lack, besides those of the system
 */
export async function parseSvg(svg: string, fontFolder?: string): Promise<SvgImage> {
  await ready
  const fonts = fontsByFolder.get(fontFolder) ?? new Fonts(fontFolder)
  fontsByFolder.set(fontFolder, fonts)
  const { fonts: fontBuffers, missing } = fonts.find(svg)
  const image = new Resvg(withBoxes(svg, missing), { font: { fontBuffers, defaultFontFamily: 'DejaVu Sans' } })
  return { image, missing }
}

/** A character that no font has keeps resvg from looking for fonts for those beside it. */
function withBoxes(svg: string, missing: readonly string[]): string {
  if (missing.length === 0) return svg
  const without = new Set(missing)
  return svg.replace(/[^\0-\x7f]/gu, (character) => (without.has(character) ? BOX : character))
}

const BOX = '□'

/** Rasterizes SVG to PNG with WebAssembly, which cannot crash the process the way native code could. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { readFonts } from './fonts.ts'

const { resolve } = createRequire(import.meta.url)
const FONTS = { fontBuffers: readFonts(), defaultFontFamily: 'DejaVu Sans' }
const ready = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))

/** Loads fonts and WebAssembly when this module is imported, so import it in a worker thread. */
export async function svgToPng(svg: string): Promise<Uint8Array> {
  await ready
  const image = new Resvg(svg, { font: FONTS })
  const rendered = image.render()
  const png = rendered.asPng()
  // The garbage collector does not track WebAssembly memory.
  rendered.free()
  image.free()
  return png
}

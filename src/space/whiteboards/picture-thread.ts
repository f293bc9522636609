/**
 * The thread on which whiteboards are drawn. What rasterises is WebAssembly: a drawing that it cannot bear ends this
 * thread, where native code would end the whole program, and it can be stopped at any moment.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { answerInWorker } from '../../thread.ts'
import { readFonts } from './fonts.ts'
import type { PngWorkerInput } from './picture.ts'
import { renderWhiteboardSvg } from './svg.ts'

const { resolve } = createRequire(import.meta.url)
const FONTS = { fontBuffers: readFonts(), defaultFontFamily: 'DejaVu Sans' }
const ready = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))

answerInWorker(async ({ elements, assets, maxWidth, background }: PngWorkerInput) => {
  const svg = renderWhiteboardSvg(JSON.parse(elements), JSON.parse(assets), maxWidth, background)
  await ready
  const image = new Resvg(svg, { font: FONTS })
  const drawn = image.render()
  const png = drawn.asPng()
  // WebAssembly's memory is not swept by the engine.
  drawn.free()
  image.free()
  return png
})

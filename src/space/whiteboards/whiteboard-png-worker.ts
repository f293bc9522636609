/**
 * The worker thread that renders whiteboards. It can be stopped at any time, and a drawing that crashes it only ends
 * this thread.
 */
import { RENDER_HEIGHT, RENDER_PATH_LENGTH, RENDER_PIXELS } from '../../base/limits.ts'
import { answerInWorker } from '../../base/worker.ts'
import { svgToPng } from '../../render/svg-to-png.ts'
import { renderWhiteboardSvg } from '../../render/whiteboard-svg.ts'
import type { PngWorkerInput } from './whiteboard-png.ts'

const SVG_LIMITS = {
  maxHeight: RENDER_HEIGHT,
  maxPathLength: RENDER_PATH_LENGTH,
  maxImagePixels: RENDER_PIXELS,
}

answerInWorker(async ({ elements, assets, maxWidth, background, fontFolder }: PngWorkerInput) => {
  const options = { ...SVG_LIMITS, maxWidth, background }
  return svgToPng(renderWhiteboardSvg(JSON.parse(elements), JSON.parse(assets), options), fontFolder)
})

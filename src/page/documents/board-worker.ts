/** The worker thread that renders whiteboards for the pages. */
import { RENDER_OUTLINED_LENGTH, RENDER_PATH_LENGTH, RENDER_PIXELS } from '../../base/limits.ts'
import { answerInWorker } from '../../base/worker.ts'
import { svgToOutlines } from '../../render/svg-to-outlines.ts'
import { renderWhiteboardSvg } from '../../render/whiteboard-svg.ts'
import type { BoardWorkerInput } from './board-picture.ts'

/** The initial size in pixels. The drawing is a vector image, so it can be enlarged. */
const SIZE = 2_000

const OPTIONS = {
  maxWidth: SIZE,
  maxHeight: SIZE,
  maxPathLength: RENDER_PATH_LENGTH,
  maxImagePixels: RENDER_PIXELS,
  // Scripts that edit the board find its elements by name.
  namesElements: true,
}

answerInWorker(async ({ elements, assets, background, fontFolder }: BoardWorkerInput): Promise<string> => {
  const svg = renderWhiteboardSvg(JSON.parse(elements), JSON.parse(assets), { ...OPTIONS, background })
  const textLength = svg.replace(/<[^>]*>/g, '').length
  return textLength > RENDER_OUTLINED_LENGTH ? svg : svgToOutlines(svg, fontFolder)
})

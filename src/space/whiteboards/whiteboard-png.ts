/**
 * Renders whiteboards as PNG in a worker thread. The renderer is only loaded for the first image, and no whiteboard,
 * however large or malicious, blocks other calls.
 */
import { extname } from 'node:path'
import { RENDER_ELEMENTS, RENDER_SECONDS, RENDER_WIDTH } from '../../base/limits.ts'
import { WorkerThread } from '../../base/worker.ts'
import type { Rasterized } from '../../render/svg-to-png.ts'
import type { JsonObject } from './element-input.ts'

export interface PngOptions {
  /** In pixels. */
  maxWidth?: number
  /** Background color. White if it is not a valid color. */
  background?: unknown
  /** Folder of additional fonts, for characters that neither the bundled fonts nor those of the system contain. */
  fontFolder?: string | undefined
}

export interface WhiteboardPng {
  png: Buffer
  /** Characters that no available font contains. They are drawn as boxes. */
  missing: string[]
}

/** Input of the worker thread. JSON text is transferred to a worker faster than objects. */
export interface PngWorkerInput {
  elements: string
  assets: string
  maxWidth: number
  background: unknown
  fontFolder: string | undefined
}

/** Heap limit of the worker thread in megabytes, not counting WebAssembly memory. */
const MEMORY_LIMIT = 512

/**
 * The input for the first {@link RENDER_ELEMENTS} elements of a whiteboard.
 *
 * @param assets  Excalidraw's `files`. Images that are missing here are drawn as a crossed frame.
 */
export const pngInput = (
  elements: readonly JsonObject[],
  assets: JsonObject,
  { maxWidth = RENDER_WIDTH, background, fontFolder }: PngOptions = {},
): PngWorkerInput => ({
  elements: JSON.stringify(elements.slice(0, RENDER_ELEMENTS)),
  assets: JSON.stringify(assets),
  maxWidth,
  background: typeof background === 'string' ? background : undefined,
  fontFolder,
})

/** Renders a whiteboard. Call it outside of transactions. @throws Error if it takes longer than {@link RENDER_SECONDS} */
export async function renderWhiteboardPng(input: PngWorkerInput): Promise<WhiteboardPng> {
  const { result: answer } = await worker.run(input, RENDER_SECONDS * 1000)
  if (answer === 'timeout') throw new Error(`Expected a board that is drawn within ${RENDER_SECONDS} seconds.`)
  return { png: Buffer.from(answer.png), missing: answer.missing }
}

// Renders one whiteboard at a time: a second thread would only compete for the processor. The worker file is next to
// this one and has the same extension, in the sources and in the build. Exceeding the memory limit ends the thread, not
// the program.
const worker = new WorkerThread<PngWorkerInput, Rasterized>(
  new URL(`whiteboard-png-worker${extname(import.meta.filename)}`, import.meta.url),
  { maxOldGenerationSizeMb: MEMORY_LIMIT },
)

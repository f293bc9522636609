/**
 * Draws whiteboards as PNG on a thread of its own: nothing of it is loaded before the first picture, and no board,
 * however large or hostile, holds up other calls.
 */
import { extname } from 'node:path'
import { RENDER_ELEMENTS, RENDER_SECONDS, RENDER_WIDTH } from '../../base/limits.ts'
import { WorkerThread } from '../../base/worker.ts'
import type { Rasterized } from '../../render/svg-to-png.ts'
import type { JsonObject } from './element-input.ts'

export interface PngOptions {
  /** Pixels. */
  maxWidth?: number
  /** What the board is painted with; white where it is no colour. */
  background?: unknown
  /** With fonts for characters that the bundled ones lack, besides those of the system. */
  fontFolder?: string | undefined
}

export interface WhiteboardPng {
  png: Buffer
  /** Characters that no font has: they are drawn as boxes. */
  missing: string[]
}

/** What the thread is asked: JSON as text is handed over faster than objects are. */
export interface PngWorkerInput {
  elements: string
  assets: string
  maxWidth: number
  background: unknown
  fontFolder: string | undefined
}

/** Megabytes that drawing may take, besides those of WebAssembly. */
const MEMORY_LIMIT = 512

/**
 * The first {@link RENDER_ELEMENTS} elements of a board, as they lie.
 *
 * @param assets  Excalidraw's `files`; what is not in them is drawn as a crossed frame
 * @throws Error when it takes longer than {@link RENDER_SECONDS}
 */
export async function renderWhiteboardPng(
  elements: readonly JsonObject[],
  assets: JsonObject,
  options: PngOptions = {},
): Promise<WhiteboardPng> {
  const input: PngWorkerInput = {
    elements: JSON.stringify(elements.slice(0, RENDER_ELEMENTS)),
    assets: JSON.stringify(assets),
    maxWidth: options.maxWidth ?? RENDER_WIDTH,
    background: typeof options.background === 'string' ? options.background : undefined,
    fontFolder: options.fontFolder,
  }
  const { result: answer } = await worker.run(input, RENDER_SECONDS * 1000)
  if (answer === 'timeout') throw new Error(`Expected a board that is drawn within ${RENDER_SECONDS} seconds.`)
  return { png: Buffer.from(answer.png), missing: answer.missing }
}

// One board after another: a second thread would only take the processor from the first. The file beside this one, as
// source or as built; what needs more memory ends the thread, and not the program.
const worker = new WorkerThread<PngWorkerInput, Rasterized>(
  new URL(`whiteboard-png-worker${extname(import.meta.filename)}`, import.meta.url),
  { maxOldGenerationSizeMb: MEMORY_LIMIT },
)

/**
 * Draws whiteboards as PNG on a thread of its own: nothing of it is loaded before the first picture, and no board,
 * however large or hostile, holds up other calls.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PICTURE_ELEMENTS, PICTURE_SECONDS, PICTURE_WIDTH } from '../../limits.ts'
import type { Json } from './input.ts'

export interface PictureOptions {
  /** Pixels. */
  maxWidth?: number
  /** What the board is painted with; white where it is no colour. */
  background?: unknown
}

/** What the thread is asked: JSON as text is handed over faster than objects are. */
export interface PictureAsked {
  elements: string
  assets: string
  maxWidth: number
  background: unknown
}

/** Milliseconds after which an idle thread is given up; the next picture starts another. */
const IDLE = 10_000
/** Megabytes that drawing may take, besides those of WebAssembly. */
const MEMORY = 512

/**
 * The first {@link PICTURE_ELEMENTS} elements of a board, as they lie.
 *
 * @param assets  Excalidraw's `files`; what is not in them is drawn as a crossed frame
 * @throws Error when it takes longer than {@link PICTURE_SECONDS}
 */
export function drawBoard(elements: readonly Json[], assets: Json, options: PictureOptions = {}): Promise<Buffer> {
  const asked: PictureAsked = {
    elements: JSON.stringify(elements.slice(0, PICTURE_ELEMENTS)),
    assets: JSON.stringify(assets),
    maxWidth: options.maxWidth ?? PICTURE_WIDTH,
    background: typeof options.background === 'string' ? options.background : undefined,
  }
  return inTurn(() => drawOnThread(asked))
}

let last: Promise<unknown> = Promise.resolve()

/** One board after another: a second thread would only take the processor from the first. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

async function drawOnThread(asked: PictureAsked): Promise<Buffer> {
  clearTimeout(idle)
  thread ??= startThread()
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const tooSlow = () => reject(new Error(`Expected a board that is drawn within ${PICTURE_SECONDS} seconds.`))
  const deadline = setTimeout(tooSlow, PICTURE_SECONDS * 1000)
  thread.once('message', resolve).once('error', reject)
  thread.postMessage(asked)
  try {
    return Buffer.from(await promise)
  } catch (error) {
    endThread()
    throw error
  } finally {
    clearTimeout(deadline)
    thread?.off('message', resolve).off('error', reject)
    idle = setTimeout(endThread, IDLE).unref()
  }
}

function startThread(): Worker {
  // The file beside this one, as source or as built.
  const file = new URL(`picture-thread${extname(import.meta.filename)}`, import.meta.url)
  // What needs more memory ends the thread, and not the program.
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
  worker.unref()
  return worker
}

// Not waited for: a thread in the middle of a picture ends once that is done.
function endThread(): void {
  const ending = thread
  thread = undefined
  ending?.once('error', () => {})
  void ending?.terminate()
}

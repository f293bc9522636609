/** Renders whiteboards as SVG in a worker thread, since a board may be large or hostile. */

import { extname } from 'node:path'
import { RENDER_ELEMENTS, RENDER_SECONDS } from '../../base/limits.ts'
import { WorkerThread } from '../../base/worker.ts'
import type { BoardContent } from '../page-tools.ts'

/** The input of the worker. Passing JSON as text is faster than passing objects. */
export interface BoardWorkerInput {
  elements: string
  assets: string
  background: string | undefined
  fontFolder: string | undefined
}

/** Memory limit for drawing in megabytes, without WebAssembly. */
const MEMORY_LIMIT = 512

/** @returns undefined for a board that takes too long */
export async function drawBoard(
  { elements, assets = {}, appState }: BoardContent,
  fontFolder: string | undefined,
): Promise<string | undefined> {
  const { viewBackgroundColor: background } = (appState ?? {}) as { viewBackgroundColor?: unknown }
  const { result } = await worker.run(
    {
      elements: JSON.stringify(elements.slice(0, RENDER_ELEMENTS)),
      assets: JSON.stringify(assets),
      background: typeof background === 'string' ? background : undefined,
      fontFolder,
    },
    RENDER_SECONDS * 1000,
  )
  return result === 'timeout' ? undefined : result
}

const worker = new WorkerThread<BoardWorkerInput, string>(
  new URL(`board-worker${extname(import.meta.filename)}`, import.meta.url),
  { maxOldGenerationSizeMb: MEMORY_LIMIT },
)

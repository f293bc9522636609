/** Real drawings that people made in Excalidraw. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Answer, Connected } from './connect.ts'
import { documentOf } from './document.ts'

export type Drawn = Record<string, unknown> & { id: string; type: string }

export interface Drawing {
  name: string
  elements: Drawn[]
}

interface Library {
  library?: Drawn[][]
  libraryItems?: { elements: Drawn[] }[]
}

const FOLDER = join(import.meta.dirname, 'data/excalidraw')

/** Every drawing of every library, named after its file and its position in it. */
export const DRAWINGS: readonly Drawing[] = globSync('*.excalidrawlib', { cwd: FOLDER })
  .sort()
  .flatMap((file) => {
    const { library = [], libraryItems = [] } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Library
    const drawings = [...library, ...libraryItems.map(({ elements }) => elements)]
    return drawings.map((elements, index) => ({ name: `${basename(file, '.excalidrawlib')} ${index + 1}`, elements }))
  })

export const drawing = (name: string): Drawn[] => {
  const found = DRAWINGS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`Expected a drawing, found none named ${name}.`)
  return found.elements
}

/** Creates a whiteboard with these elements in a new document. Returns its ID. */
export async function boardOf(connected: Connected, elements: readonly object[] = [], more: object = {}) {
  const pageId = await documentOf(connected)
  const position = { position: 'end', pageId }
  const { whiteboardBlockId }: Answer = await connected.call('whiteboards_add', { position })
  for (let start = 0; start < elements.length; start += 500) {
    const part = elements.slice(start, start + 500)
    await connected.call('elements_add', { whiteboardBlockId, elements: part, answer: 'changed', ...more })
  }
  return { pageId, whiteboardBlockId: whiteboardBlockId as string }
}

/** Converts Excalidraw drawings to whiteboard content. */
import type { ImportDrawing } from '../../space/import/imported-content.ts'
import { readSourceFile, type SourceFile } from '../import-source.ts'

/** Maximum size of a drawing in bytes, including its images. */
const DRAWING_BYTES = 64 * 1024 * 1024

/** Returns the path of the drawing that Excalidraw exported to an image: `a.excalidraw` for `a.excalidraw.svg`. */
export const drawingOfPicture = (path: string): string | undefined => /^(.+\.excalidraw)\.(?:svg|png)$/i.exec(path)?.[1]

export const isDrawing = (path: string): boolean => /\.excalidraw$/i.test(path)

/** @throws Error if the file is not a drawing */
export async function readDrawing(file: SourceFile): Promise<ImportDrawing> {
  return parseDrawing((await readSourceFile(file, DRAWING_BYTES)).toString('utf8'))
}

/** @throws Error if the text is not a drawing */
export function parseDrawing(text: string): ImportDrawing {
  const drawing: unknown = JSON.parse(text)
  if (!isObject(drawing) || !Array.isArray(drawing.elements)) {
    throw new Error('Expected a drawing of Excalidraw, found something else.')
  }
  const { elements, files, appState } = drawing
  return {
    elements: elements.filter((element) => isObject(element) && element.isDeleted !== true),
    ...(isObject(files) && Object.keys(files).length > 0 && { assets: files }),
    ...(isObject(appState) && Object.keys(appState).length > 0 && { appState }),
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

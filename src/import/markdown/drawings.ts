/** Converts Excalidraw drawings to whiteboard content. */
import { isObject } from '../../base/is-object.ts'
import { IMPORT_JSON_BYTES } from '../../base/limits.ts'
import type { ImportDrawing } from '../../space/import/imported-content.ts'
import { prepareDrawing } from '../../space/import/prepare-drawing.ts'
import { readSourceFile, type SourceFile } from '../import-source.ts'
import { parseJson } from '../parse-json.ts'

/** Returns the path of the drawing that Excalidraw exported to an image: `a.excalidraw` for `a.excalidraw.svg`. */
export const drawingOfPicture = (path: string): string | undefined => /^(.+\.excalidraw)\.(?:svg|png)$/i.exec(path)?.[1]

export const isDrawing = (path: string): boolean => /\.excalidraw$/i.test(path)

/** @throws Error if the file is not a drawing */
export async function readDrawing(file: SourceFile): Promise<ImportDrawing> {
  return parseDrawing((await readSourceFile(file, IMPORT_JSON_BYTES)).toString('utf8'))
}

/** @throws Error if the text is not a drawing */
export function parseDrawing(text: string): ImportDrawing {
  const drawing = parseJson(text)
  if (!isObject(drawing) || !Array.isArray(drawing.elements)) {
    throw new Error('Expected a drawing of Excalidraw, found something else.')
  }
  const { elements, files, appState } = drawing
  return prepareDrawing({
    elements: elements.filter((element) => isObject(element) && element.isDeleted !== true),
    ...(isObject(files) && { assets: files }),
    ...(isObject(appState) && { appState }),
  })
}

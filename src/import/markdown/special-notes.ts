/** Converts files of a vault that become documents but are not notes: canvases, Excalidraw drawings and Bases. */
import { isObject } from '../../base/is-object.ts'
import { IMPORT_JSON_BYTES } from '../../base/limits.ts'
import type { Block } from '../../markdown/block.ts'
import type { FrontMatter } from '../../markdown/front-matter.ts'
import { type ImportContent, type ImportDrawing, plainContent } from '../../space/import/imported-content.ts'
import { extensionOf, readSourceFile, type SourceFile } from '../import-source.ts'
import { parseJson } from '../parse-json.ts'
import { decodeBytes } from '../text-decoding.ts'
import { parseCanvas } from './canvas.ts'
import { parseDrawing } from './drawings.ts'
import type { NoteLink } from './note-links.ts'
import { unpackDrawing } from './packed-drawing.ts'

/** The kind of a file in a vault. */
export type NoteKind = 'note' | 'canvas' | 'drawing' | 'drawingNote' | 'base'

const KINDS: ReadonlyMap<string, NoteKind> = new Map(
  Object.entries({ canvas: 'canvas', excalidraw: 'drawing', base: 'base' }),
)

/** Returns the kind of a file by its extension. Returns undefined if it does not become a document. */
export const specialKind = (path: string): NoteKind | undefined => KINDS.get(extensionOf(path))

/** True for a Markdown note in which the Excalidraw plugin stores a drawing. */
export const isDrawingNote = ({ values }: FrontMatter): boolean => values['excalidraw-plugin'] !== undefined

/**
 * Returns links to the notes and files that a canvas shows.
 *
 * @returns an empty list if it cannot be read; converting it reports that
 */
export async function canvasLinks(file: SourceFile): Promise<NoteLink[]> {
  try {
    const { nodes } = parseJson(await readText(file)) as { nodes?: unknown }
    const files = Array.isArray(nodes) ? nodes.filter(isObject).map((node) => node.file) : []
    return files.filter((path) => typeof path === 'string').map((path) => canvasLink(path))
  } catch {
    return []
  }
}

const canvasLink = (target: string, anchor = ''): NoteLink => ({
  ...{ written: target, target, anchor: anchor.replace(/^#/, ''), isEmbed: true, isWiki: true },
})

/**
 * @param addressOf  returns the address of the document that a link leads to
 * @throws Error if the file does not have this format
 */
export async function convertSpecial(
  kind: Exclude<NoteKind, 'note'>,
  file: SourceFile,
  addressOf: (link: NoteLink) => string | undefined,
): Promise<ImportContent> {
  const text = await readText(file)
  if (kind === 'base') return contentOf({ type: 'code', text: text.replace(/\n$/, ''), language: 'yaml' })
  const drawing =
    kind === 'canvas'
      ? parseCanvas(text, (path, anchor) => addressOf(canvasLink(path, anchor)))
      : parseDrawing(kind === 'drawing' ? text : drawingIn(text))
  return contentOf({ type: 'whiteboard', text: '' }, drawing)
}

const readText = async (file: SourceFile): Promise<string> =>
  decodeBytes(await readSourceFile(file, IMPORT_JSON_BYTES)).text

const contentOf = (block: Block, drawing?: ImportDrawing): ImportContent => ({
  ...plainContent([block]),
  drawings: new Map(drawing === undefined ? [] : [[block, drawing]]),
})

/** Returns the JSON of a drawing in a note of the plugin, which may be compressed. @throws Error if there is none */
function drawingIn(text: string): string {
  const [, isPacked, json = ''] = /```(compressed-)?json\n([\s\S]*?)\n```/.exec(text.replace(/\r\n?/g, '\n')) ?? []
  const unpacked = isPacked === undefined ? json : unpackDrawing(json.replace(/\s+/g, ''))
  if (unpacked) return unpacked
  throw new Error('Expected a drawing of Excalidraw in the note, found none.')
}

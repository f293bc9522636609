/** Files of a vault that are documents and no notes: canvases, drawings of Excalidraw, and Bases. */
import lzString from 'lz-string'
import type { Block } from '../../markdown/block.ts'
import { type ImportContent, type ImportDrawing, plainContent } from '../../space/import/imported-content.ts'
import { decodeText, extensionOf, readSourceFile, type SourceFile } from '../import-source.ts'
import { parseCanvas } from './canvas.ts'
import { isObject, parseDrawing } from './drawings.ts'
import type { FrontMatter } from './front-matter.ts'
import type { NoteLink } from './note-links.ts'

/** What a file of a vault is. */
export type NoteKind = 'note' | 'canvas' | 'drawing' | 'drawingNote' | 'base'

const KINDS: Readonly<Record<string, NoteKind>> = { canvas: 'canvas', excalidraw: 'drawing', base: 'base' }

/** The kind of a file by its name; undefined for one that is no document. */
export const specialKind = (path: string): NoteKind | undefined => KINDS[extensionOf(path)]

/** Whether a note is a drawing of the Excalidraw plugin, which keeps it in Markdown. */
export const isDrawingNote = ({ values }: FrontMatter): boolean => values['excalidraw-plugin'] !== undefined

/** Bytes of a drawing, with its pictures. */
const DRAWING_BYTES = 64 * 1024 * 1024

/** What a canvas shows. @returns none for one that cannot be read, which is reported when it is converted */
export async function canvasLinks(file: SourceFile): Promise<NoteLink[]> {
  try {
    const { nodes } = JSON.parse(await readText(file)) as { nodes?: unknown }
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
 * @param addressOf  the address of the document that a link leads to
 * @throws Error for what is not of this kind
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

const readText = async (file: SourceFile): Promise<string> => decodeText(await readSourceFile(file, DRAWING_BYTES))

const contentOf = (block: Block, drawing?: ImportDrawing): ImportContent => ({
  ...plainContent([block]),
  drawings: new Map(drawing === undefined ? [] : [[block, drawing]]),
})

/** The JSON of a drawing in a note of the plugin, which may be packed. @throws Error where there is none */
function drawingIn(text: string): string {
  const [, isPacked, json = ''] = /```(compressed-)?json\n([\s\S]*?)\n```/.exec(text.replace(/\r\n?/g, '\n')) ?? []
  const unpacked = isPacked === undefined ? json : lzString.decompressFromBase64(json.replace(/\s+/g, ''))
  if (unpacked) return unpacked
  throw new Error('Expected a drawing of Excalidraw in the note, found none.')
}

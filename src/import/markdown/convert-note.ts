/** Converts a note to blocks: parses its text, and resolves links, images, tasks and marks. */
import { addToGroup } from '../../base/grouping.ts'
import { type Block, LIST_LEVELS } from '../../markdown/block.ts'
import { escapeCell } from '../../markdown/blocks/write-table.ts'
import { calloutLevels, continueDecorations, sharedCallouts } from '../../markdown/callout-levels.ts'
import { type InlineNode, isContainer } from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { writeInline } from '../../markdown/inline/write-inline.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { readMarkdownInWorker } from '../../markdown/markdown-in-worker.ts'
import { tableCellPlaces } from '../../markdown/table-cells.ts'
import { findAddresses, replaceAddresses } from '../../markdown/text-addresses.ts'
import {
  type ContentMaps,
  contentMaps,
  type ImportComment,
  type ImportContent,
  type ImportDrawing,
  type ImportFile,
} from '../../space/import/imported-content.ts'
import type { SourceFile } from '../import-source.ts'
import { isDrawing } from './drawings.ts'
import { extractMarks, hasMarks } from './note-marks.ts'
import { fileNumber, type NoteMark, type PreparedNote } from './prepare-note.ts'
import type { SourceEntry } from './source-entries.ts'
import { beginsWithText, endsWithText, trimmed, withoutPicture } from './text-around.ts'

/** The target of an address in a note. */
export type AddressEnd =
  | { address: string }
  | { file: ImportFile }
  | { drawing: SourceFile }
  /** A collection that is embedded in the note, and the address for links to it. */
  | { collection: SourceEntry; address: string }
  /** The target is not in the source, so the address stays unchanged. */
  | undefined

export interface ConvertContext {
  /** Files by the numbers that the prepared text uses for them. */
  files: readonly SourceFile[]
  /** @param isShown  true if the address is that of an image */
  endOf(address: string, isShown: boolean): AddressEnd
  /** Returns the ID of a block that others link to. */
  idOf(anchor: string): number | undefined
  /** Returns an ID for a block that only this note links to. */
  newId(): number
  /** Adds the drawing of a whiteboard to the content. */
  draw(block: Block, file: SourceFile, content: { drawings: Map<Block, ImportDrawing> }): Promise<void>
  /** Returns the collection that a file stands for, if it is embedded in this note. */
  collectionOf?(file: SourceFile): AddressEnd
  /** Adds the items of a collection to the content. */
  collect?(block: Block, entry: SourceEntry, content: ContentMaps): Promise<void>
  /** Called for each link to a note or file. */
  countLink(): void
  report(needle: string, message: string): void
}

/** @throws VALIDATION_ERROR if the text cannot be parsed as Markdown */
export async function convertNote(note: PreparedNote, context: ConvertContext): Promise<ImportContent> {
  const parsed = await readMarkdownInWorker(note.text)
  const converter = new NoteConverter(note, context)
  const blocks = converter.convert(parsed)
  for (const [block, file] of converter.drawings) await context.draw(block, file, converter.content)
  for (const [block, entry] of converter.collections) await context.collect?.(block, entry, converter.content)
  return { ...converter.content, blocks }
}

/**
 * Converts the blocks of a note without reading what it shows.
 *
 * @returns for each block also the one that it was made from
 */
export function convertBlocks(
  note: PreparedNote,
  parsed: readonly Block[],
  context: ConvertContext,
): { content: ImportContent; origins: ReadonlyMap<Block, Block>; drawings: ReadonlyMap<Block, SourceFile> } {
  const converter = new NoteConverter(note, context)
  const blocks = converter.convert(parsed)
  return { content: { ...converter.content, blocks }, origins: converter.origins, drawings: converter.drawings }
}

class NoteConverter {
  readonly content = contentMaps()
  /** Collection blocks with the entries that they are made from. */
  readonly collections = new Map<Block, SourceEntry>()
  /** Whiteboard blocks with the files of their drawings. */
  readonly drawings = new Map<Block, SourceFile>()
  /** For each block, the one that it was made from. */
  readonly origins = new Map<Block, Block>()
  readonly #note: PreparedNote
  readonly #context: ConvertContext
  /** Blocks of files that the text links to, by file. */
  readonly #linkedFiles = new Map<ImportFile, Block>()
  /** File blocks that will be added after the block that links to them. */
  #pendingFiles: Block[] = []
  /** Comments before the first block. */
  #pendingComments: ImportComment[] = []

  constructor(note: PreparedNote, context: ConvertContext) {
    this.#note = note
    this.#context = context
  }

  convert(blocks: readonly Block[]): Block[] {
    const converted: Block[] = []
    let left: Block | undefined
    for (const block of blocks) {
      // A callout that began at a block which only held marks begins at the next one.
      const begun = calloutLevels(left).slice(0, sharedCallouts(left, block))
      left = undefined
      if (begun.length > 0) {
        block.decorations = { ...block.decorations, callout: [...begun, ...calloutLevels(block).slice(begun.length)] }
      }
      const marks = this.#extractMarks(block)
      if (marks.length > 0 && isEmptyText(block)) {
        this.#applyMarks(marks, converted.at(-1))
        left = block
        continue
      }
      const made = this.#block(block)
      const first = made[0]
      if (first !== undefined) this.#addComments(first, this.#pendingComments.splice(0))
      this.#applyMarks(marks, first)
      for (const inner of made) if (inner.content !== undefined) inner.content = this.convert(inner.content)
      for (const one of [...made, ...this.#filesAfter(block)]) {
        this.origins.set(one, block)
        converted.push(one)
      }
    }
    return converted
  }

  #extractMarks(block: Block): NoteMark[] {
    if (!hasMarks(block.text)) return []
    const { text, numbers } = extractMarks(block.text)
    // Parse and format again: a backslash or space before a mark, or at the end, may be written differently without the
    // mark.
    block.text = block.type === 'text' ? writeInline(readInline(text.replace(/ $/, '&#32;'))) : text
    return numbers.flatMap((number) => this.#note.marks[number] ?? [])
  }

  /** @param block  the block that contains the marks; for marks on their own, the block before them */
  #applyMarks(marks: readonly NoteMark[], block: Block | undefined): void {
    for (const mark of marks) {
      if (mark.kind === 'task') {
        if (block?.taskInfo !== undefined) block.taskInfo = { ...block.taskInfo, ...mark.taskInfo }
      } else if (mark.kind === 'blockers') {
        if (block?.taskInfo !== undefined) block.blockedBy = mark.ids
      } else if (mark.kind === 'reminder') {
        if (block !== undefined) this.content.reminders.set(block, mark.reminder)
      } else if (mark.kind === 'comment') {
        if (block === undefined) this.#pendingComments.push(mark.comment)
        else this.#addComments(block, [mark.comment])
      } else if (block !== undefined) {
        const id = this.#context.idOf(mark.anchor)
        if (id !== undefined && !this.content.ids.has(block)) this.content.ids.set(block, id)
      }
    }
  }

  #addComments(block: Block, comments: readonly ImportComment[]): void {
    if (comments.length === 0) return
    addToGroup(this.content.comments, block, ...comments)
  }

  /** Converts a block. The result is several blocks if there are images in its text. */
  #block(block: Block): Block[] {
    const conversion = CONVERSIONS[block.type]
    if (conversion === 'text') return this.#text(block)
    if (conversion === 'media') return [this.#media(block)]
    if (conversion === 'code') block.text = this.#restored(block.text)
    else if (conversion === 'table') block.text = this.#table(block.text)
    else if (conversion === 'title') block.text = this.#addresses(block.text)
    return [block]
  }

  /** Restores the original text of links inside code, where they must not be converted. */
  #restored(text: string): string {
    if (!text.includes('](')) return text
    let restored = text
    for (const [shown, written] of this.#note.replaced) restored = restored.replaceAll(shown, written)
    return restored
  }

  #media(block: Block): Block {
    const { url = '' } = block
    const end = this.#endOf(url, true)
    if (end === undefined) return block
    this.#context.countLink()
    if ('file' in end) {
      delete block.url
      this.content.files.set(block, end.file)
      return block
    }
    if ('collection' in end && ![...this.collections.values()].includes(end.collection)) {
      for (const key of ['url', 'altText', 'fileName'] as const) delete block[key]
      block.type = 'collection'
      this.collections.set(block, end.collection)
      return block
    }
    if ('drawing' in end) {
      for (const key of ['url', 'altText', 'fileName'] as const) delete block[key]
      block.type = 'whiteboard'
      this.drawings.set(block, end.drawing)
      return block
    }
    // An embedded note becomes a link.
    const text = block.altText ?? block.fileName ?? ''
    for (const key of ['url', 'altText', 'fileName'] as const) delete block[key]
    block.type = 'text'
    block.text = writeInline([
      {
        kind: 'link',
        url: end.address,
        title: '',
        marks: 0,
        spans: [{ kind: 'text', text: text || 'Note', marks: 0 }],
      },
    ])
    return block
  }

  #endOf(address: string, isShown: boolean): AddressEnd {
    const number = fileNumber(address)
    const file = number === undefined ? undefined : this.#context.files[number]
    if (file === undefined) return this.#context.endOf(address, isShown)
    const collection = isShown ? this.#context.collectionOf?.(file) : undefined
    return collection ?? (isShown && isDrawing(file.path) ? { drawing: file } : { file })
  }

  #text(block: Block): Block[] {
    if (!block.text.includes('](') && !block.text.includes('<')) return [block]
    const parts = this.#parts(block)
    return parts ?? [{ ...block, text: this.#addresses(block.text) }].map((one) => Object.assign(block, one))
  }

  /**
   * Splits a block at images in its text that are files of the source, and reports an image that stood in a line with
   * words. Without images, the block may be just a link to a file. Returns undefined if neither is the case.
   */
  #parts(block: Block): Block[] | undefined {
    if (!block.text.includes('![')) return this.#loneFile(block)
    const spans = readInline(block.text)
    const cuts = spans.map((span) => [...this.#picturesIn(span)])
    if (cuts.every((pictures) => pictures.length === 0)) return undefined
    const parts: Block[] = []
    let line: InlineNode[] = []
    const flush = () => {
      const text = writeInline(trimmed(line))
      line = []
      if (text === '') return
      parts.push(this.#partOf(block, parts.length === 0, { type: 'text', text: this.#addresses(text) }))
    }
    for (const [index, span] of spans.entries()) {
      const pictures = cuts[index] ?? []
      if (pictures.length === 0) {
        line.push(span)
        continue
      }
      if (endsWithText(spans[index - 1]) || beginsWithText(spans[index + 1])) {
        this.#context.report(
          this.#writtenAs(pictures[0]?.url ?? ''),
          'An image in a line with words is a block of its own.',
        )
      }
      if (span.kind !== 'image') line.push(withoutPicture(span))
      flush()
      for (const { alt, file } of pictures) {
        this.#context.countLink()
        const picture = this.#partOf(block, parts.length === 0, { type: 'image', text: '' })
        // The words around the images have their descriptions.
        if (span.kind === 'image' && alt !== '') picture.altText = alt
        this.content.files.set(picture, file)
        parts.push(picture)
      }
    }
    flush()
    return parts
  }

  /** Creates a part of a block that is split. The first part keeps the list style; the others are indented below it. */
  #partOf(block: Block, isFirst: boolean, fields: Pick<Block, 'type' | 'text'>): Block {
    const { listStyle, taskInfo, indentationLevel = 0, textStyle, ...others } = block
    const base = { ...others, ...fields }
    if (!isFirst && base.decorations !== undefined) base.decorations = continueDecorations(base.decorations)
    if (isFirst) {
      const styled = fields.type === 'text' && textStyle !== undefined ? { textStyle } : {}
      const listed = listStyle === undefined ? {} : { listStyle, ...(taskInfo !== undefined && { taskInfo }) }
      return { ...base, ...listed, ...styled, ...(indentationLevel > 0 && { indentationLevel }) }
    }
    const level = Math.min(LIST_LEVELS, indentationLevel + (listStyle === undefined ? 0 : 1))
    return { ...base, ...(level > 0 && { indentationLevel: level }) }
  }

  *#picturesIn(span: InlineNode): Generator<{ url: string; alt: string; file: ImportFile }> {
    if (span.kind === 'image') {
      const end = this.#endOf(span.url, true)
      if (end !== undefined && 'file' in end) yield { url: span.url, alt: span.alt, file: end.file }
    } else if (isContainer(span)) for (const inner of span.spans) yield* this.#picturesIn(inner)
  }

  /** The address as it stands in the source, where it may be that of a wiki link. */
  #writtenAs(address: string): string {
    const number = fileNumber(address)
    const path = number === undefined ? undefined : this.#context.files[number]?.path
    return path?.slice(path.lastIndexOf('/') + 1) ?? address
  }

  /** A paragraph that consists of one link to a file of the source becomes a file block. */
  #loneFile(block: Block): Block[] | undefined {
    if (block.taskInfo !== undefined || !/^\[(?:[^[\]\\]|\\.)*\]\(\S+\)$/.test(block.text)) return undefined
    const [span, ...more] = readInline(block.text)
    if (span?.kind !== 'link' || more.length > 0) return undefined
    const end = this.#endOf(span.url, false)
    if (end === undefined || !('file' in end)) return undefined
    this.#context.countLink()
    const file: Block = { ...block, type: 'file', text: '' }
    delete file.textStyle
    this.content.files.set(file, end.file)
    return [file]
  }

  #addresses(text: string): string {
    const addresses = findAddresses(text)
    if (addresses.length === 0) return text
    return replaceAddresses(text, addresses, ({ url, isPicture }) => this.#addressOf(url, isPicture))
  }

  #addressOf(url: string, isPicture: boolean): string {
    const end = this.#endOf(url, isPicture)
    if (end === undefined) return url
    this.#context.countLink()
    if ('address' in end) return end.address
    return `block://${this.#idOfLinked('file' in end ? end.file : end.drawing)}`
  }

  /** Returns the ID of the block for a file that the text links to. The block is added after the text block. */
  #idOfLinked(file: ImportFile): number {
    let block = this.#linkedFiles.get(file)
    if (block === undefined) {
      block = { type: 'file', text: '' }
      this.#linkedFiles.set(file, block)
      this.content.files.set(block, file)
      this.content.ids.set(block, this.#context.newId())
      this.#pendingFiles.push(block)
    }
    return this.content.ids.get(block) ?? 0
  }

  #filesAfter({ indentationLevel = 0, listStyle, decorations }: Block): Block[] {
    if (this.#pendingFiles.length === 0) return []
    const level = Math.min(LIST_LEVELS, indentationLevel + (listStyle === undefined ? 0 : 1))
    const files = this.#pendingFiles.splice(0)
    for (const file of files) {
      if (level > 0) file.indentationLevel = level
      if (decorations !== undefined) file.decorations = continueDecorations(decorations)
    }
    return files
  }

  /** Replaces an image in a cell with a link to a file block after the table, and reports that. */
  #table(text: string): string {
    // Process each cell on its own: a backtick in one cell does not pair with one in another.
    const addresses = tableCellPlaces(text).flatMap(({ cell, at }) =>
      findAddresses(cell).map((one) => ({ ...one, start: at + one.start, end: at + one.end })),
    )
    let linked = ''
    let done = 0
    for (const { url, start, end, isPicture } of addresses) {
      const shown = this.#addressOf(url, isPicture)
      if (shown === url) continue
      const bang = isPicture ? text.lastIndexOf('![', start) : -1
      if (bang >= done) {
        const label = text.slice(bang + 2, start)
        const name = this.#writtenAs(url)
        this.#context.report(name, 'An image in a cell is a link to the image, which is below the table.')
        // Without a description, nothing would be seen of the link.
        linked += `${text.slice(done, bang)}[${label.startsWith(']') ? escapeCell(literalText(name)) : ''}${label}`
      } else linked += text.slice(done, start)
      linked += shown
      done = end
    }
    return linked + text.slice(done)
  }
}

/** What is converted in a block of each type: its text, or for media the file at its address. */
const CONVERSIONS: Readonly<Record<Block['type'], 'text' | 'title' | 'code' | 'table' | 'media' | 'none'>> = {
  ...{ text: 'text', page: 'title', code: 'code', table: 'table' },
  ...{ image: 'media', video: 'media', file: 'media', drawing: 'media' },
  ...{ collectionItem: 'none', collection: 'none', whiteboard: 'none', richUrl: 'none', line: 'none' },
}

const isEmptyText = ({ type, text, listStyle }: Block): boolean =>
  type === 'text' && text.trim() === '' && listStyle === undefined

/** Escapes plain text as inline Markdown. */
export const literalText = (text: string): string => titleFromPlain(text)

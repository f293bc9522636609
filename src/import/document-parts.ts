/**
 * Passes a converted document from one thread to another in parts, since passing a large object at once blocks both. Its
 * blocks are numbered, and everything that belongs to a block names its number.
 */
import type { Block } from '../markdown/block.ts'
import {
  type ContentMaps,
  contentMaps,
  type ImportCollection,
  type ImportContent,
  type ImportDrawing,
  type ImportFile,
} from '../space/import/imported-content.ts'
import type { ConvertedDocument } from './import-format.ts'

/** A document without its blocks and what belongs to them. */
export type DocumentHead = Omit<ConvertedDocument, 'blocks' | keyof ContentMaps>

/** A file without its bytes, and its number in the document. */
type PassedFile = Omit<ImportFile, 'open'> & { number: number }

/** Data of blocks that is passed as it is. */
const PLAIN = ['ids', 'comments', 'reminders'] as const

export type DocumentPart =
  | { kind: 'block'; parent: number; block: Block; hasContent: boolean }
  | { [Key in (typeof PLAIN)[number]]: { kind: Key; of: number; value: MapValue<ImportContent[Key]> } }[
      | 'ids'
      | 'comments'
      | 'reminders']
  | { kind: 'file'; of: number; file: PassedFile }
  | { kind: 'drawing'; of: number; drawing: ImportDrawing }
  | { kind: 'elements'; of: number; elements: ImportDrawing['elements'] }
  | { kind: 'assets'; of: number; assets: ImportDrawing['assets'] }
  | { kind: 'collection'; of: number; collection: Omit<ImportCollection, 'values'> }
  | { kind: 'values'; of: number; item: number; values: Readonly<Record<string, unknown>> }

type MapValue<From> = From extends ReadonlyMap<Block, infer Value> ? Value : never

export interface PackedDocument {
  head: DocumentHead
  parts: DocumentPart[]
  /** By their numbers. */
  files: ImportFile[]
}

/** Elements in one part. */
const ELEMENTS_PER_PART = 500

export function packDocument(document: ConvertedDocument): PackedDocument {
  const { blocks, ids, files, comments, reminders, drawings, collections, ...head } = document
  const parts: DocumentPart[] = []
  const numbers = new Map<Block, number>()
  const waiting = blocks.map((block) => ({ block, parent: -1 })).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { content, ...block } = next.block
    const parent = numbers.size
    numbers.set(next.block, parent)
    parts.push({ kind: 'block', parent: next.parent, block, hasContent: content !== undefined })
    for (const inner of content?.toReversed() ?? []) waiting.push({ block: inner, parent })
  }
  const numberOf = (block: Block): number => numbers.get(block) ?? -1
  for (const [block, value] of ids) parts.push({ kind: 'ids', of: numberOf(block), value })
  for (const [block, value] of comments) parts.push({ kind: 'comments', of: numberOf(block), value })
  for (const [block, value] of reminders) parts.push({ kind: 'reminders', of: numberOf(block), value })
  const passed = new Map<ImportFile, PassedFile>()
  for (const [block, file] of files) {
    const { path, name, stamp, size } = file
    const found = passed.get(file) ?? { number: passed.size, path, name, stamp, size }
    passed.set(file, found)
    parts.push({ kind: 'file', of: numberOf(block), file: found })
  }
  for (const [block, { elements, assets, ...drawing }] of drawings) {
    const of = numberOf(block)
    parts.push({ kind: 'drawing', of, drawing: { ...drawing, elements: [], assets: [] } })
    for (let from = 0; from < elements.length; from += ELEMENTS_PER_PART) {
      parts.push({ kind: 'elements', of, elements: elements.slice(from, from + ELEMENTS_PER_PART) })
    }
    for (const asset of assets) parts.push({ kind: 'assets', of, assets: [asset] })
  }
  for (const [block, { values, ...collection }] of collections) {
    const of = numberOf(block)
    parts.push({ kind: 'collection', of, collection })
    for (const [item, given] of values) parts.push({ kind: 'values', of, item: numberOf(item), values: given })
  }
  return { head, parts, files: [...passed.keys()] }
}

/** Builds a document again from its parts, in their order. */
export class DocumentUnpacker {
  readonly #blocks: Block[] = []
  readonly #top: Block[] = []
  readonly #maps = contentMaps()
  readonly #values = new Map<number, Map<Block, Readonly<Record<string, unknown>>>>()
  readonly #files = new Map<number, ImportFile>()
  readonly #open: (file: PassedFile) => ImportFile['open']

  /** @param open  returns how the bytes of a file are read */
  constructor(open: (file: PassedFile) => ImportFile['open']) {
    this.#open = open
  }

  add(parts: readonly DocumentPart[]): void {
    for (const part of parts) part.kind === 'block' ? this.#addBlock(part) : this.#addData(part)
  }

  document(head: DocumentHead): ConvertedDocument {
    return { ...head, blocks: this.#top, ...this.#maps }
  }

  #addData(part: Exclude<DocumentPart, { kind: 'block' }>): void {
    const block = this.#block(part.of)
    const { ids, comments, reminders, files, drawings, collections } = this.#maps
    switch (part.kind) {
      case 'ids':
        ids.set(block, part.value)
        break
      case 'comments':
        comments.set(block, [...part.value])
        break
      case 'reminders':
        reminders.set(block, part.value)
        break
      case 'file':
        files.set(block, this.#file(part.file))
        break
      case 'drawing':
        drawings.set(block, part.drawing)
        break
      case 'elements':
        drawings.get(block)?.elements.push(...part.elements)
        break
      case 'assets':
        drawings.get(block)?.assets.push(...part.assets)
        break
      case 'collection': {
        const values = new Map()
        this.#values.set(part.of, values)
        collections.set(block, { ...part.collection, values })
        break
      }
      case 'values':
        this.#values.get(part.of)?.set(this.#block(part.item), part.values)
    }
  }

  #addBlock({ parent, block, hasContent }: DocumentPart & { kind: 'block' }): void {
    this.#blocks.push(block)
    if (hasContent) block.content = []
    if (parent < 0) this.#top.push(block)
    else this.#block(parent).content?.push(block)
  }

  #block(number: number): Block {
    const block = this.#blocks[number]
    if (block === undefined) throw new Error(`Expected block ${number} before what belongs to it.`)
    return block
  }

  /** One object for each file, since each is written once. */
  #file({ number, ...passed }: PassedFile): ImportFile {
    const file = this.#files.get(number) ?? { ...passed, open: this.#open({ number, ...passed }) }
    this.#files.set(number, file)
    return file
  }
}

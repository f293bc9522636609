/**
 * Reads the text of a note as an import of the export would read it, and finds which lines each block comes from. So two
 * texts can be compared by what they mean, whatever their spelling.
 */

import type { SourceFile } from '../../import/import-source.ts'
import { convertBlocks, literalText } from '../../import/markdown/convert-note.ts'
import { anchorOf, type IndexedFile, type NoteIndex } from '../../import/markdown/note-index.ts'
import { type NoteLink, parseAddressLink } from '../../import/markdown/note-links.ts'
import { prepareNote } from '../../import/markdown/prepare-note.ts'
import type { Block } from '../../markdown/block.ts'
import { readMarkdownLines } from '../../markdown/read-markdown.ts'
import { assertSafeBlocks } from '../../markdown/unsafe-addresses.ts'
import type { ImportComment, ImportContent } from '../../space/import/imported-content.ts'

/** A file of the export, as a target of links. */
export interface ExportedFile extends IndexedFile {
  /** For notes: the ID of the document, and those of its blocks by the anchors that links use for them. */
  id?: number
  anchors?: ReadonlyMap<string, number>
  /** For notes: their properties, if these may have other names for links. */
  yaml?: string
}

/** What a block says. */
export interface ReadBlock {
  block: Block
  /** All that an import reads of it, as JSON. */
  meaning: string
  /** The same without what a source may leave out: when a task was done, and who made a comment when. */
  outline: string
  /** True if nothing of that is there. */
  isOutline: boolean
}

/** Lines that belong together, with the blocks that they are read as: indexes, the last ones excluded. */
export interface Segment {
  lines: readonly [from: number, to: number]
  blocks: readonly [from: number, to: number]
}

export interface ReadText {
  /** With their line ends. */
  lines: string[]
  blocks: ReadBlock[]
  segments: Segment[]
}

export interface ReadingOptions {
  /** The path of the note in the export. */
  path: string
  index: NoteIndex<ExportedFile>
  /** The anchors of blocks in the note that links use, with their IDs. */
  anchors: ReadonlyMap<string, number>
  isVault: boolean
  /** True if our tags have their meaning. */
  isOwn: boolean
}

/** True if both say the same, but for what the source leaves out. */
export const hasSameContent = (source: ReadBlock | undefined, written: ReadBlock | undefined): boolean =>
  source !== undefined &&
  written !== undefined &&
  (source.meaning === written.meaning || (source.isOutline && source.outline === written.outline))

export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')
export const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

/**
 * @param body  the text after the front matter
 * @throws VALIDATION_ERROR if it cannot be read
 */
export function readText(body: string, options: ReadingOptions): ReadText {
  const { path, index, anchors, isVault, isOwn } = options
  const files: SourceFile[] = []
  const targetOf = (link: NoteLink) => {
    const found = index.find(link, path)
    if (found?.id === undefined) return found
    return { address: `block://${found.anchors?.get(anchorOf(link)) ?? found.id}` }
  }
  const prepared = prepareNote(withLineFeeds(body), {
    ...{ linesBefore: 0, isVault, isOwn, anchors: new Set(anchors.keys()), report: () => {} },
    resolve: (link) => {
      const target = targetOf(link)
      if (target === undefined) return { literal: literalText(link.written) }
      return 'address' in target ? target : { file: files.push(fileAt(target.path)) - 1 }
    },
    blockerAt: (address) => {
      const link = parseAddressLink(address, false)
      return link && index.find(link, path)?.anchors?.get(anchorOf(link))
    },
  })
  const { blocks: parsed, lines: starts } = readMarkdownLines(prepared.text)
  assertSafeBlocks(parsed)
  const startOf = new Map(parsed.map((block, at) => [block, (prepared.lines[starts[at] ?? 0] ?? 1) - 1]))
  let newIds = 0
  const { content, origins, drawings } = convertBlocks(prepared, parsed, {
    files,
    endOf: (address, isShown) => {
      const link = parseAddressLink(address, isShown)
      const target = link === undefined ? undefined : targetOf(link)
      return target === undefined || 'address' in target ? target : { file: fileAt(target.path) }
    },
    idOf: (anchor) => anchors.get(anchor),
    newId: () => ++newIds,
    draw: async () => {},
    countLink: () => {},
    report: () => {},
  })
  const reader = new MeaningReader(content, drawings)
  const lines = linesOf(body)
  const blocks = content.blocks.map((block) => reader.read(block))
  const segments: { lines: [number, number]; blocks: [number, number] }[] = []
  for (const [at, block] of content.blocks.entries()) {
    const start = startOf.get(origins.get(block) ?? block) ?? 0
    const last = segments.at(-1)
    if (last !== undefined && start <= last.lines[0]) last.blocks[1] = at + 1
    else {
      if (last !== undefined) last.lines[1] = start
      segments.push({ lines: [start, lines.length], blocks: [at, at + 1] })
    }
  }
  return { lines, blocks, segments }
}

/** Files are only compared by their paths, and not read. */
const fileAt = (path: string): SourceFile => ({
  ...{ path, name: path, stamp: path, size: 0 },
  open: () => {
    throw new Error(`Expected not to read ${path}.`)
  },
})

/** Fields that do not say anything, such as how a number was written, and those that are compared apart. */
const SPELLING: ReadonlySet<string> = new Set([
  'content',
  'asRead',
  'leadingNumber',
  'shortRows',
  'isIndentedCode',
  'taskInfo',
])
const FROM_FILE: ReadonlySet<string> = new Set(['type', 'fileName'])

class MeaningReader {
  readonly #content: ImportContent
  readonly #drawings: ReadonlyMap<Block, SourceFile>
  /** The paths of files, by the IDs of the blocks that show them. */
  readonly #files: ReadonlyMap<string, string>

  constructor(content: ImportContent, drawings: ReadonlyMap<Block, SourceFile>) {
    this.#content = content
    this.#drawings = drawings
    this.#files = new Map(
      [...content.files].flatMap(([block, { path }]) => {
        const id = content.ids.get(block)
        return id === undefined ? [] : [[String(id), path] as const]
      }),
    )
  }

  read(block: Block): ReadBlock {
    const outline: unknown[] = []
    const details: unknown[] = []
    this.#add(block, outline, details)
    const text = JSON.stringify(outline)
    return {
      ...{ block, outline: text, isOutline: details.length === 0 },
      meaning: details.length === 0 ? text : text + JSON.stringify(details),
    }
  }

  #add(block: Block, outline: unknown[], details: unknown[]): void {
    const { ids, files, comments, reminders } = this.#content
    const isFile = files.has(block)
    const fields: [string, unknown][] = Object.entries(block)
      // What shows a file is of the type of its bytes, and has its name.
      .filter(([key, value]) => value !== undefined && !SPELLING.has(key) && !(isFile && FROM_FILE.has(key)))
      .map(([key, value]) => [key, key === 'text' ? this.#text(block.text) : value])
    if (block.taskInfo !== undefined) {
      const { completedAt, canceledAt, ...others } = block.taskInfo
      fields.push(['taskInfo', Object.entries(others).sort()])
      const at = completedAt ?? canceledAt
      if (at !== undefined) details.push(['done', outline.length, at])
    }
    const file = files.get(block)?.path ?? this.#drawings.get(block)?.path
    const remarks = comments.get(block) ?? []
    outline.push([
      fields.sort(([one], [other]) => (one < other ? -1 : 1)),
      file ?? null,
      isFile ? null : (ids.get(block) ?? null),
      remarks.map(({ content }) => content),
      block.content?.length ?? 0,
    ])
    const reminder = reminders.get(block)
    if (reminder !== undefined) details.push(['reminder', outline.length, reminder])
    for (const comment of remarks.filter(isSigned))
      details.push(['comment', outline.length, Object.entries(comment).sort()])
    for (const inner of block.content ?? []) this.#add(inner, outline, details)
  }

  /** Links to blocks that show files are compared by the files. */
  #text(text: string): string {
    return this.#files.size === 0 ? text : text.replace(/block:\/\/(\d+)/g, (all, id) => this.#files.get(id) ?? all)
  }
}

const isSigned = ({ author, createdAt, resolvedAt }: ImportComment): boolean =>
  author !== undefined || createdAt !== undefined || resolvedAt !== undefined

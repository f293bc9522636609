/** Converts one note: resolves its links, and reports everything that is not imported unchanged. */
import { messageOf } from '../../base/errors.ts'
import type { VisibleItem } from '../../losses/visible-item.ts'
import type { Block } from '../../markdown/block.ts'
import { codeFields } from '../../markdown/blocks/code-block.ts'
import { type FrontMatter, readFrontMatter } from '../../markdown/front-matter.ts'
import {
  type ContentMaps,
  type ImportContent,
  type ImportDrawing,
  type ImportRelation,
  plainContent,
} from '../../space/import/imported-content.ts'
import { type CheckedEnd, checkLosses, fileEnd } from '../check-losses.ts'
import type { LinkTargets } from '../import-format.ts'
import { extensionOf, type ImportProblem, type SourceFile } from '../import-source.ts'
import { type ConvertedItem, convertCollection } from './convert-collection.ts'
import { convertNote, literalText } from './convert-note.ts'
import { drawingOfPicture, isDrawing, readDrawing } from './drawings.ts'
import { anchorOf, type NoteIndex } from './note-index.ts'
import { type NoteLink, parseAddressLink, parseWikiLink } from './note-links.ts'
import { packSource } from './packed-source.ts'
import { type PreparedNote, prepareNote, type ResolvedLink } from './prepare-note.ts'
import { idIn, type NoteFacts, readNoteText, type SourceEntry } from './source-entries.ts'

const LOST_WIKI_LINK = 'A link to a note or file that is not there is kept as text.'
const LOST_ANCHOR = 'A link to a heading or block that is not in its note leads to the note.'
/** How many characters of a link are repeated in the report. */
const SHOWN_LENGTH = 120
const shownAddress = (address: string): string => address.slice(0, SHOWN_LENGTH)

const isMdx = ({ path }: SourceEntry): boolean => extensionOf(path) === 'mdx'

/** The conversion of one note to blocks. */
export class NoteConversion {
  readonly problems: ImportProblem[] = []
  /** Relations of the collections in the note. */
  readonly relations: ImportRelation[] = []
  links = 0
  readonly #files: SourceFile[] = []
  /** Addresses without a target. Each is reported once. */
  readonly #lost = new Set<string>()
  readonly #entry: SourceEntry
  readonly #note: NoteFacts
  readonly #index: NoteIndex<SourceEntry>
  readonly #targets: LinkTargets

  constructor(entry: SourceEntry, note: NoteFacts, index: NoteIndex<SourceEntry>, targets: LinkTargets) {
    this.#entry = entry
    this.#note = note
    this.#index = index
    this.#targets = targets
  }

  async convert(front: FrontMatter, isVault: boolean) {
    const prepared = prepareNote(front.body, {
      linesBefore: front.lines,
      isVault,
      isOwn: front.own !== undefined,
      isMdx: isMdx(this.#entry),
      anchors: this.#note.wanted,
      resolve: (link, line) => this.#resolve(link, line, isVault),
      blockerAt: (address) => this.#blockerAt(address),
      report: (line, message, detail) => this.#report('changed', line, message, detail),
    })
    if (front.error !== undefined) this.#report('changed', 1, `Its properties are kept as they stand: ${front.error}.`)
    const content = await this.#read(prepared, front)
    // In an item from our own export, front matter contains its property values, so it is not shown.
    const isShown = front.text !== undefined && this.#note.item === undefined
    const blocks = isShown ? [frontMatterBlock(front), ...content.blocks] : content.blocks
    this.problems.push(...(await this.#check(front, content)))
    return { ...content, blocks }
  }

  /** What the blocks of the note lack. */
  #check({ body, lines, own }: FrontMatter, content: ImportContent): Promise<ImportProblem[]> {
    return checkLosses({
      ...{ path: this.#entry.path, source: body, linesBefore: lines, content },
      language: own !== undefined ? 'export' : isMdx(this.#entry) ? 'mdx' : 'note',
      ...{ endOf: (item) => this.#checkedEnd(item), problems: this.problems },
    })
  }

  #checkedEnd({ kind, value }: VisibleItem): CheckedEnd | undefined {
    const [, bang = '', inner] = /^(!?)\[\[(.*)\]\]$/.exec(value) ?? []
    const link = inner === undefined ? parseAddressLink(value, kind === 'image') : parseWikiLink(value, bang, inner)
    const found = link && this.#index.find(link, this.#entry.path)
    if (link === undefined || found === undefined) return inner === undefined ? { address: value } : undefined
    // Collections and drawings are no files in the note.
    if (link.isEmbed && (this.#showsCollection(found) || this.#drawingOf(found) !== undefined)) return undefined
    if (found.note === undefined) return { address: fileEnd(found.path) }
    const anchor = found.note.offered.has(anchorOf(link)) ? anchorOf(link) : ''
    const id = idIn(this.#targets, found, anchor) ?? idIn(this.#targets, found) ?? 0
    return { address: `block://${id}`, isLink: true }
  }

  /** Text that our Markdown parser rejects is kept as a code block. */
  async #read(prepared: PreparedNote, { body, lines }: FrontMatter) {
    const lineOf = (needle: string): number => {
      const at = body.indexOf(needle)
      return lines + (at < 0 ? 1 : body.slice(0, at).split('\n').length)
    }
    try {
      return await convertNote(prepared, {
        files: this.#files,
        endOf: (address, isShown) => this.#endOf(address, isShown, lineOf),
        idOf: (anchor) => idIn(this.#targets, this.#entry, anchor),
        newId: () => this.#targets.newId(),
        draw: (block, file, { drawings }) => this.#draw(block, file, drawings),
        collectionOf: (file) => {
          const found = this.#note.collections?.find((one) => one.file === file)
          return found === undefined ? undefined : this.#collectionEnd(found)
        },
        collect: (block, found, maps) => this.#collect(block, found, maps),
        countLink: () => this.links++,
        report: (needle, message) => this.#report('changed', lineOf(needle), message),
      })
    } catch (error) {
      this.#report('changed', lines + 1, `It is kept as code, since it could not be read: ${messageOf(error)}`)
      const code: Block = { type: 'code', text: body.replace(/\n$/, ''), language: 'markdown' }
      return plainContent([code])
    }
  }

  /** Resolves a wiki link. */
  #resolve(link: NoteLink, line: number, isVault: boolean): ResolvedLink {
    const found = this.#index.find(link, this.#entry.path)
    if (found === undefined) {
      if (isVault) this.#report('not found', line, LOST_WIKI_LINK, shownAddress(link.written))
      return { literal: literalText(link.written) }
    }
    const isShown = link.isEmbed && this.#showsCollection(found)
    if (found.note === undefined || isShown) return { file: this.#files.push(found.file) - 1 }
    if (link.isEmbed) {
      const what = found.note.kind === 'base' ? 'Base' : 'note'
      this.#report('changed', line, `An embedded ${what} became a link to it.`)
    }
    this.links++
    return { address: `block://${this.#idOf(found, link, line)}` }
  }

  #blockerAt(address: string): number | undefined {
    const link = parseAddressLink(address, false)
    const found = link && this.#index.find(link, this.#entry.path)
    const anchor = link === undefined ? '' : anchorOf(link)
    return found?.note?.offered.has(anchor) === true ? idIn(this.#targets, found, anchor) : undefined
  }

  #idOf(found: SourceEntry, link: NoteLink, line: number): number {
    const anchor = anchorOf(link)
    const isOffered = found.note?.offered.has(anchor) === true
    // In a link to a Base, the anchor is the name of a view, so it is not reported as missing.
    const isNote = found.note?.kind === 'note'
    if (anchor !== '' && anchor !== '#' && !isOffered && isNote) {
      this.#report('not found', line, LOST_ANCHOR, shownAddress(link.written))
    }
    return idIn(this.#targets, found, isOffered ? anchor : '') ?? idIn(this.#targets, found) ?? 0
  }

  /** Resolves the address of a Markdown link or image. */
  #endOf(address: string, isShown: boolean, lineOf: (needle: string) => number) {
    const link = parseAddressLink(address, isShown)
    if (link === undefined) return this.#reportLocal(address, lineOf)
    const found = this.#index.find(link, this.#entry.path)
    const line = () => lineOf(address)
    if (found === undefined) {
      return this.#reportLost(address, line, 'A link to a file that is not there is kept as it is.')
    }
    if (isShown && this.#showsCollection(found)) return this.#collectionEnd(found)
    if (found.note === undefined) {
      const drawing = isShown ? this.#drawingOf(found) : undefined
      return drawing === undefined ? { file: found.file } : { drawing }
    }
    return { address: `block://${this.#idOf(found, link, anchorOf(link) === '' ? 0 : line())}` }
  }

  #showsCollection(found: SourceEntry): boolean {
    return this.#note.collections?.includes(found) === true
  }

  #collectionEnd(found: SourceEntry) {
    return { collection: found, address: `block://${idIn(this.#targets, found) ?? 0}` }
  }

  async #collect(block: Block, entry: SourceEntry, maps: ContentMaps): Promise<void> {
    const converted = await convertCollection(block, entry, maps, {
      ...{ index: this.#index, targets: this.#targets },
      convertItem: (item) => convertEntry(item, this.#index, this.#targets, true),
    })
    this.relations.push(...converted.relations)
    this.problems.push(...converted.problems)
    this.links += converted.links
  }

  /** Returns the file of a drawing that is shown directly, or through an image that was exported from it. */
  #drawingOf({ path, file }: SourceEntry): SourceFile | undefined {
    if (isDrawing(path)) return file
    const drawing = drawingOfPicture(path)
    if (drawing === undefined) return undefined
    const found = this.#index.find(
      { written: '', target: `/${drawing}`, anchor: '', isEmbed: true, isWiki: false },
      path,
    )
    return found?.path === drawing ? found.file : undefined
  }

  async #draw(block: Block, file: SourceFile, drawings: Map<Block, ImportDrawing>): Promise<void> {
    try {
      drawings.set(block, await readDrawing(file))
    } catch (error) {
      this.problems.push({ path: file.path, kind: 'left out', message: messageOf(error) })
    }
  }

  #reportLocal(address: string, lineOf: (needle: string) => number): undefined {
    if (!/^file:/i.test(address)) return
    this.#reportLost(address, () => lineOf(address), 'A link to a file of this machine is kept as it is.')
  }

  #reportLost(address: string, line: () => number, message: string): undefined {
    if (address.startsWith('#') || this.#lost.has(address)) return
    this.#lost.add(address)
    this.#report('not found', line(), message, shownAddress(address))
  }

  #report(kind: ImportProblem['kind'], line: number, message: string, detail = ''): void {
    this.problems.push({ path: this.#entry.path, line, kind, message, ...(detail !== '' && { detail }) })
  }
}

/** Reads a note and converts it. @throws Error if it cannot be read */
export async function convertEntry(
  entry: SourceEntry,
  index: NoteIndex<SourceEntry>,
  targets: LinkTargets,
  isVault: boolean,
): Promise<ConvertedItem> {
  if (entry.note === undefined) throw new Error(`Expected a note at ${entry.path}.`)
  const { text, note, bytes } = await readNoteText(entry.file)
  const front = readFrontMatter(text)
  const conversion = new NoteConversion(entry, entry.note, index, targets)
  if (note !== undefined) conversion.problems.push({ path: entry.path, kind: 'changed', message: note })
  const content = await conversion.convert(front, isVault)
  const { relations, problems, links } = conversion
  const packed = packSource(bytes)
  return { content, front, relations, problems, links, ...(packed !== undefined && { packed }) }
}

/** Returns front matter as a code block, in its original form. */
export const frontMatterBlock = ({ text = '', language }: FrontMatter): Block => ({
  ...{ type: 'code', text },
  ...codeFields(language),
})

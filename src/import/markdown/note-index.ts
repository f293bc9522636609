/** Finds the note or file that a link refers to, by the rules of Obsidian and Markdown. */
import { extensionOf, stem } from '../import-source.ts'
import { anchorKey, type NoteLink } from './note-links.ts'

/** A possible target of links. */
export interface IndexedFile {
  path: string
  /** Additional names of a note. */
  aliases: readonly string[]
  isNote: boolean
}

/** Extensions of notes, which links may omit. If several files match, the earlier extension wins. */
const NOTE_EXTENSIONS: readonly string[] = ['md', 'markdown', 'mdx', 'canvas', 'excalidraw', 'base']
/** Notes that a link to their folder leads to. */
const FOLDER_NOTES: readonly string[] = ['readme.md', 'index.md', 'readme.mdx', 'index.mdx']

const fold = (text: string): string => text.normalize('NFC').toLowerCase()

/** Removes the extension of a note from a path. */
const withoutNoteExtension = (path: string): string =>
  NOTE_EXTENSIONS.includes(extensionOf(path)) ? path.slice(0, path.lastIndexOf('.')) : path

export class NoteIndex<File extends IndexedFile> {
  readonly #byPath = new Map<string, File>()
  /**
   * Files by shortened path: without the extension of a note, or, for folder notes, the path of the folder. Full paths
   * take precedence.
   */
  readonly #byShortPath = new Map<string, { file: File; rank: number }>()
  readonly #byName = new Map<string, File[]>()
  readonly #byAlias = new Map<string, File[]>()

  /** @param renamed  present paths by earlier ones, which lead to the same file where no other one has them now */
  constructor(files: Iterable<File>, renamed: ReadonlyMap<string, string> = new Map()) {
    for (const file of files) {
      const path = fold(file.path)
      this.#byPath.set(path, file)
      this.#shorten(path, file)
      const names = new Set([fold(nameOf(file.path)), ...(file.isNote ? [fold(stem(file.path))] : [])])
      for (const name of names) add(this.#byName, name, file)
      for (const alias of file.aliases) add(this.#byAlias, fold(alias), file)
    }
    for (const [former, path] of renamed) this.#addFormer(fold(former), this.#byPath.get(fold(path)))
  }

  #addFormer(former: string, file: File | undefined): void {
    if (file === undefined || this.#byPath.has(former)) return
    this.#byPath.set(former, file)
    const short = withoutNoteExtension(former)
    if (!this.#byShortPath.has(short)) this.#byShortPath.set(short, { file, rank: NOTE_EXTENSIONS.length })
    for (const name of new Set([nameOf(former), nameOf(short)])) {
      if (!this.#byName.has(name)) this.#byName.set(name, [file])
    }
  }

  /** @param from  path of the note that contains the link */
  find({ target, isWiki }: NoteLink, from: string): File | undefined {
    const plain = fold(target.replaceAll('\\', '/')).replace(/\/+$/, '')
    if (plain === '') return this.#byPath.get(fold(from))
    const relative = resolvePath(from, plain)
    const absolute = resolvePath('', plain.replace(/^\/+/, ''))
    const exact = isWiki && !plain.startsWith('.') ? [absolute, relative] : [relative, absolute]
    for (const path of exact) {
      const found = path === undefined ? undefined : this.#atPath(path)
      if (found !== undefined) return found
    }
    // A path that leads out of the source matches nothing.
    if (relative === undefined || absolute === undefined) return undefined
    return this.#byEnd(absolute, from) ?? (isWiki ? nearest(this.#byAlias.get(plain) ?? [], from) : undefined)
  }

  #atPath(path: string): File | undefined {
    return this.#byPath.get(path) ?? this.#byShortPath.get(path)?.file
  }

  #shorten(path: string, file: File): void {
    const note = NOTE_EXTENSIONS.findIndex((extension) => path.endsWith(`.${extension}`))
    const folderNote = FOLDER_NOTES.findIndex((name) => path.endsWith(`/${name}`))
    if (note >= 0) this.#offer(path.slice(0, path.lastIndexOf('.')), file, note)
    if (folderNote >= 0) this.#offer(path.slice(0, path.lastIndexOf('/')), file, NOTE_EXTENSIONS.length + folderNote)
  }

  #offer(short: string, file: File, rank: number): void {
    const known = this.#byShortPath.get(short)
    if (known === undefined || rank <= known.rank) this.#byShortPath.set(short, { file, rank })
  }

  /**
   * Returns the file whose path ends with the given one. If there are several, prefers a note in the same folder, then
   * the shortest path.
   */
  #byEnd(path: string, from: string): File | undefined {
    const candidates = this.#byName.get(nameOf(path)) ?? this.#byName.get(nameOf(withoutNoteExtension(path))) ?? []
    if (!path.includes('/')) return nearest(candidates, from)
    const end = `/${withoutNoteExtension(path)}`
    return nearest(
      candidates.filter((one) => {
        const whole = `/${fold(one.path)}`
        return whole.endsWith(`/${path}`) || withoutNoteExtension(whole).endsWith(end)
      }),
      from,
    )
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function add<File>(map: Map<string, File[]>, name: string, file: File): void {
  const list = map.get(name)
  if (list === undefined) map.set(name, [file])
  else list.push(file)
}

function nearest<File extends IndexedFile>(files: readonly File[], from: string): File | undefined {
  const folder = from.slice(0, from.lastIndexOf('/') + 1)
  const depth = ({ path }: File) => path.split('/').length
  const same = files.find(({ path, isNote }) => isNote && path.slice(0, path.lastIndexOf('/') + 1) === folder)
  if (same !== undefined) return same
  // Notes come before files of the same name, then the shortest path, then the first in alphabetical order.
  return [...files].sort(
    (one, other) =>
      Number(other.isNote) - Number(one.isNote) || depth(one) - depth(other) || (one.path < other.path ? -1 : 1),
  )[0]
}

/** Resolves a path relative to a note, in lower case. Returns undefined if it leads out of the source. */
function resolvePath(from: string, path: string): string | undefined {
  const parts = fold(from).split('/').slice(0, -1)
  if (path.startsWith('/')) parts.length = 0
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Returns the key of the block that a link leads to; empty for a whole note. */
export const anchorOf = ({ anchor }: NoteLink): string => anchorKey(anchor)

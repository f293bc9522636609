/** The target of an export: a folder or a zip archive. */
import type { DocumentState } from '../import/own/export-manifest.ts'

/** Something that was not exported unchanged, and why. */
export interface ExportProblem {
  /** The path of the file, or the title of the document. */
  path: string
  message: string
}

export interface ExportFile {
  /** Relative, with `/` as separator. */
  path: string
  /** Time of the last change, in milliseconds since 1970. */
  modifiedAt?: number
  /** SHA-256 of its bytes in hex, if known. */
  hash?: string
  size?: number
  /** The ID of the item, collection, whiteboard or file that it contains. */
  id?: number
  /** True if a different file at this path is kept without a report. */
  isOptional?: boolean
}

/** The state of a document that its files have. */
export type ExportedState = DocumentState

export interface ExportTarget {
  /** Writes a complete file. Leaves an existing file alone if it must not be overwritten. */
  write(file: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void>
  /** Keeps a file from the last export. @returns whether it exists and is unchanged */
  retain(path: string): Promise<boolean>
  /** Records which state of a document was exported, once all of its files are written. @param id  its ID */
  noteDocument(id: string, state: ExportedState): Promise<void>
  /** Completes the export. Files from an earlier export that this one did not write are deleted. */
  finish(): Promise<void>
  /** Cancels the export. */
  abort(): Promise<void>
  readonly counts: WrittenCounts
  readonly problems: ExportProblem[]
}

export interface WrittenCounts {
  written: number
  unchanged: number
  removed: number
  /** Existing files that no export wrote, or that were changed since. They were left alone. */
  kept: number
}

/** Device names on Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Characters that some system does not allow in file names, or that Obsidian links cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"/\\|?*#^[\]]/g
/** A length in bytes that every file system supports, leaving room for a number and an extension. */
const MAX_BYTES = 180

/**
 * Makes a name valid on every system: normalizes Unicode, avoids reserved names and characters, and limits the length.
 */
export function safeName(text: string): string {
  const plain = text.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim()
  let name = plain
    .replace(/^\.+/, '')
    .replace(/[. ]+$/, '')
    .trim()
  while (Buffer.byteLength(name) > MAX_BYTES) name = [...name].slice(0, -1).join('').trimEnd()
  if (name === '') return 'Untitled'
  return RESERVED.test(name) ? `_${name}` : name
}

/** Characters that some system does not allow in file names, though links can often contain the others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNPORTABLE = /[\u0000-\u001f\u007f<>:"/\\|?*]|^[. ]|[. ]$/

/** True for a name that is valid on every system as it is. */
export const isPortableName = (name: string): boolean =>
  name !== '' && !UNPORTABLE.test(name) && !RESERVED.test(name) && Buffer.byteLength(name) <= MAX_BYTES

/** Assigns names that are unique in their folder, ignoring case and Unicode normalization. */
export class NameRegistry {
  readonly #taken = new Set<string>()

  /** Reserves a path that must be used unchanged, such as that of a parent folder. */
  reserve(path: string): void {
    this.#taken.add(keyOf(path))
  }

  /** Assigns a path that something had before. @returns false if it is taken */
  takeExact(path: string): boolean {
    const key = keyOf(path)
    if (this.#taken.has(key)) return false
    this.#taken.add(key)
    return true
  }

  /**
   * Assigns a unique name.
   *
   * @param folder  path of the folder
   * @param extension  with its dot, or empty
   * @returns the path
   */
  assign(folder: string, name: string, extension: string): string {
    const base = safeName(name)
    for (let number = 1; ; number++) {
      const numbered = `${number === 1 ? base : `${base} ${number}`}${extension}`
      const path = folder === '' ? numbered : `${folder}/${numbered}`
      const key = keyOf(path)
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      return path
    }
  }
}

const keyOf = (path: string): string => path.normalize('NFC').toLowerCase()

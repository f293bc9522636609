/** Where an export goes: a folder, or a zip. */

/** What was not written as it is, and why. */
export interface ExportProblem {
  /** The file, or the title of the document. */
  path: string
  message: string
}

export interface ExportFile {
  /** Relative, with `/` between its parts. */
  path: string
  /** Milliseconds since 1970: when it last changed. */
  modifiedAt?: number
  /** SHA-256 of its bytes in hex, where that is known. */
  hash?: string
  size?: number
  /** Whether another file may be in its place, without a report. */
  isOptional?: boolean
}

export interface ExportTarget {
  /** Writes a file whole, or leaves it where it cannot be written over. */
  write(file: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void>
  /** Leaves a file as the last export wrote it. @returns whether it is there so */
  keep(path: string): Promise<boolean>
  /** Ends the export: what an earlier one wrote and this one did not is removed. */
  finish(): Promise<void>
  /** Gives up. */
  abort(): Promise<void>
  readonly counts: WrittenCounts
  readonly problems: ExportProblem[]
}

export interface WrittenCounts {
  written: number
  unchanged: number
  removed: number
  /** Files that were there and that no export wrote, or that were changed since. */
  kept: number
}

/** Names that Windows has for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Characters that no name has on some system, or that links of Obsidian cannot have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"/\\|?*#^[\]]/g
/** Bytes of a name that every file system takes, with room for a number and an extension. */
const MAX_BYTES = 180

/** A name that is valid on every system: in one Unicode form, without reserved words and characters, and not too long. */
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

/** Gives out names of which no two are the same in a folder, whatever the letter case and Unicode form. */
export class NameRegistry {
  readonly #taken = new Set<string>()

  /** Takes a path that stands as it is, such as that of a folder of others. */
  reserve(path: string): void {
    this.#taken.add(keyOf(path))
  }

  /** @param folder  the path of the folder @param extension  with its dot, or empty @returns the path */
  take(folder: string, name: string, extension: string): string {
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

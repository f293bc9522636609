/**
 * Random or encrypted values, which differ between spaces: cursors, upload addresses, names of connections. In a
 * transcript each is replaced by its ordinal number and its length.
 */
export class Sealed {
  /** The values of each kind, in order of appearance. */
  readonly #given: Record<string, string[]> = { cursor: [], upload: [], connection: [] }

  /** Replaces each such value in the text by its name. */
  named(text: string): string {
    return text
      .replace(CURSOR, (_, before: string, cursor: string) => `${before}${this.#name('cursor', cursor)}`)
      .replace(CONNECTION, (_, before: string, name: string) => `${before}${this.#name('connection', name)}`)
      .replace(UPLOAD, (_, before: string, token: string) => `${before}${this.#name('upload', token)}`)
  }

  /** Replaces the names in the text by this space's own values. */
  own(text: string): string {
    return text.replace(/\b(cursor|upload|connection)-(\d{4})(?:-of-\d+)?/g, (name, what: string, index: string) => {
      return this.#given[what]?.[Number(index)] ?? name
    })
  }

  #name(what: string, text: string): string {
    const given = this.#given[what] ?? []
    if (!given.includes(text)) given.push(text)
    return `${what}-${String(given.indexOf(text)).padStart(4, '0')}-of-${text.length}`
  }
}

const CURSOR = /(\\*"(?:c|nextC)ursor\\*": ?\\*"|cursor \\*")([\w-]{20,})/g
/** Names of connections are random, or derived from a session ID, which is random. */
const CONNECTION = /(\\*"connection\\*": ?\\*")([0-9a-f]{8})(?=\\*")/g
const UPLOAD = /(\/uploads\/)([\w-]{20,})/g

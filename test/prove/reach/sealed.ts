/**
 * What a space seals or draws by chance, which is another in each: cursors, and addresses that take a file. Of them a
 * transcript has which one came and how long it was.
 */
export class Sealed {
  /** In the order in which they came, by what they are. */
  readonly #given: Record<string, string[]> = { cursor: [], upload: [], connection: [] }

  /** The text with names in place of what is sealed, each with its length. */
  named(told: string): string {
    return told
      .replace(CURSOR, (_, before: string, cursor: string) => `${before}${this.#name('cursor', cursor)}`)
      .replace(CONNECTION, (_, before: string, name: string) => `${before}${this.#name('connection', name)}`)
      .replace(UPLOAD, (_, before: string, token: string) => `${before}${this.#name('upload', token)}`)
  }

  /** The text with what was given here in place of the names. */
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
/** Connections are named by chance, or after a session that is. */
const CONNECTION = /(\\*"connection\\*": ?\\*")([0-9a-f]{8})(?=\\*")/g
const UPLOAD = /(\/uploads\/)([\w-]{20,})/g

/**
 * Removes from responses what differs between runs: IDs, cursors, file addresses and revisions are numbered in order of
 * first appearance, and an error is reduced to its code and the paths of its validation errors.
 */

/** An ID in any spelling. The digits identify a long ID. */
const ID =
  /(?:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-)?\b[1-9]\d{11}\b|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
/** The quotes are escaped if the response is embedded in another as text. */
const CURSOR = /((?:"cursor\\*":|\bcursor )\\*")([\w-]+)/g
/** Connections are named after their sessions, which are random. */
const CONNECTION = /("connection\\*":\\*")[0-9a-f]{8}(?=\\*")/g
/** A due reminder in the feed. Servers record it by their own clocks, so its position is random. */
const REMINDER_DUE = /\{(\\*")type\1:\1reminder\.due\1[^[]*\[[^\]]*\],\1cursor\1:\1[\w-]+\1\},?/g
const UPLOAD = /\/uploads\/([\w-]+)/g
/** The token of a file address: `{key}{file}{link}{secret}`. */
const FILE = /(?<=\/files\/)[0-9a-f]{10}([1-9]\d{11})[\w-]{34}/g
/** A search highlights matches in addresses too, even if the random secret contains the pattern by chance. */
const ADDRESS = /(?<=\]\()http:\/\/server\/[^)\s]*/g
/**
 * Each occurrence of a revision gets a number of its own, since it is undefined how far a write increments a revision.
 * Whether a revision is current shows when a call uses it.
 */
const REVISION = /((?:"revision\\*":\\*"|\bRevision ))(\d+)/g
const NUMBERED = /\bcursor-\d{8}\b|\bfile-\d{8}-\d{12}|\b9\d{9}\b/g

/** Shaped like a product's ID, so that calls with it pass the same checks. */
const idNumbered = (count: number): string => `1${String(count).padStart(11, '0')}`
/** The digits of a long ID. UUIDs of other kinds do not change. */
const shortOf = (id: string): string => id.replace(/^.*-8...-....-(?=[1-9]\d{11}$)/, '')
const revisionNumbered = (count: number): string => `9${String(count).padStart(9, '0')}`
const cursorNumbered = (count: number): string => `cursor-${String(count).padStart(8, '0')}`

/** Maps the names that one product generated to the numbered names in calls and normalized responses. */
export class Names {
  readonly #numbered = new Map<string, string>()
  readonly #own = new Map<string, string>()
  readonly #fixed: [own: string, name: string][] = []

  /** @param own  a text that differs between products, such as an origin: `name` replaces it everywhere */
  replace(own: string, name: string): void {
    this.#fixed.push([own, name])
  }

  /** Replaces the names in a response by numbered ones. */
  toNumbered(text: string): string {
    const plain = this.#fixed.reduce((replaced, [own, name]) => replaced.replaceAll(own, name), text)
    return (
      plain
        .replace(CONNECTION, '$1session')
        .replace(REMINDER_DUE, '')
        .replaceAll('},]', '}]')
        .replace(ADDRESS, (address) => address.replaceAll('**', ''))
        .replace(CURSOR, (_, before: string, cursor: string) => before + this.#numberedFor(cursor, cursorNumbered))
        .replace(REVISION, (_, before: string, revision: string) => {
          const numbered = revisionNumbered(this.#own.size + 1)
          this.#own.set(numbered, revision)
          return before + numbered
        })
        .replace(UPLOAD, '/uploads/token')
        .replace(ID, (id) => this.#numberedFor(shortOf(id), idNumbered))
        // Last, since its replacement contains numbered IDs.
        .replace(FILE, (token, file: string) => {
          const id = this.#numberedFor(file, idNumbered)
          return this.#numberedFor(token, (count) => `file-${String(count).padStart(8, '0')}-${id}`)
        })
    )
  }

  /** Replaces numbered names in a call by this product's own. Names that it never generated do not change. */
  toOwn(text: string): string {
    const named = text.replace(NUMBERED, (name) => this.#own.get(name) ?? name)
    return named.replace(ID, (id) => {
      const own = this.#own.get(id)
      if (own !== undefined) return own
      // The caller made this ID up, so the same ID means the same thing in responses.
      this.#numbered.set(id, id)
      return id
    })
  }

  #numberedFor(own: string, nameOf: (count: number) => string): string {
    const known = this.#numbered.get(own)
    if (known !== undefined) return known
    const numbered = nameOf(this.#own.size + 1)
    this.#numbered.set(own, numbered)
    this.#own.set(numbered, own)
    return numbered
  }
}

/** A response as the product sent it. */
export interface RawAnswer {
  isError: boolean
  /** What comes with the body: the status, and headers that do not vary. */
  about: Record<string, unknown>
  /** JSON, or the plain text of a response without JSON. */
  body: string
}

/** @returns the same text for equivalent responses: a line with the status and headers, and the body */
export function normalize({ isError, about, body }: RawAnswer, names: Names): string {
  if (!isError) return names.toNumbered(`${JSON.stringify(about)}\n${body}`)
  const [, code = 'none'] = /"code":"?(-?\w+)/.exec(body.replaceAll('\\"', '"')) ?? []
  const paths = [...body.replaceAll('\\"', '"').matchAll(/"path":"([^"]*)"/g)].map(([, path]) => path)
  return JSON.stringify({ ...about, error: code, paths })
}

/** Shows the first difference between two responses with its context. */
export function firstDifference(one: string, other: string): string | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at++
  const from = Math.max(0, at - BEFORE)
  const part = (text: string) => text.slice(from, at + AFTER)
  return `at character ${at} expected …${part(one)}…, found …${part(other)}…`
}

const BEFORE = 80
const AFTER = 120

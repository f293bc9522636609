/**
 * What a product answers, without what differs from run to run: IDs, cursors, addresses of files and revisions are
 * numbered in the order in which they first appear, and of an error only its code and the paths of its faults are left.
 */

/** In any spelling; of a long ID the digits count. */
const ID =
  /(?:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-)?\b[1-9]\d{11}\b|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
/** The quotes are escaped where the answer stands as text in another. */
const CURSOR = /((?:"cursor\\*":|\bcursor )\\*")([\w-]+)/g
/** Connections are named after their sessions, which are drawn by chance. */
const CONNECTION = /("connection\\*":\\*")[0-9a-f]{8}(?=\\*")/g
/** A reminder that came due in a feed: servers record it by their own clocks, so that its place is left to chance. */
const REMINDER_DUE = /\{(\\*")type\1:\1reminder\.due\1[^[]*\[[^\]]*\],\1cursor\1:\1[\w-]+\1\},?/g
const UPLOAD = /\/uploads\/([\w-]+)/g
/** Of a file over a link: `{key}{file}{link}{secret}`. */
const FILE = /(?<=\/files\/)[0-9a-f]{10}([1-9]\d{11})[\w-]{34}/g
/** Searches mark what they find in addresses too, also where it is a secret that has it by chance. */
const ADDRESS = /(?<=\]\()http:\/\/server\/[^)\s]*/g
/**
 * Each by itself, since it is known by its document alone: how far a write counts on is nobody's to know. Whether a
 * revision is still that of its document shows when it comes back in a call.
 */
const REVISION = /((?:"revision\\*":\\*"|\bRevision ))(\d+)/g
const NUMBERED = /\bcursor-\d{8}\b|\bfile-\d{8}-\d{12}|\b9\d{9}\b/g

/** Shaped like the IDs that products make, so that calls with them are checked in the same way. */
const idNumbered = (count: number): string => `1${String(count).padStart(11, '0')}`
/** The digits of a long ID; a UUID of another kind as it is. */
const shortOf = (id: string): string => id.replace(/^.*-8...-....-(?=[1-9]\d{11}$)/, '')
const revisionNumbered = (count: number): string => `9${String(count).padStart(9, '0')}`
const cursorNumbered = (count: number): string => `cursor-${String(count).padStart(8, '0')}`

/** The names that one product gave, and the numbered ones that stand for them in calls and answers. */
export class Names {
  readonly #numbered = new Map<string, string>()
  readonly #own = new Map<string, string>()
  readonly #fixed: [own: string, name: string][] = []

  /** @param own  differs from product to product, such as an origin: replaced by `name` wherever it stands */
  replace(own: string, name: string): void {
    this.#fixed.push([own, name])
  }

  /** An answer as the product gave it, with numbered names. */
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
        // Last, since what it puts there is numbered already.
        .replace(FILE, (token, file: string) => {
          const id = this.#numberedFor(file, idNumbered)
          return this.#numberedFor(token, (count) => `file-${String(count).padStart(8, '0')}-${id}`)
        })
    )
  }

  /** A call with numbered names, as this product is to get it. Names that it never gave stay as they are. */
  toOwn(text: string): string {
    const named = text.replace(NUMBERED, (name) => this.#own.get(name) ?? name)
    return named.replace(ID, (id) => {
      const own = this.#own.get(id)
      if (own !== undefined) return own
      // Made up by the caller: answers that repeat it mean the same.
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

/** An answer as a product gave it. */
export interface RawAnswer {
  isError: boolean
  /** What stands beside the body: the status, and headers that do not differ from answer to answer. */
  about: Record<string, unknown>
  /** JSON, or the text of an answer that is none. */
  body: string
}

/** @returns the same text for answers that mean the same: a line of what stands beside the body, and the body */
export function normalize({ isError, about, body }: RawAnswer, names: Names): string {
  if (!isError) return names.toNumbered(`${JSON.stringify(about)}\n${body}`)
  const [, code = 'none'] = /"code":"?(-?\w+)/.exec(body.replaceAll('\\"', '"')) ?? []
  const paths = [...body.replaceAll('\\"', '"').matchAll(/"path":"([^"]*)"/g)].map(([, path]) => path)
  return JSON.stringify({ ...about, error: code, paths })
}

/** Where two answers part, with what stands around it. */
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

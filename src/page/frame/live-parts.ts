/**
 * Parts of the layout that a script asks for again when the space changes. Each has a hash of what it shows, which the
 * script sends along, so that only what changed is answered.
 */
import { createHash } from 'node:crypto'
import { type Html, trusted } from '../html.ts'

/** Parts that a page has, by the ID of their element, each with the hash of what it shows. */
export type KnownParts = ReadonlyMap<string, string>

const PARTS_READ = 200
const HASH_LENGTH = 10

/** Times are left out: a script of the page counts on by itself. */
const TIMES = /(<time datetime="[^"]*")[^>]*>[^<]*(?=<\/time>)/g

/** The part with its hash. @param part  begins with the tag of its element */
export function livePart(part: Html): Html {
  const text = String(part).trimStart()
  const hash = hashOf(text)
  return trusted(text.replace(/^<[^>]*/, (tag) => `${tag} data-had="${hash}"`))
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text.replace(TIMES, '$1')).digest('base64url').slice(0, HASH_LENGTH)

/** What a page has, as its script sends it: `nav:3kd9…,badge:8sk2…`; undefined if it sends nothing. */
export function knownParts(sent: string | null): KnownParts | undefined {
  if (sent === null) return undefined
  const pairs = sent.split(',', PARTS_READ).map((pair) => pair.split(':'))
  return new Map(pairs.map(([id = '', hash = '']) => [id, hash]))
}

/** True if the page has this part, and shows something else in it. @param known  absent for a page that sends nothing */
export function isChanged(part: Html, known: KnownParts | undefined): boolean {
  if (known === undefined) return true
  const [, hash] = / data-had="([^"]+)"/.exec(String(part)) ?? []
  const [, id = ''] = / id="([^"]+)"/.exec(String(part)) ?? []
  return known.has(id) && known.get(id) !== hash
}

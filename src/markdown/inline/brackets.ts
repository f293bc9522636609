/**
 * Which brackets of a text make links and images: found once for the whole text, from left to right, with the
 * stack of open brackets that CommonMark describes. Linear, and without recursion: `[[[[…` costs nothing.
 */

import { definitionKey } from './characters.ts'
import type { InlineState } from './inline-state.ts'
import { type Resource, readResource } from './link-resource.ts'

/** A link or image. Its label ends at `labelEnd`, the index of `]`, and the whole ends before `end`. */
export interface BracketMatch extends Omit<Resource, 'place'> {
  labelEnd: number
  /** Undefined for a reference link. */
  place?: Resource['place']
}

/** Images nested deeper than this in alternative texts are text, since each level is parsed again. */
const MAX_IMAGES = 10

const found = new WeakMap<InlineState, Map<number, BracketMatch>>()

/** The link or image whose label opens with the `[` at `at`. */
export function matchBracket(state: InlineState, at: number): BracketMatch | undefined {
  let links = found.get(state)
  if (!links) {
    links = search(state)
    found.set(state, links)
  }
  return links.get(at)
}

interface Opener {
  /** The index of `[`. */
  at: number
  image: boolean
  /** True if another bracket opens after it, in which case its label is not a reference. */
  followed: boolean
  /** The depth of images inside it. */
  images: number
}

function search(state: InlineState): Map<number, BracketMatch> {
  const { src, pos: stood } = state
  const links = new Map<number, BracketMatch>()
  const openers: Opener[] = []
  // Links cannot contain links: brackets that opened before the last link no longer count. Images can contain links.
  let inactive = 0

  const open = (at: number, image: boolean) => {
    const last = openers.at(-1)
    if (last) last.followed = true
    openers.push({ at, image, followed: false, images: 0 })
    return at + 1
  }
  const close = (at: number): number => {
    const opener = openers.pop()
    if (!opener) return at + 1
    const active = opener.image || openers.length >= inactive
    inactive = Math.min(inactive, openers.length)
    const link = active && opener.images < MAX_IMAGES ? target(state, opener, at) : undefined
    const outer = openers.at(-1)
    if (outer) outer.images = Math.max(outer.images, opener.images + (link && opener.image ? 1 : 0))
    if (!link) return at + 1
    links.set(opener.at, link)
    if (!opener.image) inactive = openers.length
    return link.end
  }

  for (let at = 0; at < src.length; ) {
    if (src[at] === '[') at = open(at, false)
    else if (src[at] === '!' && src[at + 1] === '[') at = open(at + 1, true)
    else if (src[at] === ']') at = close(at)
    else {
      // Code, tags and other constructs that bind tighter than brackets are skipped as a whole.
      state.pos = at
      state.skip()
      at = state.pos
    }
  }
  state.pos = stood
  return links
}

/** The label of a reference: only escaped brackets, and at most 999 characters. */
const LABEL = /\[((?:[^\\[\]]|\\[\s\S]){0,999})\]/y

/** The destination of the brackets if they form a link: `(…)`, `[label]`, `[]`, or their own text as the label. */
function target(state: InlineState, { at, followed }: Opener, labelEnd: number): BracketMatch | undefined {
  const resource = readResource(state.src, labelEnd + 1)
  if (resource) return { labelEnd, ...resource }
  const { definitions } = state
  if (!definitions?.size) return undefined
  LABEL.lastIndex = labelEnd + 1
  const label = LABEL.exec(state.src)?.[1]
  const end = label === undefined ? labelEnd + 1 : LABEL.lastIndex
  if (!label && (followed || labelEnd - at > 1000)) return undefined
  const definition = definitions.get(definitionKey(label || state.src.slice(at + 1, labelEnd)))
  return definition && { labelEnd, end, url: definition.url, title: definition.title ?? '' }
}

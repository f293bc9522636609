import { BLOCK_TYPES, type BlockFields, type BlockType } from '../block.ts'
import { traitsOf } from '../block-traits.ts'
import { readDestination } from '../inline/link-resource.ts'
import { labelEnd } from './label-end.ts'

/** The parts of a paragraph that consists of a single image or link. */
export interface LoneMedia {
  isImage: boolean
  label: string
  url: string
  /**
   * True if the URL is in `<>`. This marks the paragraph as text instead of a media block, unless the keyword says what
   * it is.
   */
  isBracketed: boolean
  /** The keyword in quotes after the URL. */
  word: string
  /** The range of the URL in the text. */
  span: readonly [start: number, end: number]
}

const END = /\s*(?:\s"([^"\n]*)"\s*)?\)$/y

/** Parses a text that consists of a single image or link. */
export function parseLoneMedia(text: string): LoneMedia | undefined {
  const isImage = text.startsWith('![')
  if (!(isImage || text.startsWith('[')) || !text.endsWith(')')) return undefined
  const start = isImage ? 2 : 1
  const end = labelEnd(text, start)
  if (text[end] !== ']' || text[end + 1] !== '(') return undefined
  const open = end + 2 + (/^\s*/.exec(text.slice(end + 2))?.[0].length ?? 0)
  const destination = readDestination(text, open)
  if (destination === undefined) return undefined
  END.lastIndex = destination.end
  const [found, word = ''] = END.exec(text) ?? []
  if (found === undefined) return undefined
  return {
    isImage,
    label: text.slice(start, end),
    url: destination.url,
    isBracketed: text[open] === '<',
    word,
    span: [open, destination.end],
  }
}

/** True for a URL that needs no `<>`: its parentheses are balanced, and no `&` in it begins a character reference. */
const isBare = (url: string): boolean =>
  /^[^\s\p{Cc}()<>\\"]+(?:\([^\s\p{Cc}()<>\\"]*\)[^\s\p{Cc}()<>\\"]*)?$/u.test(url) && !/&#?\w+;/.test(url)

/** Writes `[label](url "word")`, with `<>` around the URL if necessary. */
function writeLone(bang: '' | '!', label: string, url: string, word: string): string {
  const escaped = url
    .replace(/[<>\\]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/\n/g, '&#10;')
  return `${bang}[${label}](${isBare(url) ? url : `<${escaped}>`}${word === '' ? '' : ` "${word}"`})`
}

/** Escapes a plain string for use as a label. */
export const escapeLabel = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>~$=]|!(?=\[)|&(?=#?\w+;)/g, '\\$&')

const VIDEO = /\.(?:mp4|m4v|mov|webm|mkv|avi|ogv)$/i
const looksLikeVideo = (url: string): boolean => VIDEO.test(/^[^?#]*/.exec(url)?.[0] ?? '')
const looksLikeFile = (url: string): boolean =>
  url.startsWith('scriptorium://files/') || /\/files\//.test(/^[^?#]*/.exec(url)?.[0] ?? '')
const looksLikeSite = (url: string): boolean => /^https?:\/\/[^/]/i.test(url)

/** The types that are written as a single image or link. */
const PICTURES: ReadonlySet<string> = new Set(BLOCK_TYPES.filter((type) => traitsOf(type).written === '!['))
const LINKS: ReadonlySet<string> = new Set(BLOCK_TYPES.filter((type) => traitsOf(type).written === '['))

/** The block type of a single image or link; undefined for text. In a list, only the keyword counts. */
export function mediaType(
  lone: Pick<LoneMedia, 'isImage' | 'isBracketed' | 'url' | 'word' | 'label'>,
  inList: boolean,
) {
  const { isImage, isBracketed, url, word, label } = lone
  if ((isImage ? PICTURES : LINKS).has(word)) return word as BlockType
  if (isBracketed || inList) return undefined
  if (isImage) return looksLikeVideo(url) ? 'video' : 'image'
  if (word !== '' || /(?<!\\)[`*_<~$=]/.test(label)) return undefined
  return looksLikeFile(url) ? 'file' : looksLikeSite(url) ? 'richUrl' : undefined
}

/** Writes a block that is a single image or link. */
export function writeMedia(block: BlockFields): string {
  const { type, listStyle, url = '' } = block
  const isImage = PICTURES.has(type)
  const { label: key } = traitsOf(type)
  const label = escapeLabel((key && block[key]) ?? (type === 'richUrl' ? url : ''))
  const bare = { isImage, label, url, isBracketed: false, word: '' }
  // A URL in <> without a keyword means text, see LoneMedia.
  const isPlain = isBare(url) && mediaType(bare, listStyle !== undefined) === type
  return writeLone(isImage ? '!' : '', label, url, isPlain ? '' : type)
}

/** Writes a text that consists of a single image or link, so that it is not read as a media block. */
export function escapeMediaText(text: string, inList: boolean): string {
  const lone = parseLoneMedia(text)
  if (lone === undefined || mediaType(lone, inList) === undefined) return text
  const [start, end] = lone.span
  const url = lone.isBracketed ? text.slice(start, end) : `<${text.slice(start, end)}>`
  const { word } = lone
  const isWord = PICTURES.has(word) || LINKS.has(word)
  // If the title happens to be one of our keywords, its last letter is written as a character reference.
  const rest = isWord ? ` "${word.slice(0, -1)}&#${word.charCodeAt(word.length - 1)};")` : text.slice(end)
  return text.slice(0, start) + url + rest
}

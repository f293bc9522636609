import MarkdownIt from 'markdown-it'
import type { BlockFields, BlockType } from '../block.ts'
import { labelEnd } from './label-end.ts'

/** What stands alone in a paragraph as one picture or link, cut into its parts. */
export interface LoneMedia {
  isImage: boolean
  label: string
  url: string
  /** The URL stands in `<>`: our mark that this is a text, and no block of its own, unless the word says what it is. */
  isBracketed: boolean
  /** The words in quotes after the URL. */
  word: string
  /** Where the URL begins and ends in the text. */
  span: readonly [start: number, end: number]
}

const { parseLinkDestination } = new MarkdownIt('zero').helpers
const END = /\s*(?:\s"([^"\n]*)"\s*)?\)$/y

/** The parts of a text that is one picture or link and nothing else. */
export function parseLoneMedia(text: string): LoneMedia | undefined {
  const isImage = text.startsWith('![')
  if (!(isImage || text.startsWith('[')) || !text.endsWith(')')) return undefined
  const start = isImage ? 2 : 1
  const end = labelEnd(text, start)
  if (text[end] !== ']' || text[end + 1] !== '(') return undefined
  const open = end + 2 + (/^\s*/.exec(text.slice(end + 2))?.[0].length ?? 0)
  const destination = parseLinkDestination(text, open, text.length - 1)
  if (!destination.ok) return undefined
  END.lastIndex = destination.pos
  const [found, word = ''] = END.exec(text) ?? []
  if (found === undefined) return undefined
  return {
    isImage,
    label: text.slice(start, end),
    url: destination.str,
    isBracketed: text[open] === '<',
    word,
    span: [open, destination.pos],
  }
}

/** A URL that needs no `<>`: its parentheses, if any, are a pair, and no `&` of it begins a reference. */
const isBare = (url: string): boolean =>
  /^[^\s\p{Cc}()<>\\"]+(?:\([^\s\p{Cc}()<>\\"]*\)[^\s\p{Cc}()<>\\"]*)?$/u.test(url) && !/&#?\w+;/.test(url)

/** `[label](url "word")`, the URL in `<>` where it must be. */
function writeLone(bang: '' | '!', label: string, url: string, word: string): string {
  const escaped = url
    .replace(/[<>\\]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/\n/g, '&#10;')
  return `${bang}[${label}](${isBare(url) ? url : `<${escaped}>`}${word === '' ? '' : ` "${word}"`})`
}

/** A plain string as words of a label. */
export const escapeLabel = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>~$=]|!(?=\[)|&(?=#?\w+;)/g, '\\$&')

const VIDEO = /\.(?:mp4|m4v|mov|webm|mkv|avi|ogv)$/i
const looksLikeVideo = (url: string): boolean => VIDEO.test(/^[^?#]*/.exec(url)?.[0] ?? '')
const looksLikeFile = (url: string): boolean =>
  url.startsWith('scriptorium://files/') || /\/files\//.test(/^[^?#]*/.exec(url)?.[0] ?? '')
const looksLikeSite = (url: string): boolean => /^https?:\/\/[^/]/i.test(url)

const PICTURES: ReadonlySet<string> = new Set(['image', 'video', 'drawing'])
const LINKS: ReadonlySet<string> = new Set(['file', 'richUrl'])

/** The type of block that a lone picture or link is; none for a text. In a list only the word in quotes counts. */
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

/** A block of type image, video, drawing, file or richUrl. */
export function writeMedia(block: BlockFields): string {
  const { type, listStyle, url = '' } = block
  const isImage = PICTURES.has(type)
  const words = { image: block.altText, video: block.altText, file: block.fileName, richUrl: block.title }
  const label = escapeLabel(words[type as keyof typeof words] ?? (type === 'richUrl' ? url : ''))
  const bare = { isImage, label, url, isBracketed: false, word: '' }
  // A URL in <> without a word is a text: see Lone.
  const isPlain = isBare(url) && mediaType(bare, listStyle !== undefined) === type
  return writeLone(isImage ? '!' : '', label, url, isPlain ? '' : type)
}

/** A text that is only a picture or link, written so that it is not read as a block of its own. */
export function escapeMediaText(text: string, inList: boolean): string {
  const lone = parseLoneMedia(text)
  if (lone === undefined || mediaType(lone, inList) === undefined) return text
  const [start, end] = lone.span
  const url = lone.isBracketed ? text.slice(start, end) : `<${text.slice(start, end)}>`
  const { word } = lone
  const isWord = PICTURES.has(word) || LINKS.has(word)
  // A title that happens to be our word: the same title, with a reference for its last letter.
  const rest = isWord ? ` "${word.slice(0, -1)}&#${word.charCodeAt(word.length - 1)};")` : text.slice(end)
  return text.slice(0, start) + url + rest
}

import type { BlockFields, BlockType } from '../block.ts'

/** What stands alone in a paragraph as one picture or link, cut into its parts. */
export interface Lone {
  isImage: boolean
  label: string
  url: string
  /** The URL stands in `<>`: our mark that this is a text, and no block of its own. */
  isText: boolean
  /** The words in quotes after the URL. */
  word: string
}

const LONE =
  /^(!?)\[((?:[^[\]\\]|\\[\s\S])*)\]\(\s*(?:<((?:[^<>\\\n]|\\.)*)>|((?:[^\s()<\\]|\\.|\((?:[^\s()\\]|\\.)*\))(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)?)(?:\s+"([^"\n]*)")?\s*\)$/

/** The parts of a text that is one picture or link and nothing else. */
export function loneOf(text: string): Lone | undefined {
  if (!(text.startsWith('[') || text.startsWith('![')) || !text.endsWith(')')) return undefined
  const match = LONE.exec(text)
  if (match === null) return undefined
  const [, bang, label = '', bracketed, bare = '', word = ''] = match
  return {
    isImage: bang === '!',
    label,
    url: withoutEscapes(bracketed ?? bare),
    isText: bracketed !== undefined && word === '',
    word,
  }
}

/** Backslashes and the five entities we write. */
const withoutEscapes = (text: string): string =>
  text.replace(
    /\\([!-/:-@[-`{-~])|&(amp|lt|gt|quot|#10|#32);/g,
    (_, char: string | undefined, entity: string) => char ?? ENTITIES[entity] ?? '',
  )

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#10': '\n', '#32': ' ' }

/** A URL that needs no `<>`. */
const isBare = (url: string): boolean => /^[^\s()<>\\&"]+$/.test(url)

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
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>~$=|]|!(?=\[)|&(?=#?\w+;)/g, '\\$&')

const VIDEO = /\.(?:mp4|m4v|mov|webm|mkv|avi|ogv)$/i
const looksLikeVideo = (url: string): boolean => VIDEO.test(/^[^?#]*/.exec(url)?.[0] ?? '')
const looksLikeFile = (url: string): boolean =>
  url.startsWith('scriptorium://files/') || /\/files\//.test(/^[^?#]*/.exec(url)?.[0] ?? '')
const looksLikeSite = (url: string): boolean => /^https?:\/\/[^/]/i.test(url)

const PICTURES: ReadonlySet<string> = new Set(['image', 'video', 'drawing'])
const LINKS: ReadonlySet<string> = new Set(['file', 'richUrl'])

/** The type of block that a lone picture or link is; none for a text. `bare` is false in lists, where only a word counts. */
export function mediaType({ isImage, isText, url, word, label }: Lone, bare: boolean): BlockType | undefined {
  if ((isImage ? PICTURES : LINKS).has(word)) return word as BlockType
  if (isText || !bare) return undefined
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
  const bare = { isImage, label, url, isText: false, word: '' }
  // A URL in <> without a word is a text: see Lone.
  const isPlain = isBare(url) && mediaType(bare, listStyle === undefined) === type
  return writeLone(isImage ? '!' : '', label, url, isPlain ? '' : type)
}

/** A text that is only a picture or link, written so that it is not read as a block of its own. */
export function asText(text: string, inList: boolean): string {
  const lone = loneOf(text)
  if (lone === undefined || lone.isText || mediaType(lone, !inList) === undefined) return text
  const end = text.lastIndexOf(')')
  const start = text.lastIndexOf('](') + 2
  return `${text.slice(0, start)}<${text.slice(start, end).trim()}>)`
}

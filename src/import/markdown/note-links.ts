/** Parses links between notes: `[[Note#Heading|words]]`, `![[picture.png]]`, `[words](note.md#heading)`. */

export interface NoteLink {
  /** The original text of the link. */
  written: string
  /** The note or file that the link names; empty for a link within the same note. */
  target: string
  /** The heading, or the block after a `^`; empty for a whole note. */
  anchor: string
  /** The text that is shown in place of the target. */
  label?: string
  isEmbed: boolean
  isWiki: boolean
}

/** A wiki link. In a table, the `|` before the text is escaped with a backslash. */
export const WIKI_LINK = /(?<!\\)(!?)\[\[([^[\]\n]+?)\]\]/g
/** The address of a Markdown link or image. */
const MARKDOWN_LINK =
  /(!?)\[(?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*\]\(\s*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?:\s+"[^"\n]*")?\s*\)/g
const HTML_IMAGE = /<img\b[^<>]*?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/gi
/** The definition of a reference link. */
const DEFINITION = /^[ ]{0,3}\[[^\]\n]+\]:[ \t]*(<[^<>\n]*>|\S+)/

export function parseWikiLink(written: string, bang: string, inner: string): NoteLink {
  const [, path = '', label] = /^(.*?)(?:\\?\|(.*))?$/s.exec(inner) ?? []
  const [target = '', ...anchors] = path.split('#')
  const link = { written, target: target.trim(), anchor: anchors.at(-1)?.trim() ?? '' }
  return { ...link, ...(label !== undefined && { label: label.trim() }), isEmbed: bang === '!', isWiki: true }
}

/** Parses an address in Markdown. Returns undefined if it does not refer to a note or file of the source. */
export function parseAddressLink(address: string, isEmbed: boolean): NoteLink | undefined {
  const plain = address.replace(/^<(.*)>$/s, '$1').trim()
  if (plain === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(plain)) return undefined
  const [path = '', anchor = ''] = plain.split('#')
  return {
    written: address,
    target: decoded(path.replace(/\?.*$/, '')),
    anchor: decoded(anchor),
    isEmbed,
    isWiki: false,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the links in a line of text. */
export function findLinks(line: string): NoteLink[] {
  const links: NoteLink[] = []
  if (!line.includes('[') && !line.includes('<')) return links
  for (const [written, bang = '', inner = ''] of line.matchAll(WIKI_LINK))
    links.push(parseWikiLink(written, bang, inner))
  const addresses = [...line.matchAll(MARKDOWN_LINK)].map(([, bang, address = '']) => ({
    address,
    isEmbed: bang === '!',
  }))
  for (const [, double, single] of line.matchAll(HTML_IMAGE))
    addresses.push({ address: double ?? single ?? '', isEmbed: true })
  const [, defined] = DEFINITION.exec(line) ?? []
  if (defined !== undefined) addresses.push({ address: defined, isEmbed: false })
  for (const { address, isEmbed } of addresses) {
    const link = parseAddressLink(address, isEmbed)
    if (link !== undefined) links.push(link)
  }
  return links
}

/** Normalizes a heading, or the anchor of a link to it, so that both are equal: only letters and digits count. */
export const headingKey = (text: string): string =>
  text
    .replace(/!?\[\[(?:[^[\]|]*\|)?([^[\]]*)\]\]/g, '$1')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Normalizes the anchor of a block: `^id`, or `#` and the key of a heading. */
export function anchorKey(anchor: string): string {
  if (anchor === '') return ''
  return anchor.startsWith('^') ? anchor.toLowerCase() : `#${headingKey(anchor)}`
}

export const HEADING = /^([ \t]{0,3}#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/
/** A block ID at the end of a block, after a space or a link. */
export const BLOCK_ID = /(?:^|[ \t]|(?<=\]\]|\)))\^([A-Za-z0-9-]+)[ \t]*$/

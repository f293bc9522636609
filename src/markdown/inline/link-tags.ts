/** Turns the HTML tags of a line that have an address into links and images. */

import { isUnsafeAddress } from '../addresses.ts'
import { decode } from './character-reference.ts'
import { closesAnything, type HtmlToken, type InlineToken, opensAnything } from './inline-token.ts'

/** Tags that load what their address names. They become links to it. */
export const EMBEDS: ReadonlySet<string> = new Set(['iframe', 'video', 'audio', 'source', 'embed'])

interface OpenAnchor {
  index: number
  url: string
  title: string
  level: number
  /** True if there is a link inside. A link cannot hold another one. */
  holdsLink: boolean
}

/**
 * `<a href>` with what it holds becomes a link, and `<img src>` an image. A tag that loads something becomes a link to
 * its address, and so does an `<a href>` that is not closed, that holds nothing, or that holds a link. Addresses that run
 * code stay text.
 *
 *     a <a href="u">b</a> <video src="v"></video>   →   a [b](u) [v](v)
 */
export function linkTags(tokens: readonly InlineToken[]): readonly InlineToken[] {
  return tokens.some(({ type }) => type === 'html') ? new TagLinker(tokens).link() : tokens
}

class TagLinker {
  readonly #tokens: readonly InlineToken[]
  /** Each token, or what takes its place. */
  readonly #replaced: (readonly InlineToken[])[]
  readonly #anchors: OpenAnchor[] = []
  /** Embeds that are links now, and whose closing tags therefore go. */
  readonly #embeds = new Map<string, number>()
  /** How many links of Markdown are open. */
  #links = 0
  /** How many tokens are open, of links and of others. */
  #level = 0

  constructor(tokens: readonly InlineToken[]) {
    this.#tokens = tokens
    this.#replaced = tokens.map((token) => [token])
  }

  link(): readonly InlineToken[] {
    for (const [index, token] of this.#tokens.entries()) {
      // An anchor ends where the mark around it does.
      if (closesAnything(token)) {
        this.#level--
        while ((this.#anchors.at(-1)?.level ?? 0) > this.#level) this.#loneAnchor()
      }
      if (token.type === 'link_open') this.#noteLink(1)
      else if (token.type === 'link_close') this.#links--
      else if (token.type === 'autolink') this.#noteLink(0)
      else if (token.type === 'html') this.#tag(index, token)
      if (opensAnything(token)) this.#level++
    }
    while (this.#anchors.length > 0) this.#loneAnchor()
    return this.#replaced.flat()
  }

  #noteLink(step: number): void {
    this.#links += step
    const around = this.#anchors.at(-1)
    if (around !== undefined) around.holdsLink = true
  }

  #tag(index: number, token: HtmlToken): void {
    const [, slash, written = ''] = /^<(\/?)([A-Za-z][A-Za-z\d-]*)/.exec(token.content) ?? []
    const name = written.toLowerCase()
    if (slash === '/') {
      if (name === 'a') this.#closeAnchor(index)
      else this.#closeEmbed(index, name)
    } else if (name === 'a') this.#openAnchor(index, token)
    else if (name === 'img') this.#image(index, token)
    else if (EMBEDS.has(name)) this.#embed(index, token, name)
  }

  #openAnchor(index: number, token: HtmlToken): void {
    const { url, title } = addressOf(token, 'href')
    if (url === undefined || this.#links > 0) return
    this.#noteLink(0)
    this.#anchors.push({ index, url, title, level: this.#level, holdsLink: false })
  }

  #closeAnchor(index: number): void {
    const anchor = this.#anchors.at(-1)
    if (anchor === undefined || anchor.level !== this.#level) return
    this.#anchors.pop()
    const { url, title } = anchor
    if (anchor.holdsLink || this.#isBlank(anchor.index + 1, index)) {
      this.#replaced[anchor.index] = []
      this.#replaced[index] = lone(url, url)
    } else {
      this.#replaced[anchor.index] = [linkOpen(url, title)]
      this.#replaced[index] = [{ type: 'link_close' }]
    }
  }

  #loneAnchor(): void {
    const anchor = this.#anchors.pop()
    if (anchor) this.#replaced[anchor.index] = lone(anchor.url, anchor.url)
  }

  #isBlank(from: number, to: number): boolean {
    for (let index = from; index < to; index++) {
      const token = this.#tokens[index]
      if (token?.type !== 'text' || token.content.trim() !== '') return false
    }
    return true
  }

  #image(index: number, token: HtmlToken): void {
    const { url, title } = addressOf(token, 'src')
    if (url === undefined) return
    const alt = (tagAttributes(token.content).get('alt') ?? '').replace(/\s+/g, ' ')
    this.#replaced[index] = [{ type: 'image', url, title, alt: [{ type: 'text', content: alt }] }]
  }

  #embed(index: number, token: HtmlToken, name: string): void {
    const { url, title } = addressOf(token, 'src')
    if (url === undefined || this.#links > 0) return
    this.#noteLink(0)
    this.#embeds.set(name, (this.#embeds.get(name) ?? 0) + 1)
    this.#replaced[index] = lone(url, title || url)
  }

  #closeEmbed(index: number, name: string): void {
    const open = this.#embeds.get(name) ?? 0
    if (open === 0) return
    this.#embeds.set(name, open - 1)
    this.#replaced[index] = []
  }
}

/** Without white space at the edges and line ends, as browsers read it. Undefined for one that runs code. */
function addressOf(token: HtmlToken, attribute: string): { url: string | undefined; title: string } {
  const values = tagAttributes(token.content)
  const url = (values.get(attribute) ?? '').trim().replace(/[\t\n\r]/g, '')
  const title = (values.get('title') ?? '').trim().replace(/\s+/g, ' ')
  return { url: url === '' || isUnsafeAddress(url) ? undefined : url, title }
}

const linkOpen = (url: string, title: string): InlineToken => ({ type: 'link_open', label: '', url, title })
const lone = (url: string, label: string): InlineToken[] => [
  linkOpen(url, ''),
  { type: 'text', content: label },
  { type: 'link_close' },
]

const ATTRIBUTE = /\s([A-Za-z_:][\w:.-]*)\s*=\s*(?:'([^']*)'|"([^"]*)"|([^\s"'=<>`]+))/g

/** The values of the attributes of a tag, without their character references. */
function tagAttributes(source: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [, name = '', single, double, bare = ''] of source.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, decode((single ?? double ?? bare).replaceAll('\\', '\\\\')))
  }
  return values
}

/**
 * Links in texts that are shown as they are written: by their words, rather than with the addresses of blocks, days and
 * members.
 */
import { type Html, html, joinHtml } from './html.ts'
import type { PageLinks } from './page-links.ts'

const linksTo = (schemes: string): RegExp =>
  new RegExp(`\\[((?:[^[\\]\\\\\\n]|\\\\.){1,500})\\]\\(((?:${schemes})://[^\\s()]{1,200})\\)`, 'g')
const NAMED = linksTo('block|date|person')
const LED_TO = linksTo('block|date')

/** A text with the words of its links alone. */
export const linkNames = (text: string): string => text.replace(NAMED, '$1')

/** A text with its links to blocks and days. One that leads nowhere is its words. */
export function linkedText(text: string, links: PageLinks): Html {
  const parts: Html[] = []
  let done = 0
  for (const { 0: whole, 1: words = '', 2: url = '', index } of text.matchAll(LED_TO)) {
    const link = links.of(url)
    parts.push(html`${text.slice(done, index)}`)
    parts.push(link?.isOwn ? html`<a href="${link.href}">${words}</a>` : html`${words}`)
    done = index + whole.length
  }
  return joinHtml([...parts, html`${text.slice(done)}`])
}

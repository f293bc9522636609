/** Text of others as a person must see it before deciding: characters that are not seen have marks. */
import { markUnseen, UNSEEN_MARK } from '../base/unseen-characters.ts'
import { type Html, html } from './html.ts'

export const shownText = (text: string): Html => markedHtml(markUnseen(text))

/** The same for a text that has marks already. */
export function markedHtml(text: string): Html {
  // Every second part is the code of a character.
  const parts = text.split(UNSEEN_MARK)
  if (parts.length === 1) return html`${text}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<b class="unseen" title="A character that is not seen">${part}</b>`))}`
}

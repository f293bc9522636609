/** Shows what an item or a task waits for. */
import { shownTitle } from '../../markdown/shown-title.ts'
import { type Html, html } from '../html.ts'
import type { PageLinks } from '../page-links.ts'

/** Something that others wait for. */
interface Blocker {
  id: string
  title: string
  isDone?: true | undefined
}

/** What is not done yet, with links; false if there is nothing. */
export function blockedHtml(links: PageLinks, blockedBy: readonly Blocker[] = []): Html | false {
  const open = blockedBy.filter(({ isDone }) => !isDone)
  if (open.length === 0) return false
  const shown = open.slice(0, BLOCKERS_SHOWN)
  const more = open.length - shown.length
  return html`<div class="blocked">Blocked by ${shown.map(
    ({ id, title }, index) => html`${index > 0 && ', '}<a href="${links.block(id)}">${shownTitle(title)}</a>`,
  )}${more > 0 && html` and ${String(more)} more`}</div>`
}

const BLOCKERS_SHOWN = 5

/** How to go on from a page that says why something failed. */
import { type Html, html } from './html.ts'
import { text } from './texts/text.ts'

interface WaysOn {
  /** The address to load again, if that may help. */
  again?: string | undefined
  /** The first page of the space. */
  home?: string | undefined
  /** True over another page, which is still there behind it. */
  isOver?: boolean
}

export const waysOn = ({ again, home, isOver = false }: WaysOn): Html | false =>
  (again !== undefined || home !== undefined) &&
  html`<div class="acts">${again !== undefined && html`<a class="button go" href="${again}">Try again</a>`}${
    home !== undefined &&
    html`<a class="button" href="${home}"${isOver && html` data-close`}>${isOver ? text('Close') : text('Home')}</a>`
  }</div>`

/** The address of a request below the server's own, as links have it. */
export function addressIn({ url }: Request, root = ''): string {
  const { pathname, search } = new URL(url)
  // Two slashes would begin the name of another server.
  return `${root}${pathname.replace(/^\/+/, '/')}${search}`
}

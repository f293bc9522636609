/** The bar above a page: its place, and actions. */
import { type Html, html } from '../html.ts'
import type { TextKey } from '../texts/text.ts'

/** An entry of the path to a page. */
export interface Crumb {
  href: string
  name: string | TextKey
}

/** @param more  content at the right end */
export const barHtml = (crumbs: readonly Crumb[], more: Html | false = false): Html =>
  html`<div class="bar">${
    crumbs.length > 0 &&
    html`<nav class="crumbs" aria-label="Where this is"><ol>${crumbs.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>`)}</ol></nav>`
  }${more !== false && html`<span class="right">${more}</span>`}</div>`

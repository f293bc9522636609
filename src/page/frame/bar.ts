/** The line above a page: where it is, and what can be done with it. */
import { type Html, html } from '../html.ts'

/** A place that a page is in. */
export interface Crumb {
  href: string
  name: string
}

/** @param more  what stands at its right end */
export const barHtml = (crumbs: readonly Crumb[], more: Html | false = false): Html =>
  html`<div class="bar">${
    crumbs.length > 0 &&
    html`<nav class="crumbs" aria-label="Where this is"><ol>${crumbs.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>`)}</ol></nav>`
  }${more !== false && html`<span class="right">${more}</span>`}</div>`

/**
 * The icons of the pages: symbols of assets/icons.svg, drawn 16 pixels large. Each stands beside words, or on a button
 * that has a name for those who hear it.
 */
import { assetPath } from './assets.ts'
import { type Html, html } from './html.ts'
import type { IconName } from './icon-names.ts'

/** @param root  see `assetPath` @param label  what stands beside it */
export const iconHtml = (root: string, name: IconName, label: Html | string | false = false): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="${assetPath(root, 'icons.svg')}#${name}"/></svg>${label !== false && html` ${label}`}`

/** A label that only icons stand for where there is no room. */
export const wordHtml = (word: Html | string): Html => html`<span class="word">${word}</span>`

/** The style of what few forms have: pictures, colors and emoji, when a task repeats, values to copy, and what is imported and exported. */
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'

/** Such a form also opens in a dialog, so that it brings its style along. */
export const choicesStyle = (call: PageCall): Html =>
  html`<link rel="stylesheet" href="${assetPath(call.request.root, 'choices.css')}">`

/** Texts with values that are HTML, such as links. A text within a template needs none of this: see html.ts. */
import { type Html, type HtmlValue, html } from '../html.ts'
import { type TextKey, text } from './text.ts'

/** A text of a table with HTML values. Text and values are escaped as in a template. */
export function htmlText(key: TextKey, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = text(key).split(/\{(\w+)\}/)
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : values[part]))}`
}

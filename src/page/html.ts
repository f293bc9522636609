/** HTML as a value. Everything inserted into a template is escaped, unless it comes from a template. */
import { raw, html as template } from 'hono/html'
import type { TextKey } from './texts/text.ts'
import { translatedTemplate } from './texts/translated-template.ts'

export type Html = ReturnType<typeof raw>

/**
 * Types that can be inserted into a template. Objects of unknown origin are excluded, since hono takes some of them for
 * HTML.
 */
export type HtmlValue = string | number | false | null | undefined | Html | TextKey | readonly HtmlValue[]

/** A template, with its texts in the language of the page. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const translated = translatedTemplate(strings)
  if (translated === undefined) return template(strings, ...values) as Html
  return template(translated.strings, ...translated.order.map((index) => values[index])) as Html
}

/** Marks a text as HTML. Only for text that this program generated. */
export const trusted = (text: string): Html => raw(text)

export const NOTHING: Html = trusted('')

/** Joins several parts. */
export const joinHtml = (parts: readonly Html[]): Html => trusted(parts.join(''))

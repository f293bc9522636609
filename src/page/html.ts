/** HTML as a value. Whatever is put into a template is escaped, unless a template made it. */
import { raw, html as template } from 'hono/html'

export type Html = ReturnType<typeof raw>

/** What may stand in a template. Objects of unknown origin may not: hono takes some of them for HTML. */
export type HtmlValue = string | number | false | null | undefined | Html | readonly HtmlValue[]

export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  template(strings, ...values) as Html

/** Text that is HTML already. Only for what this program wrote itself. */
export const trusted = (text: string): Html => raw(text)

export const NOTHING: Html = trusted('')

/** Several as one. */
export const joinHtml = (parts: readonly Html[]): Html => trusted(parts.join(''))

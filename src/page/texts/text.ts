/**
 * The texts of the pages. The English text in the code is the key, so that code reads as sentences:
 *
 *     text('History of {title}', { title })
 *     text('To|place')
 *     count(blocks.length, { one: '{n} block', other: '{n} blocks' })
 *     html`<p>You comment as <b>${author}</b>.</p>`     see translated-template.ts
 *
 * Content is never translated, and neither are the sentences of errors, which tools give to agents as well.
 */
import { catalogOf } from './catalogs.ts'
import { pageLocale } from './language.ts'

/** The names of the values in a text: `title` of `History of {title}`. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<Text extends string> = [Names<Text>] extends [never]
  ? [values?: Record<string, never>]
  : [values: Record<Names<Text>, string | number>]

/** A text of a table that is made once, for all languages: written anywhere, it is in that of the page. */
export class TextKey {
  readonly english: string

  constructor(english: string) {
    this.english = english
  }

  toString(): string {
    return text(this)
  }
}

/** Names a text that is shown later. */
export const textKey = (english: string): TextKey => new TextKey(english)

/** A text in the language of the page. Its values are inserted as they are. */
export function text<Text extends string>(key: Text, ...values: Values<Text>): string
export function text(key: TextKey, values?: Readonly<Record<string, string | number>>): string
export function text(key: string | TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const english = typeof key === 'string' ? key : key.english
  return filled(catalogOf(pageLocale().language)?.get(english) ?? shown(english), values)
}

/** A text with a number, `{n}`, which is written as the language of the page does. @param forms  those of English */
export function count(
  n: number,
  forms: { one: string; other: string },
  values: Readonly<Record<string, string | number>> = {},
): string {
  const { language, locales } = pageLocale()
  const form = rulesOf(language).select(n) === 'one' ? forms.one : forms.other
  const number = numbersOf(locales[0] ?? language).format(n)
  return filled(catalogOf(language)?.get(form) ?? shown(form), { ...values, n: number })
}

/** What stands behind a bar tells two texts of the same words apart. */
const shown = (english: string): string => english.replace(/\|\w+$/, '')

/** Inserts values by name. What they contain is not read again. */
export const filled = (message: string, values: Readonly<Record<string, string | number>>): string =>
  message.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole))

/** Names the forms of a text that is shown later. */
export const countKey = (forms: { one: string; other: string }): { one: string; other: string } => forms

const rules = new Map<string, Intl.PluralRules>()
const numbers = new Map<string, Intl.NumberFormat>()
/** Maximum number of languages whose formats are kept, since creating one is slow. */
const KEPT = 50

const rulesOf = (language: string): Intl.PluralRules => kept(rules, language, () => new Intl.PluralRules(language))
const numbersOf = (locale: string): Intl.NumberFormat => kept(numbers, locale, () => new Intl.NumberFormat(locale))

function kept<Format>(formats: Map<string, Format>, name: string, make: () => Format): Format {
  const found = formats.get(name)
  if (found !== undefined) return found
  if (formats.size >= KEPT) formats.clear()
  const made = make()
  formats.set(name, made)
  return made
}

/**
 * The texts of scripts in the language of the page: see ../texts/text.ts. Pages in another language than English load
 * its texts before their scripts.
 */

declare global {
  /** By their English text: see ../texts/script-texts.ts. */
  var pageTexts: ReadonlyMap<string, string> | undefined
}

type Values = Readonly<Record<string, string | number>>

/** The language of the page. Modules are also tested where there is none. */
const language = (): string => {
  const { document } = globalThis as { document?: { documentElement: { lang: string } } }
  return document?.documentElement.lang || 'en'
}

/** A text in the language of the page. Its values are inserted as they are. */
export const text = (english: string, values: Values = {}): string =>
  (globalThis.pageTexts?.get(english) ?? english.replace(/\|\w+$/, '')).replace(/\{(\w+)\}/g, (whole, name) =>
    String(values[name] ?? whole),
  )

/** A text with a number, `{n}`. @param forms  those of English */
export const count = (n: number, forms: { one: string; other: string }, values: Values = {}): string =>
  text(n === 1 ? forms.one : forms.other, { ...values, n: n.toLocaleString(language()) })

/** Names the forms of a text that is shown later. */
export const countKey = (forms: { one: string; other: string }): { one: string; other: string } => forms

/** The language of a page: what its reader chose, else what the browser asks for, else English. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readCookie } from '../../base/read-cookie.ts'

/** The languages of the pages, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

export interface PageLocale {
  language: Language
  /** For dates and numbers, best first: the language, as it is written where the reader is. */
  locales: readonly string[]
}

/** The cookie in which a browser keeps what its person chose. */
export const LANGUAGE_COOKIE = 'scriptorium-language'

/** Maximum number of languages to read from a header. */
const MAX_LANGUAGES = 10
const ENGLISH: PageLocale = { language: 'en', locales: ['en-US'] }

const current = new AsyncLocalStorage<PageLocale>()

/** Renders in a language: each text that is asked for meanwhile is in it. */
export const inLocale = <T>(locale: PageLocale, work: () => T): T => current.run(locale, work)

/** The language of what is rendered here. English where no one reads a page, as in views within conversations. */
export const pageLocale = (): PageLocale => current.getStore() ?? ENGLISH

export const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name)

/** The language of a request. */
export function localeOf(headers: Headers): PageLocale {
  const accepted = acceptedLanguages(headers.get('accept-language'))
  const chosen = chosenLanguage(headers)
  const language = chosen ?? accepted.map(primaryOf).find(isLanguage) ?? 'en'
  return { language, locales: localesOf(language, accepted) }
}

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * A `Set-Cookie` header. It is for all pages of the server, also those without a space.
 *
 * @param language  undefined to leave it to the browser again
 */
export function languageCookie(
  language: Language | undefined,
  { root, isSecure }: { root: string; isSecure: boolean },
): string {
  const age = language === undefined ? 0 : YEAR_SECONDS
  return `${LANGUAGE_COOKIE}=${language ?? ''}; Path=${root}/; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** What the person chose; undefined if they left it to the browser. */
export function chosenLanguage(headers: Headers): Language | undefined {
  const kept = readCookie(headers.get('cookie'), LANGUAGE_COOKIE) ?? ''
  return isLanguage(kept) ? kept : undefined
}

const primaryOf = (tag: string): string => new Intl.Locale(tag).language

/** English is read everywhere: where the browser asks for none, dates are written as English is in its region. */
function localesOf(language: Language, accepted: readonly string[]): readonly string[] {
  const own = accepted.filter((tag) => primaryOf(tag) === language)
  if (own.length > 0) return own
  if (language === 'de') return ['de-DE']
  const { region } = new Intl.Locale(accepted[0] ?? 'en-US').maximize()
  return Intl.DateTimeFormat.supportedLocalesOf([`${language}-${region}`, 'en-US'])
}

/** The languages of a header that Node supports, best first; US English if there is none. */
export function acceptedLanguages(header: string | null): string[] {
  const ranked = (header ?? '')
    .slice(0, 200)
    .split(',')
    .slice(0, MAX_LANGUAGES)
    .map((part) => {
      const [, tag = '', quality = '1'] = /^\s*([A-Za-z0-9-]{2,35})\s*(?:;\s*q=([\d.]{1,5}))?\s*$/.exec(part) ?? []
      return { tag, quality: Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
  const known = ranked.flatMap(({ tag }) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(tag)
    } catch {
      return []
    }
  })
  return known.length > 0 ? known : ['en-US']
}

/** In which language a page is. */
import { expect, test } from 'vitest'
import { localeOf } from '../../../src/page/texts/language.ts'

const of = (accepted?: string, cookie?: string) =>
  localeOf(new Headers({ ...(accepted && { 'accept-language': accepted }), ...(cookie && { cookie }) }))

test.each<[string | undefined, string | undefined, string, string[]]>([
  [undefined, undefined, 'en', ['en-US']],
  ['de-AT,de;q=0.9,en;q=0.8', undefined, 'de', ['de-AT', 'de']],
  ['en-GB;q=0.5, de;q=0.8', undefined, 'de', ['de']],
  ['fr, de;q=0.3, en;q=0.7', undefined, 'en', ['en']],
  // Where the browser asks for no language of the pages, dates are as English is written in its region.
  ['fr', undefined, 'en', ['en-FR', 'en-US']],
  ['de;q=0, *', undefined, 'en', ['en-US']],
  ['de', 'scriptorium-language=en', 'en', ['en-DE', 'en-US']],
  ['en-US', 'other=1; scriptorium-language=de', 'de', ['de-DE']],
  ['en', 'scriptorium-language=toString', 'en', ['en']],
])('%s, and %s as the choice: %s', (accepted, cookie, language, locales) => {
  expect(of(accepted, cookie)).toEqual({ language, locales })
})

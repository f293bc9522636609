/** The choice of the language of the pages, which a browser keeps. */

import type { Page } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import { isLanguage, languageCookie } from '../texts/language.ts'
import { text } from '../texts/text.ts'

export const LANGUAGE_PATH = '/language'
/** In place of a language: what the browser asks for. */
export const AS_BROWSER = 'browser'

export const chooseLanguage: Page = {
  route: `POST ${LANGUAGE_PATH}`,
  async handle(call) {
    const { request, base, origin, root } = call.request
    const chosen = call.form.get('language') ?? ''
    if (chosen !== AS_BROWSER && !isLanguage(chosen))
      throw refused(text('Expected a language of the pages, found none; load the page again.'))
    // Back to the page on which it was chosen. The form is the same on each, also on parts that a script asked for.
    const before = request.headers.get('referer') ?? ''
    const place = before.split(`${base}/`, 2)[1]
    return {
      redirect: place === undefined ? '/' : `/${place}`,
      setCookie: languageCookie(isLanguage(chosen) ? chosen : undefined, {
        root,
        isSecure: origin.startsWith('https:'),
      }),
    }
  },
}

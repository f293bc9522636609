/** Every text of the pages is in the catalogs, and every text of the catalogs is on a page. */
import { expect, test } from 'vitest'
import { GERMAN_AREAS } from '../../../src/page/texts/german/german.ts'
import { pageSources, textsOf } from './page-texts.ts'

/** Scripts of the browser are not translated yet. */
const sources = pageSources().filter((file) => !file.startsWith('assets'))
const found = new Map(sources.map((file) => [file, textsOf(file)]))
const keys = [...found.values()].flatMap((texts) => texts.keys)

/** Words that are shown, and are the same in each language. */
const SAME_IN_EACH_LANGUAGE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '{} confirmed': 'the comment that confirms another one, as agents read it',
    'new documents': 'a key by which calls are grouped',
    'task {}': 'classes',
    'The text is the same.': 'a note of differences, compared with what is said',
    Ctrl: 'translated where the list of keys is shown',
    Esc: 'the name of a key',
  }),
)
/** Files whose words are not those of a page. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'transfers/export-json.ts': 'an export for programs',
    'render-views.ts': 'views within conversations, which have no language of their own',
    'icons.ts': 'drawings',
    'page-cookies.ts': 'headers',
    'page-response.ts': 'headers',
  }),
)

test('words are shown by text() or by a template', () => {
  const untranslated = [...found]
    .filter(([file]) => !OTHER_WORDS.has(file))
    .flatMap(([, texts]) => texts.untranslated)
    .filter(({ text }) => !SAME_IN_EACH_LANGUAGE.has(text))
  expect(untranslated.map(({ text, place }) => `${place}: ${text}`)).toEqual([])
})

const german = new Map(GERMAN_AREAS.flatMap((area) => Object.entries(area)))
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}|<\/?[a-z]+\d*>/g)].map(([one]) => one).sort()

test('every text has a German one', () => {
  const missing = keys.filter(({ text }) => !german.has(text))
  expect(missing.map(({ text, place }) => `${place}: ${text}`)).toEqual([])
})

test('no German text is left over, or stands in two files', () => {
  const used = new Set(keys.map(({ text }) => text))
  expect([...german.keys()].filter((key) => !used.has(key))).toEqual([])
  const all = GERMAN_AREAS.flatMap((area) => Object.keys(area))
  expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([])
})

test('a German text has the values and elements of the English one, and no other HTML', () => {
  for (const [english, text] of german) {
    expect(placeholders(text), english).toEqual(placeholders(english))
    const words = text.replace(/\{\w+\}|<\/?[a-z]+\d*>/g, '')
    expect(words, english).not.toMatch(/[<>]|&(?!\w+;)/)
  }
})

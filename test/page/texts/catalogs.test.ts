/** Every text of the pages is in the catalogs, and every text of the catalogs is on a page. */
import { describe, expect, test } from 'vitest'
import { GERMAN_AREAS, GERMAN_SCRIPT_AREAS } from '../../../src/page/texts/german/german.ts'
import { pageSources, textsOf } from './page-texts.ts'

const found = new Map(pageSources().map((file) => [file, textsOf(file)]))
const keysOf = (isScript: boolean) =>
  [...found].filter(([file]) => file.startsWith('assets') === isScript).flatMap(([, texts]) => texts.keys)

/** Words that are shown, and are the same in each language. */
const SAME_IN_EACH_LANGUAGE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '{} confirmed': 'the comment that confirms another one, as agents read it',
    'new documents': 'a key by which calls are grouped',
    'task {}': 'classes',
    'The text is the same.': 'a note of differences, compared with what is shown',
    'a.md-link, a.{}': 'a selector',
    'UL, OL': 'names of elements',
    KeyM: 'the name of a key',
    KeyR: 'the name of a key',
    '{} and {} more': 'the name of an import, which the same files have in each language',
    '{} tab {}': 'the name of what a browser stores',
    '{} last {}': 'the name of what a browser stores',
    'notice left-behind': 'classes',
    'hold line': 'classes',
    'translate({} {}) {}': 'a transformation',
    '{} { background: var(--wait-soft) }': 'a style',
    Scriptorium: 'the name of the program',
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
    'assets/activity-panel.ts': 'a cookie',
    'assets/beside.ts': 'a style',
    'assets/offline-worker.js': 'names of what a browser stores',
    'assets/calls.ts': 'names of what a browser stores',
    'assets/session-name.ts': 'names of what a browser stores',
    'assets/editor/editor-keys.ts': 'keys, and what they do to tables',
    'assets/editor/inserted-blocks.ts': 'names that are stored',
    'assets/editor/own-suggestions.ts': 'classes',
    'assets/view.js': 'the script of views within conversations',
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

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}|<\/?[a-z]+\d*>/g)].map(([one]) => one).sort()

describe.each([
  ['of the server', GERMAN_AREAS, keysOf(false)],
  // They are sent to the browser, all of them and no others.
  ['of scripts', GERMAN_SCRIPT_AREAS, keysOf(true)],
])('the texts %s', (_, areas, keys) => {
  const german = new Map(areas.flatMap((area) => Object.entries(area)))

  test('are all in German', () => {
    expect(keys.length).toBeGreaterThan(200)
    const missing = keys.filter(({ text }) => !german.has(text))
    expect(missing.map(({ text, place }) => `${place}: ${text}`)).toEqual([])
  })

  test('are all shown, and in one file', () => {
    const used = new Set(keys.map(({ text }) => text))
    expect([...german.keys()].filter((key) => !used.has(key))).toEqual([])
    const all = areas.flatMap((area) => Object.keys(area))
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([])
  })

  test('have the values and elements of the English ones, and no other HTML', () => {
    for (const [english, text] of german) {
      expect(placeholders(text), english).toEqual(placeholders(english))
      const words = text.replace(/\{\w+\}|<\/?[a-z]+\d*>/g, '')
      expect(words, english).not.toMatch(/[<>]|&(?!\w+;)/)
    }
  })
})

test('a text of the server and of scripts is the same in German', () => {
  const scripts = new Map(GERMAN_SCRIPT_AREAS.flatMap((area) => Object.entries(area)))
  const both = GERMAN_AREAS.flatMap((area) => Object.entries(area)).filter(([english]) => scripts.has(english))
  expect(both.length).toBeGreaterThan(10)
  expect(both.filter(([english, german]) => scripts.get(english) !== german)).toEqual([])
})

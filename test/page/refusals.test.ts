/** What a person reads when a form is refused: no paths and names of parameters, and in the language of the page. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type ErrorCode, HTTP_STATUS } from '../../src/base/errors.ts'
import { refused } from '../../src/page/page-refusal.ts'
import { refusalText as textOfRefusal } from '../../src/page/refusal-text.ts'
import { inLocale } from '../../src/page/texts/language.ts'
import { servePages, textOf, type Visited, type Visitor, visitAsOperator } from './visiting.ts'

const GERMAN = { 'accept-language': 'de' }
const alertOf = (page: Visited): string =>
  textOf({ ...page, text: /role="alert"[^>]*>[^<]*/.exec(page.text)?.[0] ?? '' })
const shown = (page: Visited): [number, string] => [page.status, alertOf(page).replace(/^role="alert">/, '')]
const idIn = ({ headers }: Visited): string => /\/(\d{12})/.exec(headers.get('location') ?? '')?.[1] ?? ''

const refusalText = (message: string, code: ErrorCode = 'VALIDATION_ERROR') => textOfRefusal({ message, code })
const inGerman = <T>(work: () => T): T => inLocale({ language: 'de', locales: ['de'] }, work)

let visitor: Visitor
let collection: string
beforeEach(async () => {
  visitor = await visitAsOperator(await servePages())
  const document = idIn(await visitor.post('/documents/new', { title: 'Library' }))
  collection = idIn(await visitor.post(`/d/${document}/collections/new`, { name: 'Books' }))
  await visitor.post(`/collections/${collection}/columns/new`, { name: 'Due', type: 'date' })
})

const noTitle = [
  'A title is missing. Spaces alone are not one.',
  'Es fehlt ein Titel. Leerzeichen allein sind keiner.',
] as const
const noName = [
  'A name is missing. Spaces alone are not one.',
  'Es fehlt ein Name. Leerzeichen allein sind keiner.',
] as const

test.for<[form: string, path: () => string, fields: Record<string, string>, english: string, german: string]>([
  ['New document', () => '/documents/new', { title: '   ' }, ...noTitle],
  ['New folder', () => '/folders/new', { name: '   ' }, ...noName],
  ['New row', () => `/collections/${collection}/items/new`, { title: '  ' }, ...noTitle],
  ['Invite a person', () => '/people/new', { name: ' ' }, ...noName],
  ['New group', () => '/groups/new', { name: ' ', do: 'save' }, ...noName],
  ['New column', () => `/collections/${collection}/columns/new`, { name: ' ', type: 'text' }, ...noName],
  [
    'a second column of a name',
    () => `/collections/${collection}/columns/new`,
    { name: 'Due', type: 'text' },
    'There is a column “Due” already. Choose another name.',
    'Eine Spalte „Due“ gibt es schon. Bitte einen anderen Namen wählen.',
  ],
  [
    'a day that is none',
    () => `/collections/${collection}/items/new`,
    { title: 'Emma', has: 'due', 'v.due': '31. Februar' },
    '“31. Februar” is no day of the calendar. Type year, month and day, such as 2026-12-24.',
    '„31. Februar“ ist kein Tag im Kalender. Bitte Jahr, Monat und Tag eingeben, etwa 2026-12-24.',
  ],
  [
    'a title that is too long',
    () => '/documents/new',
    { title: 'x'.repeat(3_000) },
    'That is too long: it has 3,000 characters, and 1,000 are possible. Leave some out.',
    'Das ist zu lang: 3.000 Zeichen, und 1.000 sind möglich. Bitte kürzen.',
  ],
  [
    'a link to no document',
    () => '/links/new',
    { kind: 'selected', do: 'make' },
    'No document is chosen. Choose at least one that the link reaches.',
    'Kein Dokument ist ausgewählt. Bitte mindestens eines wählen, das der Link erreicht.',
  ],
])('%s is refused in a sentence', async ([, path, fields, english, german]) => {
  expect(shown(await visitor.post(path(), fields))).toEqual([400, english])
  expect(shown(await visitor.post(path(), fields, GERMAN))).toEqual([400, german])
})

test('an address with a column that is not there is refused in a sentence', async () => {
  const path = `/collections/${collection}?sort=nope`
  const english = 'This collection has no column “nope”. It may have been renamed or deleted.'
  expect(shown(await visitor.get(path))).toEqual([400, english])
  const german = 'Diese Sammlung hat keine Spalte „nope“. Vielleicht wurde sie umbenannt oder gelöscht.'
  expect(shown(await visitor.get(path, GERMAN))).toEqual([400, german])
})

test('a folder that moves into its own child is refused in a sentence', () => {
  const message =
    'Expected a destination outside of the moved folders, found 443221603248, which is 862328047064 or stands in it; name another parentFolderId, or { "destination": "root" }.'
  expect(refusalText(`At steps[0].arguments.destination: ${message}`)).toBe(
    'A folder cannot be moved into itself, nor into a folder within it. Choose another place.',
  )
  expect(inGerman(() => refusalText(message))).toMatch(/^Ein Ordner kann nicht/)
})

test('what has no sentence of its own keeps its reason, without what only programs have names for', () => {
  const reasons = [
    ['At items[0].properties.stars: Expected 5. (2 more in details, and others)', 'Expected 5.'],
    ['Expected words that stand in block 100000000001; read it.', 'Expected words that stand in this block; read it.'],
    ['Found a document 100000000001 in the trash.', 'Found this document in the trash.'],
    ['At line 3, column 5: Expected a name.', 'At line 3, column 5: Expected a name.'],
    ['Expected block text, found 100000000001.', 'Expected block text, found 100000000001.'],
  ]
  expect(reasons.map(([message = '']) => refusalText(message))).toEqual(reasons.map(([, reason]) => reason))
})

test.each(Object.keys(HTTP_STATUS) as ErrorCode[])(
  '%s without a sentence of its own says in German what it means',
  (code) => {
    const sentence = inGerman(() => refusalText('At items[0]: Expected 5.', code))
    expect(sentence).toMatch(/^[A-ZÄÖÜ].+\. \(Auf Englisch: Expected 5\.\)$/)
    expect(sentence).not.toMatch(/\b(?:the|this|that|is|was)\b/i)
    expect(refusalText('At items[0]: Expected 5.', code)).toBe('Expected 5.')
  },
)

test('what a page itself refuses is a text of the page', () => {
  expect(inGerman(() => textOfRefusal(refused('Kein Bild ist ausgewählt.')))).toBe('Kein Bild ist ausgewählt.')
})

/** Answers to programs, which people do not see; and scripts in browsers, which have texts of their own. */
const FOR_PROGRAMS = /^src\/page\/(?:assets\/|pages\/(?:calls|document-people)-page\.ts)/

test('pages refuse in texts of the page: what is not there has one for all', () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('src/page/**/*.ts', { cwd: root }).filter((file) => !FOR_PROGRAMS.test(file))
  expect(files.length).toBeGreaterThan(100)
  const written = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /\binvalid\(|new ScriptoriumError\((?!\s*'NOT_FOUND_ERROR')|\brefused\((?!\s*(?:text|count)\()/g,
      ),
    ].map(([found]) => `${file}: ${found}`),
  )
  // Throw refused(text('…')) of page-refusal.ts, so that the sentence is in the language of the page.
  expect(written).toEqual([])
})

test('what was typed is named as it was typed', () => {
  const ofName = (found: string) =>
    refusalText(`Expected each name once, found ${found} on another property as well; x.`)
  expect(ofName(JSON.stringify('a "b" \\ c'))).toContain('column “a "b" \\ c” already')
  expect(ofName(`"${'x'.repeat(9)}…`)).toContain(`column “${'x'.repeat(9)}…” already`)
})

test('the time since when somebody takes part is a date, not an age', async () => {
  const ageOf = ({ text }: Visited) =>
    /<small>((?:Since|Seit) <time[^>]*>[^<]*)/.exec(text)?.[1]?.replace(/<[^>]*>/, '')
  expect(ageOf(await visitor.get('/links'))).toMatch(/^Since (?:\d|\w+, )/)
  expect(ageOf(await visitor.get('/links', GERMAN))).toMatch(/^Seit (?!vor |gerade|gestern)/)
})

test('Enter presses the main button of a form with a search field', async () => {
  const columns = `/collections/${collection}/columns/new`
  await visitor.post(columns, { name: 'Sequel', type: 'relation', target: collection })
  await visitor.post(`/collections/${collection}/items/new`, { title: 'Emma' })
  await visitor.post('/links/new', { kind: 'full', do: 'make', name: 'Port' })
  const link = /\/links\/(?!new)([\w-]+)"/.exec((await visitor.get('/links')).text)?.[1]
  const firstOf = async (path: string) => {
    const { text } = await visitor.get(path)
    const forms = [...text.matchAll(/<form([\s\S]*?)<\/form>/g)].map(([form]) => form)
    return forms
      .filter((form) => form.includes('value="search"'))
      .map((form) => /value="(\w+)"/.exec(/<button[^>]*>/.exec(form)?.[0] ?? '')?.[1] ?? '')
  }
  expect(await firstOf('/links/new')).toEqual(['make'])
  expect(await firstOf(`/links/${link}`)).toEqual(['save'])
  expect(await firstOf(`/collections/${collection}/items/new`)).toEqual([''])
  const { text } = await visitor.get(`/collections/${collection}`)
  const item = /\/items\/(\d{12})\//.exec(text)?.[1]
  expect(await firstOf(`/collections/${collection}/items/selected?item=${item}&key=sequel`)).toEqual([''])
})

test('a name that somebody has is refused in a sentence', async () => {
  expect((await visitor.post('/people/new', { name: 'Bob' })).status).toBe(200)
  const sentence = 'Somebody here is called “Bob” already. Choose another name.'
  expect(shown(await visitor.post('/people/new', { name: 'Bob' }))).toEqual([400, sentence])
})

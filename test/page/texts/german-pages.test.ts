/** The pages in German: none has an English text of the catalogs left. */
import { expect, test } from 'vitest'
import { GERMAN } from '../../../src/page/texts/german/german.ts'
import { preparedSpace } from '../../support/prepared-space.ts'
import { fillSampleSpace } from '../sample-space.ts'
import { servePages, type Visitor, visitAsOperator, visitByLink } from '../visiting.ts'

const filledSpace = preparedSpace(({ space }) => fillSampleSpace(space))
const inGerman = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' }

/** Characters from which a text is looked for within others. Shorter ones may be words of the content. */
const LONG = 14
const piecesOf = (text: string) => text.split(/\{\w+\}|<[^>]*>/).map((piece) => piece.trim().replace(/\|\w+$/, ''))
const germanPieces = new Set([...GERMAN.values()].flatMap(piecesOf))
const englishPieces = [...GERMAN.keys()]
  .flatMap(piecesOf)
  .filter((piece) => /[A-Za-z]{2}/.test(piece) && !germanPieces.has(piece))
const known = new Set(englishPieces)
const long = englishPieces.filter(({ length }) => length >= LONG)

/** What the sample space itself calls so. */
const CONTENT = new Set(['Inbox', 'Task inbox', 'Done', 'Number', 'Board', 'idle', 'open', 'done', 'Due', 'Title'])

const plain = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim()

/** The texts of a page, and those of attributes, that are English. */
function englishIn(page: string): string[] {
  const shown = page.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
  const texts = [
    ...[...shown.matchAll(/>([^<]+)</g)].map(([, text = '']) => text),
    ...[...shown.matchAll(/\s(?:title|aria-label|placeholder|alt)="([^"]+)"/g)].map(([, text = '']) => text),
  ].map(plain)
  return texts.filter((text) => !CONTENT.has(text) && (known.has(text) || long.some((piece) => text.includes(piece))))
}

/** The pages to which pages lead, each kind of address once. */
async function crawl(visitor: Visitor, visit: (path: string, page: string) => void): Promise<number> {
  const path = new URL(visitor.base).pathname
  const waiting = ['/', '/settings', '/links/new', '/export', '/import', '/activity', '/nowhere', '/waiting', '/for-me']
  const seen = new Set(waiting)
  const kinds = new Map<string, number>()
  let visited = 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { text, headers } = await visitor.get(next, inGerman)
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    visited++
    visit(next, text)
    for (const [, href = ''] of text.matchAll(/ (?:href|hx-get)="([^"#]+)/g)) {
      const address = href.replaceAll('&amp;', '&')
      if (!address.startsWith(`${path}/`)) continue
      const own = address.slice(path.length)
      const kind = own.replace(/\d{2,}/g, '0').replace(/=[^&]*/g, '=')
      if (seen.has(own) || (kinds.get(kind) ?? 0) >= 1) continue
      seen.add(own)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      waiting.push(own)
    }
  }
  return visited
}

test.each([
  ['the operator', visitAsOperator],
  [
    'a link that only proposes',
    (serving: Parameters<typeof visitByLink>[0]) => visitByLink(serving, { access: 'propose' }),
  ],
])('no page has an English text for %s', async (_, enter) => {
  const { made: _made, ...to } = await filledSpace()
  const visitor = await enter(await servePages({ to }))
  const left = new Map<string, string>()
  const visited = await crawl(visitor, (path, page) => {
    expect(page.includes('<!doctype') && !page.includes('<html lang="de">'), path).toBe(false)
    for (const text of englishIn(page)) if (!left.has(text)) left.set(text, path)
  })
  expect([...left].map(([text, path]) => `${path}: ${text}`)).toEqual([])
  expect(visited).toBeGreaterThan(40)
})

test('the language that a person chooses is kept, and dates follow it', async () => {
  const { made: _made, ...to } = await filledSpace()
  const visitor = await visitAsOperator(await servePages({ to }))
  const english = await visitor.get('/')
  expect(english.text).toContain('<html lang="en">')
  const chosen = await visitor.post('/language', { language: 'de' }, { referer: `${visitor.base}/tasks?scope=inbox` })
  expect(chosen.status).toBe(303)
  expect(new URL(chosen.headers.get('location') ?? '', visitor.base).href).toBe(`${visitor.base}/tasks?scope=inbox`)
  const [cookie = ''] = (chosen.headers.get('set-cookie') ?? '').split(';')
  const german = await visitor.get('/', { cookie: `${visitor.cookie}; ${cookie}`, 'accept-language': 'en-US' })
  expect(german.text).toContain('<html lang="de">')
  expect(german.text).toContain('Papierkorb')
  expect(german.text).toMatch(/<button[^>]*value="en" lang="en">English<\/button>/)
  expect((await visitor.post('/language', { language: 'xx' })).status).toBe(400)
})

test('the settings have the language of the pages, and leave it to the browser again', async () => {
  const visitor = await visitAsOperator(await servePages())
  const settings = await visitor.get('/settings')
  expect(settings.text).toContain('<option value="browser" selected>As the browser says</option>')
  expect(settings.text).not.toMatch(/<button[^>]*value="browser"/)
  const chosen = await visitor.post('/language', { language: 'de' }, { referer: `${visitor.base}/settings` })
  const cookie = `${visitor.cookie}; ${chosen.headers.get('set-cookie')?.split(';')[0]}`
  const german = await visitor.get('/settings', { cookie, 'accept-language': 'en-US' })
  expect(german.text).toContain('<option value="de" selected>Deutsch</option>')
  expect(german.text).toMatch(/<button[^>]*value="browser">Wie im Browser eingestellt<\/button>/)
  const again = await visitor.post('/language', { language: 'browser' }, { referer: `${visitor.base}/settings` })
  expect(again.headers.get('set-cookie')).toMatch(/^scriptorium-language=; Path=\/; Max-Age=0; /)
})

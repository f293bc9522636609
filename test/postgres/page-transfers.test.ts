/** Imports and exports on the pages of a space in a database. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openZip } from '../../src/import/zip-source.ts'
import { entriesOf, zipOf } from '../import/zips.ts'
import { servePages, textOf, type Visitor, visitAsOperator } from '../page/visiting.ts'
import { folder } from '../program.ts'
import { eventually } from '../support/eventually.ts'

const NOTES = {
  'Home.md': '# Home\n\n* starred, see [plan](Work/Plan.md)\n',
  'Work/Plan.md': '- [ ] A plan <kbd>K</kbd>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
}

const tokenOf = async (visitor: Visitor, path: string): Promise<string> =>
  /name="token" value="([^"]+)"/.exec((await visitor.get(path)).text)?.[1] ?? ''

const headersOf = ({ base, cookie }: Visitor) => ({ cookie, origin: new URL(base).origin })

/** Sends a zip of notes, looks at what would come in, and imports it. @returns the pages of both */
async function importOnPage(visitor: Visitor, notes: Record<string, string>) {
  const ended = (path: string) =>
    eventually(async () => {
      const page = await visitor.get(path)
      expect(page.text).not.toContain('data-running')
      return page
    })
  const pathOf = (address: string | null) =>
    new URL(address ?? '', visitor.base).pathname.slice(new URL(visitor.base).pathname.length)
  const body = new FormData()
  body.append('token', await tokenOf(visitor, '/import'))
  body.append('back', '/')
  body.append('file', new Blob([(await zipOf(entriesOf(notes))) as Uint8Array<ArrayBuffer>]), 'Notes.zip')
  const sent = await fetch(`${visitor.base}/import`, {
    ...{ method: 'POST', body, redirect: 'manual' },
    headers: headersOf(visitor),
  })
  expect(sent.status).toBe(303)
  const imported = await ended(pathOf(sent.headers.get('location')))
  const started = await visitor.press(imported, 'Import')
  return { imported: textOf(imported), done: textOf(await ended(pathOf(started.url))) }
}

async function exportOnPage(visitor: Visitor, fields: Record<string, string>): Promise<Buffer> {
  const response = await fetch(`${visitor.base}/export`, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams({ token: await tokenOf(visitor, '/export'), ...fields }),
    headers: headersOf(visitor),
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** The notes of a zip, by path. */
async function notesOf(bytes: Buffer): Promise<Record<string, string>> {
  const path = join(folder(), 'a.zip')
  writeFileSync(path, bytes)
  const source = await openZip(path, { name: 'a', title: 'a', maxBytes: 1_000_000 })
  onTestFinished(() => source.close())
  const notes: Record<string, string> = {}
  for (const file of source.files) {
    if (!file.path.endsWith('.md')) continue
    const parts: Uint8Array[] = []
    for await (const part of file.open()) parts.push(part)
    notes[file.path] = Buffer.concat(parts).toString()
  }
  return notes
}

test('notes are imported on the page of a space in a database, changed, and exported as they came', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const first = await importOnPage(visitor, NOTES)
  expect(first.imported).toMatch(/What “Notes” would bring .*What comes in 2 new documents/)
  expect(first.done).toMatch(/“Notes” was imported .*What came in 2 new documents/)
  const changed = { ...NOTES, 'Work/Plan.md': NOTES['Work/Plan.md'].replace('A plan', 'Another plan') }
  const second = await importOnPage(visitor, changed)
  expect(second.done).toContain('1 document')
  expect(await notesOf(await exportOnPage(visitor, { as: 'markdown', plain: 'true' }))).toEqual(changed)
  const { documents } = JSON.parse((await exportOnPage(visitor, { as: 'json' })).toString())
  expect(documents.map(({ title }: { title?: string }) => title)).toEqual(expect.arrayContaining(['Home', 'Plan']))
  const html = (await exportOnPage(visitor, { as: 'html' })).toString()
  expect(html).toContain('Another plan')
  expect(html).not.toMatch(/<script|own:/)
})

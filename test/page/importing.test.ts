/** Imports on the pages: a form with a file, the dry run, its decision, progress and report. */
import { randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { TITLE_LENGTH } from '../../src/base/limits.ts'
import { Archives } from '../../src/http/archives/archives.ts'
import { PageTransferRoutes, type TransferRequest } from '../../src/http/page-transfer-routes.ts'
import { openZip } from '../../src/import/zip-source.ts'
import { type ZippedFile, zipOfFiles } from '../../src/page/assets/transfer/zip-blob.ts'
import { buildSpace } from '../build.ts'
import { entriesOf, zipOf } from '../import/zips.ts'
import { folder } from '../program.ts'
import { eventually } from '../support/eventually.ts'
import { program as agent } from './sample-space.ts'
import { offers, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

const NOTES = { 'Home.md': '# Home\n\nSee [plan](Work/Plan.md).\n\n###### Deep\n', 'Work/Plan.md': '- [ ] A plan\n' }
const notes = (): Promise<Uint8Array> => zipOf(entriesOf(NOTES))

interface Sent {
  name?: string
  fields?: Record<string, string>
  headers?: Record<string, string>
}

/** Submits the form with a file, as a browser without scripts does. Follows the redirect. */
async function sendFile(visitor: Visitor, bytes: Uint8Array, { name = 'Notes.zip', fields, headers }: Sent = {}) {
  const page = await visitor.get('/import')
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const form = new FormData()
  for (const [field, value] of Object.entries({ token, back: '/', ...fields })) form.append(field, value)
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name)
  const response = await fetch(`${visitor.base}/import`, {
    ...{ method: 'POST', body: form, redirect: 'manual' },
    headers: { cookie: visitor.cookie, origin: new URL(visitor.base).origin, ...headers },
  })
  const to = response.headers.get('location')
  const path = to?.slice(new URL(visitor.base).pathname.length)
  return { status: response.status, text: await response.text(), path }
}

/** Begins to send a form with a file, and does not go on. */
async function sendSlowly({ base, cookie, get }: Visitor): Promise<Socket> {
  const token = /name="token" value="([^"]+)"/.exec((await get('/import')).text)?.[1] ?? ''
  const { host, hostname, port, pathname, origin } = new URL(base)
  const part = (about: string) => `--x\r\nContent-Disposition: form-data; ${about}\r\n\r\n`
  const body = `${part('name="token"')}${token}\r\n${part('name="file"; filename="a.zip"')}PK`
  const head = [
    ...[`POST ${pathname}/import HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`, `Cookie: ${cookie}`],
    ...['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 1000000'],
  ]
  const socket = connectSocket(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/** The page of an import, once it has ended. */
const ended = (visitor: Visitor, path = ''): Promise<Visited> =>
  eventually(async () => {
    const page = await visitor.get(path)
    expect(page.text).not.toContain('data-running')
    return page
  })

/** A server with a folder of its own for temporary files, of which none is left. */
async function served() {
  const temporary = folder()
  vi.stubEnv('TMPDIR', temporary)
  const serving = await servePages()
  const leftBehind = () => readdirSync(temporary).filter((name) => name.startsWith('scriptorium-import-'))
  onTestFinished(async () => {
    await serving.server.close()
    expect(leftBehind()).toEqual([])
    vi.unstubAllEnvs()
  })
  return { ...serving, leftBehind }
}

const titles = async ({ space }: Awaited<ReturnType<typeof served>>): Promise<string[]> =>
  (await agent(space, 'reader')('documents_list', {})).items.map(({ title }: { title: string }) => title).sort()

describe('an import', () => {
  test('is looked at before anything is written, then done and reported', async () => {
    const serving = await served()
    const visitor = await visitAsOperator(serving)
    expect(textOf(await visitor.get('/documents'))).toContain('Import…')
    const { status, path } = await sendFile(visitor, await notes())
    expect([status, path]).toEqual([303, expect.stringMatching(/^\/imports\/[\w-]+$/)])
    const shown = await ended(visitor, path)
    expect(textOf(shown)).toMatch(/What “Notes” would bring .*What comes in 2 new documents/)
    expect(textOf(shown)).toMatch(/What changes Nothing that is here\..*lost or different Different afterwards/)
    expect(textOf(shown)).toContain('Home.md:5')
    expect(await titles(serving)).toEqual([])

    const started = await visitor.press(shown, 'Import')
    const done = await ended(visitor, new URL(started.url).pathname.slice(new URL(visitor.base).pathname.length))
    expect(textOf(done)).toMatch(/“Notes” was imported .*What came in 2 new documents/)
    expect(await titles(serving)).toEqual(['Home', 'Plan'])
    // What a person imports is no agent at work.
    expect(textOf(await visitor.get('/now'))).not.toMatch(/\bimport\b|1 agent/)
    const changed = await zipOf(entriesOf({ ...NOTES, 'Work/Plan.md': '- [ ] Another plan\n' }))
    const next = textOf(await ended(visitor, (await sendFile(visitor, changed)).path))
    expect(next).toContain('No new document')
    expect(next).toContain('What changes 1 document that is here, as in the source')
    // What was decided is not decided twice.
    const again = await visitor.get(path ?? '')
    expect([offers(again, 'Import'), textOf(again)]).toEqual([false, expect.stringContaining('not kept any longer')])
  })

  test('of a format or a choice that the form does not offer is refused, and names those that it offers', async () => {
    const serving = await served()
    const visitor = await visitAsOperator(serving)
    const sent = async (fields: Record<string, string>) => {
      const { status, text } = await sendFile(visitor, await notes(), { fields })
      return [status, text]
    }
    const format = /Expected one of [\w, ]*obsidian[\w, ]* as as, found word; choose one of them\./
    expect(await sent({ as: 'word' })).toEqual([400, expect.stringMatching(format)])
    const box = 'Expected one of true as delete, found no; choose one of them.'
    expect(await sent({ delete: 'no' })).toEqual([400, expect.stringContaining(box)])
    expect(serving.leftBehind()).toEqual([])
  })

  test('that is cancelled leaves nothing, and what cannot be imported says why', async () => {
    const serving = await served()
    const visitor = await visitAsOperator(serving)
    const { path } = await sendFile(visitor, Buffer.from('Title;Year\nA;2001\n'), { name: 'Books.csv' })
    const shown = await ended(visitor, path)
    expect(textOf(shown)).toContain('What “Books.csv” would bring')
    expect(serving.leftBehind()).toHaveLength(1)
    await visitor.press(shown, 'Cancel')
    expect(textOf(await visitor.get(path ?? ''))).toContain('not kept any longer')
    expect(serving.leftBehind()).toEqual([])
    const refused = await sendFile(visitor, Buffer.from('x'), { name: 'a.one' })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('OneNote files are not read')])
    const none = await sendFile(visitor, Buffer.from(''), { name: '' })
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('Expected a file or a folder, found none')])
  })
})

describe('a file that is sent', () => {
  test('has a name that can be stored', async () => {
    const serving = await served()
    const visitor = await visitAsOperator(serving)
    for (const [name, sentence] of [
      [`${'a'.repeat(TITLE_LENGTH + 1)}.zip`, 'Expected a file with a name of 1 to 1,000 characters, found 1,001'],
      [' .zip', 'Expected a file with a name of 1 to 1,000 characters, found 0'],
      ['a\0.zip', 'found one with it; give the file another name'],
    ] as const) {
      const { status, text } = await sendFile(visitor, await notes(), { name })
      expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
    }
  })

  test('is one at a time, whoever sends it', async () => {
    const serving = await served()
    const [visitor, other] = [await visitAsOperator(serving), await visitByLink(serving)]
    const slow = await sendSlowly(visitor)
    await eventually(() => expect(serving.leftBehind()).toHaveLength(1))
    const refused = await sendFile(other, await notes())
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('found another in progress')])
    expect(serving.leftBehind()).toHaveLength(1)
    // A person who goes away leaves nothing, and holds up nobody.
    slow.destroy()
    await eventually(() => expect(serving.leftBehind()).toEqual([]))
    expect((await sendFile(other, Buffer.from('x'), { name: 'a.one' })).text).toContain('OneNote files are not read')
  })

  test('is kept for the next try if there is no room for its documents', async () => {
    const serving = await served()
    const visitor = await visitAsOperator(serving)
    const shown = await ended(visitor, (await sendFile(visitor, await notes())).path)
    const assertHas = () => {
      throw new ScriptoriumError('QUOTA_EXCEEDED', 'No room.')
    }
    const full = vi.spyOn(serving.space, 'roomFor').mockResolvedValue({ assertHas })
    const refused = await visitor.press(shown, 'Import')
    expect([refused.text.includes('No room.'), serving.leftBehind()]).toEqual([true, [expect.any(String)]])
    full.mockRestore()
    const started = await visitor.press(shown, 'Import')
    await ended(visitor, new URL(started.url).pathname.slice(new URL(visitor.base).pathname.length))
    expect(await titles(serving)).toEqual(['Home', 'Plan'])
  })
})

describe('who may import', () => {
  test('is who may over REST', async () => {
    const serving = await served()
    const { items } = await agent(serving.space, 'editor')('documents_add', { documents: [{ title: 'Plan' }] })
    const narrow = { kind: 'selected', documents: [items[0].id] } as const
    for (const link of [
      narrow,
      { kind: 'daily' },
      { access: 'no-delete' },
      { access: 'propose' },
      { access: 'read' },
    ]) {
      const visitor = await visitByLink(serving, link as Parameters<typeof visitByLink>[1])
      expect((await visitor.get('/import')).status, JSON.stringify(link)).toBe(404)
      expect((await sendFile(visitor, await notes())).status).toBe(404)
    }
  })

  test('sends the form of this page, and nobody else decides about the file', async () => {
    const serving = await served()
    const visitor = await visitAsOperator(serving)
    for (const [sent, sentence] of [
      [{ headers: { origin: 'http://evil.example' } }, 'not answered'],
      [{ headers: { origin: 'http://localhost:1' } }, 'This form is from elsewhere, or from an earlier session.'],
      [{ fields: { token: 'other' } }, 'This form is from elsewhere, or from an earlier session.'],
    ] as const) {
      const { path, text } = await sendFile(visitor, await notes(), sent)
      expect([path, text]).toEqual([undefined, expect.stringContaining(sentence)])
    }
    const { path } = await sendFile(visitor, await notes())
    await ended(visitor, path)
    const other = await visitByLink(serving)
    expect(textOf(await other.get(path ?? ''))).toContain('not kept any longer')
    expect((await other.post(`${path}/start`)).text).toContain('found none; choose the file again')
    await other.post(`${path}/stop`)
    expect(offers(await visitor.get(path ?? ''), 'Import')).toBe(true)
    // Other forms take no files, so that their token is always checked.
    const form = new FormData()
    form.append('document', '1')
    const headers = { cookie: visitor.cookie, origin: new URL(visitor.base).origin }
    const bare = await fetch(`${visitor.base}/trash/restore`, { method: 'POST', body: form, headers })
    expect(bare.status).toBe(403)
  })
})

test('an import of another space cannot be stopped by its ID', async () => {
  const { space } = await buildSpace()
  const archives = new Archives()
  const stop = vi.spyOn(archives.imports, 'stop')
  const caller = { space, link: await space.createAccessLink('full', []) }
  const call = { caller } as unknown as TransferRequest
  await expect(new PageTransferRoutes(archives).of(call).stop(randomUUID())).rejects.toThrow('Expected the ID of one')
  expect(stop).not.toHaveBeenCalled()
})

test('a folder that was dropped is sent as a zip with its names and times', async () => {
  const time = Date.UTC(2026, 10, 20, 14, 2, 11)
  const file = (path: string, text: string): ZippedFile => ({
    path,
    file: new File([text], path, { lastModified: time }),
  })
  const zip = await zipOfFiles([file('Übersicht.md', '# Plan\n'), file('Work/Empty.md', '')], 1_000)
  const path = join(folder(), 'a.zip')
  writeFileSync(path, new Uint8Array(await zip.arrayBuffer()))
  const source = await openZip(path, { name: 'a', title: 'a', maxBytes: 1_000 })
  onTestFinished(() => source.close())
  expect([source.problems, source.files.map((one) => [one.path, one.size, one.modifiedAt])]).toEqual([
    [],
    [
      ['Work/Empty.md', 0, time],
      ['Übersicht.md', 7, time],
    ],
  ])
  const parts: Uint8Array[] = []
  for await (const part of source.files[1]?.open() ?? []) parts.push(part)
  expect(Buffer.concat(parts).toString()).toBe('# Plan\n')
  await expect(zipOfFiles([file('a', 'long')], 3)).rejects.toThrow('too much for one import')
})

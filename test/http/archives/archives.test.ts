/** Whole archives over REST: imports, exports, and refusals. */

import { writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { IMPORTS_AT_ONCE } from '../../../src/base/limits.ts'
import { importStatus } from '../../../src/http/archives/import-jobs.ts'
import { IMPORT_FORMATS } from '../../../src/import/format-names.ts'
import { importTurns } from '../../../src/import/import-turns.ts'
import { openZip } from '../../../src/import/zip-source.ts'
import { type Quotas, sumOfBytes } from '../../../src/space/model/quota.ts'
import { buildSpace } from '../../build.ts'
import type { Answer } from '../../connect.ts'
import { entriesOf, replaced, type ZipEntry, zipOf } from '../../import/zips.ts'
import { folder } from '../../program.ts'
import { eventually } from '../../support/eventually.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { type ServingOptions, serveBuilt, type TestLink } from '../serving.ts'

const NOTES = { 'Home.md': '# Home\n\nSee [plan](Work/Plan.md).\n', 'Work/Plan.md': 'A plan.\n' }

async function served(
  input: Parameters<Awaited<ReturnType<typeof serveBuilt>>['link']>[0] = {},
  options: ServingOptions = {},
) {
  const serving = await serveBuilt(options)
  const link = await serving.link(input)
  const send = async (query: string, zip: Uint8Array) => {
    const response = await fetch(`${link.rest}/import?${query}`, {
      method: 'POST',
      body: zip as Uint8Array<ArrayBuffer>,
      headers: link.headers,
    })
    return { status: response.status, headers: response.headers, json: (await response.json()) as Answer }
  }
  return { ...serving, link, send }
}

/** Waits until an import has ended, and returns its result. */
const ended = ({ ask }: TestLink, id: string): Promise<Answer> =>
  eventually(async () => {
    const { json } = await ask(`GET /import/${id}`)
    expect(json.status).not.toBe('running')
    return json
  })

describe('import', () => {
  test('a zip is imported after the response, and its report can be requested', async () => {
    const { link, send } = await served()
    const { status, json, headers } = await send('name=Notes', await zipOf(entriesOf(NOTES)))
    expect([status, headers.get('location')]).toEqual([202, `import/${json.id}`])
    expect(json).toMatchObject({ name: 'Notes', status: 'running' })
    expect(await ended(link, json.id)).toMatchObject({
      status: 'done',
      documents: { done: 2, total: 2 },
      report: { format: 'markdown', counts: { added: 2, links: 1, failed: 0 }, problems: [] },
    })
    const { json: listed } = await link.ask('GET /documents')
    expect(listed.items.map(({ title }: Answer) => title).sort()).toEqual(['Home', 'Plan'])
  })

  test('a single file is imported by the extension of its name, and what is not read says what is', async () => {
    const { link, send } = await served()
    const csv = await send('name=lists/Books.csv', Buffer.from('Title;Year\nA;2001\n'))
    expect(await ended(link, csv.json.id)).toMatchObject({ report: { format: 'csv', counts: { added: 1 } } })
    expect((await link.ask('GET /documents')).json.items).toMatchObject([{ title: 'Books' }])
    const { status, json } = await send('name=a.one', Buffer.from('x'))
    expect([status, json.error]).toEqual([400, expect.stringMatching(/^OneNote files are not read: /)])
  })

  test('the same name again writes what changed; into, dryRun and as are respected', async () => {
    const { link, send } = await served()
    const first = await send('name=Notes&into=Old/Notes', await zipOf(entriesOf(NOTES)))
    await ended(link, first.json.id)
    const changed = await send('name=Notes', await zipOf(entriesOf({ ...NOTES, 'Work/Plan.md': 'Another plan.\n' })))
    expect((await ended(link, changed.json.id)).report.counts).toMatchObject({ added: 0, updated: 1, unchanged: 1 })
    const dry = await send('name=Other&dryRun=true&as=obsidian', await zipOf(entriesOf(NOTES)))
    expect((await ended(link, dry.json.id)).report).toMatchObject({
      format: 'obsidian',
      isDryRun: true,
      counts: { added: 2 },
    })
    const { json: folders } = await link.ask('GET /folders')
    expect(JSON.stringify(folders)).toContain('"Old"')
    expect((await link.ask('GET /documents')).json.items).toHaveLength(2)
  })

  test('one import of a space runs at a time, and the end of the server stops it', async () => {
    const { link, send, server, space } = await served({}, { limits: { requests: 0, blocks: 3 } })
    const zip = await zipOf(entriesOf({ 'A.md': 'a\n', 'B.md': 'b\n' }))
    const { json } = await send('name=Notes', zip)
    const second = await send('name=More', zip)
    expect([second.status, second.json.error]).toEqual([
      409,
      `Expected no other import of this space to run, found ${json.id}; ask GET /import/${json.id} until it is done.`,
    ])
    expect((await link.ask(`GET /import/${json.id}`)).json.status).toBe('running')
    await server.close()
    // Any server of the space knows.
    expect(await importStatus(space, json.id)).toMatchObject({ status: 'stopped', report: { counts: { failed: 0 } } })
  })

  describe('while other imports of the server have all turns', () => {
    /** Takes all turns. @returns a function that ends them */
    async function takeTurns(): Promise<() => void> {
      const others = Array.from({ length: IMPORTS_AT_ONCE }, () => ({ giveUp: () => {} }))
      for (const other of others) await importTurns.run(other, async () => {})
      const end = () => {
        for (const other of others) importTurns.end(other)
      }
      onTestFinished(end)
      return end
    }

    test.each([
      ['imported', NOTES, { status: 'done', report: { counts: { added: 2 } } }],
      ['refused in its status', { 'a.bin': 'x' }, { status: 'failed', error: { code: 'VALIDATION_ERROR' } }],
    ])('the request is answered, and it waits before it is %s', async (_, files, result) => {
      const { link, send } = await served()
      const endOthers = await takeTurns()
      const { status, json } = await send('name=Notes', await zipOf(entriesOf(files)))
      expect([status, json.status]).toEqual([202, 'running'])
      expect((await link.ask(`GET /import/${json.id}`)).json.status).toBe('running')
      endOthers()
      expect(await ended(link, json.id)).toMatchObject(result)
    })
  })

  test('an import stops where a quota is used up, says so with its report, and goes on once there is room', async () => {
    const quotas: Quotas = {}
    const { link, send, space } = await served({}, { to: await buildSpace(undefined, { quotas }) })
    const used = async () => sumOfBytes((await space.storedBytes()).space)
    const notes = Array.from({ length: 60 }, (_, index) => [`Note ${index}.md`, `${index} ${'word '.repeat(400)}`])
    const zip = await zipOf(entriesOf(Object.fromEntries(notes)))
    quotas.space = (await used()) + 60_000
    const { status, error, report } = await ended(link, (await send('name=Notes', zip)).json.id)
    expect([status, error.code]).toEqual(['stopped', 'QUOTA_EXCEEDED'])
    expect(error.error).toContain('Expected the space to stay within its quota of ')
    const { added, failed } = report.counts
    expect(added).toBeGreaterThan(0)
    expect(failed).toBeGreaterThan(0)
    expect(added + failed).toBeLessThan(60)
    expect(await used()).toBeLessThanOrEqual(quotas.space)
    expect((await link.ask('GET /documents')).json.items).toHaveLength(added)
    quotas.space = 1
    const full = await send('name=Notes', zip)
    expect([full.status, full.json.code]).toEqual([507, 'QUOTA_EXCEEDED'])
    // A dry run writes nothing.
    expect((await send('name=Notes&dryRun=true', zip)).status).toBe(202)
    delete quotas.space
    await eventually(async () => {
      const again = await send('name=Notes', zip)
      expect(again.status).toBe(202)
      expect(await ended(link, again.json.id)).toMatchObject({ status: 'done', report: { counts: { failed: 0 } } })
    })
    expect((await link.ask('GET /documents')).json.items).toHaveLength(60)
  })

  const refusals: [string, string, Record<string, string>, string][] = [
    [
      'no name',
      '',
      NOTES,
      'Expected name in the query, of 1 to 1,000 characters, found none; a later import of the same name changes what changed.',
    ],
    [
      'an unknown field',
      'name=a&nme=b',
      NOTES,
      'Expected name, as, into, collections, dryRun, delete in the query, found nme; did you mean name?',
    ],
    [
      'an unknown format',
      'name=a&as=word',
      NOTES,
      `Expected the parameter as to be one of ${IMPORT_FORMATS.join(', ')}, found word; use one of these.`,
    ],
    ['a name with NUL', 'name=a%00b', NOTES, 'Expected text as name, found the character NUL at 1; leave it out.'],
    ['a flag that is none', 'name=a&dryRun=2', NOTES, 'Expected true or false as dryRun, found 2.'],
    [
      'nothing that is known',
      'name=a',
      { 'a.bin': 'x' },
      `Expected files of a known format (${IMPORT_FORMATS.join(', ')}), found none in a; name its format with --as.`,
    ],
    [
      'a whole space',
      'name=a',
      { ...NOTES, 'old/space/scriptorium.json': '{"format":"scriptorium-space","version":1}' },
      'Expected documents to import, found the export of a whole space, old/space/scriptorium.json; run `scriptorium import` on the folder or zip of that file, with --space and a new file, to make a space of it, or leave it out.',
    ],
  ]
  test('what cannot be imported is rejected at once, and prevents no other import', async () => {
    const { link, send } = await served()
    for (const [what, query, files, message] of refusals) {
      const { status, json } = await send(query, await zipOf(entriesOf(files)))
      expect([what, status, json.error]).toEqual([what, 400, message])
    }
    expect((await send('name=again', await zipOf(entriesOf(NOTES)))).status).toBe(202)
    expect((await link.ask('GET /documents')).status).toBe(200)
  })

  test('a malicious archive is rejected, or leaves nothing behind', async () => {
    const { link, send } = await served()
    const bomb = await zipOf([{ path: 'a.md', content: Buffer.alloc(4 * 1024 * 1024) }])
    expect((await send('name=bomb', bomb)).json.error).toMatch(
      /^Expected files at most 200 times as large as packed, found one of 4,194,304 bytes in /,
    )
    expect((await send('name=none', Buffer.from('PK nothing'))).json.error).toMatch(
      /^Expected a zip, found import\.zip, which cannot be read as one: /,
    )
    const entries: ZipEntry[] = [
      ...entriesOf({ 'aa/outside.md': 'No.', 'good.md': 'See ![](../../../etc/passwd) and ![](/etc/hostname).\n' }),
      { path: 'link.md', content: '/etc/passwd', mode: 0o120777 },
    ]
    const { json } = await send('name=harm', replaced(await zipOf(entries), 'aa/outside.md', '../outside.md'))
    const { report } = await ended(link, json.id)
    expect(report.counts).toMatchObject({ added: 1, files: 0 })
    expect(report.problems.map(({ path, message }: Answer) => `${path}: ${message}`)).toEqual([
      '../outside.md: Its name is invalid or leads out of the archive.',
      'good.md: A link to a file that is not there is kept as it is.',
      'good.md: A link to a file that is not there is kept as it is.',
      'link.md: It is a symbolic link or a device.',
    ])
  })
})

test('other links have neither, and other methods are rejected', async () => {
  const serving = await serveBuilt()
  const selected = await serving.link({ kind: 'daily' })
  for (const line of ['POST /import?name=a', 'GET /export', 'GET /import/1']) {
    const { status, json } = await selected.ask(line)
    expect([status, json.code]).toEqual([404, 'NOT_AVAILABLE'])
  }
  const reading = await serving.link({ access: 'read' })
  expect((await reading.ask('GET /export')).json.error).toBe(
    'Expected a link with access full, found access read; ask the person who made the link for another.',
  )
  const full = await serving.link()
  expect((await full.ask('GET /import?name=a')).json.error).toBe('Expected POST on /import, found GET.')
  expect((await full.ask('DELETE /export')).status).toBe(405)
  expect((await full.ask('GET /import/nothing')).json.error).toBe(
    'Expected the ID of one of the last 10 imports of this space, found nothing; send the zip again under the same name: what came in already is not written again.',
  )
  expect((await full.ask('GET /export?as=json')).json.error).toBe(
    'Expected the parameter as to be markdown or obsidian, found json, which holds all links and sign-ins of the space; run `scriptorium export --as json` where the space is.',
  )
})

test('an export is a zip of the documents, as a vault', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const { json } = await link.ask('POST /documents', {
    documents: [{ title: 'Plan' }, { title: 'Other' }],
    destination: { destination: 'unsorted' },
  })
  const [plan] = json.items.map((one: Answer) => one.id ?? one.documentId)
  const files = async (query: string) => {
    const response = await fetch(`${link.rest}/export${query}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const path = join(folder(), 'export.zip')
    writeFileSync(path, Buffer.from(await response.arrayBuffer()))
    const source = await openZip(path)
    onTestFinished(() => source.close())
    return source.files.map((file) => file.path)
  }
  const manifest = '.scriptorium/manifest.json'
  expect(await files('')).toEqual([manifest, 'Other.md', 'Plan.md'])
  expect(await files(`?documents=${plan}`)).toEqual([manifest, 'Plan.md'])
  expect((await link.ask('GET /export?documents=123456789012')).json.error).toBe(
    'Expected IDs of documents to export, found 123456789012, which is none.',
  )
})

test('OpenAPI describes them to links that have them', async () => {
  const serving = await serveBuilt()
  const paths = async (input: Parameters<typeof serving.link>[0]) => {
    const { json } = await (await serving.link(input)).ask('GET /openapi.json')
    expect((await new Validator().validate(json)).errors).toBeUndefined()
    return Object.keys(json.paths).filter((path) => /^\/(?:import|export)/.test(path))
  }
  expect(await paths({})).toEqual(['/import', '/import/{id}', '/export'])
  expect(await paths({ access: 'read' })).toEqual([])
})

describe('a temporary folder', () => {
  const refused = (path: unknown) => Promise.reject(new Error(`EPERM: no, rm '${path}'`))
  const isOurs = (path: unknown) => /scriptorium-(?:import|export)-/.test(String(path))
  /** Removing such a folder fails until the test has finished. */
  const forbidRemoval = () =>
    replaceBuiltin(promises, 'rm', (real) => (path, options) => (isOurs(path) ? refused(path) : real(path, options)))
  const cannotRemove = expect.stringMatching(/Expected to remove the folder .*scriptorium-\w+-\w+, found this: .*EPERM/)

  test('that cannot be removed is logged, and the export arrives', async () => {
    const { link, noted } = await served()
    forbidRemoval()
    for (let count = 1; count <= 2; count++) {
      const response = await fetch(`${link.rest}/export`, { headers: link.headers })
      expect([response.status, (await response.arrayBuffer()).byteLength > 0]).toEqual([200, true])
      await eventually(() => expect(noted).toEqual(Array(count).fill(cannotRemove)))
    }
  })

  test('that cannot be removed is logged, and the import is done', async () => {
    const { link, send, noted } = await served()
    forbidRemoval()
    const { json } = await send('name=Notes', await zipOf(entriesOf(NOTES)))
    expect(await ended(link, json.id)).toMatchObject({ status: 'done' })
    await eventually(() => expect(noted).toEqual([cannotRemove]))
    expect((await send('name=Other', await zipOf(entriesOf(NOTES)))).status).toBe(202)
  })

  test('that cannot be removed does not hide why a zip is refused', async () => {
    const { send, noted } = await served()
    forbidRemoval()
    const { status, json } = await send('name=Notes', new Uint8Array([1, 2, 3]))
    expect([status, json.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(noted).toEqual([cannotRemove])
  })

  test('that cannot be made blocks no later export', async () => {
    const { link } = await served()
    let isFull = true
    replaceBuiltin(promises, 'mkdtemp', (real) => {
      const mkdtemp = (prefix: string) => (isFull ? Promise.reject(new Error('ENOSPC: no')) : real(prefix))
      return mkdtemp as typeof real
    })
    expect((await link.ask('GET /export')).status).toBe(500)
    isFull = false
    expect((await fetch(`${link.rest}/export`, { headers: link.headers })).status).toBe(200)
  })
})

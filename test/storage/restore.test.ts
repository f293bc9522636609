/** A backup replaces a space: the old content is kept in a copy, and nothing issued before is valid any more. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { diagnoseSpace } from '../../src/cli/doctor/findings.ts'
import { generateIds, newUuid } from '../../src/space/model/ids.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { indexedText } from '../../src/space/search/indexed-text.ts'
import { createBackup } from '../../storage/sqlite/copies/backup.ts'
import { restoreSpace } from '../../storage/sqlite/copies/restore.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { keepLog } from '../keep-log.ts'
import { folder } from '../program.ts'
import { fixtures, unpack } from '../schemas/fixtures.ts'
import { connectionOf } from '../sqlite.ts'

const NOW = Date.parse('2026-11-23T07:16:14Z')
const OPTIONS = { keepsAccess: false, replacesOther: false, now: NOW, words: async () => indexedText }

/** Creates a space with content, and a backup of it. */
async function filled(): Promise<{ path: string; file: string; backup: string }> {
  const path = folder()
  const file = join(path, 'space.sqlite')
  unpack('29-former', file)
  await (await openSpace(file, { keepsCopy: false })).close()
  const { path: backup } = await createBackup(file, join(path, 'backup.sqlite'), NOW)
  return { path, file, backup }
}

function rows<T>(file: string, sql: string): T[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.prepare<[], T>(sql).all()
  } finally {
    sqlite.close()
  }
}

const change = (file: string, sql: string): void => {
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
}

const texts = 'SELECT n, text FROM block ORDER BY n'
const beside = (path: string): string[] =>
  readdirSync(path).filter((name) => name.startsWith('space.sqlite') && !/-(wal|shm)$/.test(name))

describe('a restored space', () => {
  test('is that of the backup with its files, and the previous one is kept', async () => {
    const { path, file, backup } = await filled()
    const before = rows(file, texts)
    change(file, "UPDATE block SET text = 'later'; DELETE FROM block_file; DELETE FROM change")
    const later = rows(file, texts)
    // The next opening removes the bytes of files that no block shows.
    await (await openSpace(file)).close()
    const restored = await restoreSpace(backup, file, OPTIONS)
    expect(restored).toMatchObject({ previous: `${file}.before-restore-2026-11-23`, damagedFiles: [] })
    expect(rows(file, texts)).toEqual(before)
    expect(rows(restored.previous ?? '', texts)).toEqual(later)
    expect(beside(path)).toEqual(['space.sqlite', 'space.sqlite.before-restore-2026-11-23', 'space.sqlite.files'])
    const space = await openSpace(file)
    onTestFinished(() => space.close())
    for (const { hash } of rows<{ hash: string }>(file, 'SELECT hash FROM file')) {
      expect(await space.files.has(hash)).toBe(true)
    }
  })

  test('has no lease any more, and gives out greater fences than ever before', async () => {
    const path = folder()
    const file = join(path, 'space.sqlite')
    const claim = async (more: object = {}) => {
      const { space, clock } = await buildSpace(file)
      const { call } = await connect('full', { to: { space, clock } })
      await call('tasks_add', { tasks: [{ markdown: 'One', taskInfo: { scheduleDate: 'today' } }] })
      const { items } = await call('items_claim', { lease: 86_400, scope: 'inbox', ...more })
      const held = (await call('tasks_list', { scope: 'inbox' })).items.filter((task: object) => 'heldBy' in task)
      await space.close()
      return { fences: items.map(({ fence }: { fence: number }) => fence), held: held.length }
    }
    const { fences: first } = await claim()
    const { path: backup } = await createBackup(file, join(path, 'backup.sqlite'), NOW)
    change(file, 'UPDATE lease_clock SET fence = fence + 1000000000000')
    const { fences: later } = await claim()
    await restoreSpace(backup, file, OPTIONS)
    const after = await claim()
    expect([later[0] > first[0], after.fences[0] > later[0], after.held]).toEqual([true, true, 1])
  })

  test('of a killed server is not changed by its old WAL, which is not lost either', async () => {
    const { file, backup } = await filled()
    const storage = await openStorage(file)
    const leaveLog = keepLog(file)
    await storage.write(async (tx) => void connectionOf(tx).sql("UPDATE block SET text = 'in the log'").run())
    await storage.close()
    leaveLog()
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    const { previous = '' } = await restoreSpace(backup, file, OPTIONS)
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(rows(file, texts)).toEqual(rows(backup, texts))
    expect(new Set(rows<{ text: string }>(previous, texts).map(({ text }) => text))).toEqual(new Set(['in the log']))
  })

  test('replaces a file that is no longer a database', async () => {
    const { file, backup } = await filled()
    writeFileSync(file, 'x'.repeat(8192))
    writeFileSync(`${file}-wal`, 'log')
    const { previous = '' } = await restoreSpace(backup, file, OPTIONS)
    expect(rows(file, texts)).toEqual(rows(backup, texts))
    expect(readFileSync(previous, 'utf8')).toBe('x'.repeat(8192))
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  test('can be created where there was none', async () => {
    const { path, backup } = await filled()
    const file = join(path, 'new', 'other.sqlite')
    expect(await restoreSpace(backup, file, OPTIONS)).not.toHaveProperty('previous')
    expect(rows(file, texts)).toEqual(rows(backup, texts))
    expect(readdirSync(join(path, 'new')).sort()).toEqual(['other.sqlite', 'other.sqlite.files'])
  })

  test('keeps the previous files when two backups are restored one after another', async () => {
    const { file, backup } = await filled()
    const first = await restoreSpace(backup, file, OPTIONS)
    const second = await restoreSpace(first.previous ?? '', file, OPTIONS)
    expect(second.previous).toBe(`${file}.before-restore-2026-11-23-2`)
    expect(second.damagedFiles).toEqual([])
    expect(first.damagedFiles).toEqual([])
  })
})

/** Flips one bit in the middle of a text of a file. */
function flip(file: string, text: string): void {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
}

describe('the content of a backup', () => {
  test('is compared with its checksum, whatever its name', async () => {
    const { path, file, backup } = await filled()
    expect(await restoreSpace(backup, file, OPTIONS)).toMatchObject({ isContentVerified: true, damagedFiles: [] })
    for (const side of ['', '.files', '.sha256']) renameSync(`${backup}${side}`, join(path, `moved${side}`))
    expect(await restoreSpace(join(path, 'moved'), file, OPTIONS)).toMatchObject({ isContentVerified: true })
  })

  test('is not verified without checksums, as in backups of older versions', async () => {
    const { file, backup } = await filled()
    rmSync(`${backup}.sha256`)
    const restored = await restoreSpace(backup, file, OPTIONS)
    expect(restored).toMatchObject({ isContentVerified: false, damagedFiles: [] })
    const again = await restoreSpace(restored.previous ?? '', file, OPTIONS)
    expect(again.isContentVerified).toBe(false)
  })

  test('is examined by doctor, until the backup is used as a space', async () => {
    const { backup } = await filled()
    const checksum = async () => (await diagnoseSpace(backup)).find(({ what }) => what === 'Checksum')
    expect(await checksum()).toEqual({ what: 'Checksum', found: 'ok' })
    flip(backup, 'Words with')
    expect(await checksum()).toMatchObject({
      found: expect.stringMatching(/differs from its SHA-256/),
      fault: 'damaged',
    })
    await (await openSpace(backup)).close()
    expect(await checksum()).toEqual({ what: 'Checksum', found: expect.stringMatching(/in use since/) })
  })
})

test('a backup of a schema that is not migrated is rejected without changes, with what to do first', async () => {
  const { path, file, backup } = await filled()
  change(backup, 'PRAGMA user_version = 28')
  rmSync(`${backup}.sha256`)
  const before = [beside(path), rows(file, texts)]
  await expect(restoreSpace(backup, file, OPTIONS)).rejects.toThrow(
    `Expected a space of schema 29 or newer, found schema 28 in ${backup}; restore it with commit 29836bdd of Scriptorium, open it with that, and make a new backup.`,
  )
  change(backup, 'PRAGMA user_version = 99')
  await expect(restoreSpace(backup, file, OPTIONS)).rejects.toThrow(`found schema 99 in ${backup}; update Scriptorium`)
  expect([beside(path), rows(file, texts)]).toEqual(before)
})

test.each(fixtures())('a backup of schema %s is indexed when it is restored', async (name) => {
  const path = folder()
  const [backup, file] = [join(path, 'backup.sqlite'), join(path, 'space.sqlite')]
  unpack(name, backup)
  await restoreSpace(backup, file, OPTIONS)
  const findings = await diagnoseSpace(file)
  expect(findings).toContainEqual({ what: 'Search', found: 'ok' })
  expect(findings.filter(({ fault }) => fault !== undefined)).toEqual([])
})

describe('is rejected without changes:', () => {
  const unchanged = async (path: string, work: () => Promise<unknown>, message: RegExp | string) => {
    const before = beside(path)
    await expect(work()).rejects.toThrow(message)
    expect(beside(path)).toEqual(before)
  }

  test('a space that a program has open', async () => {
    const { path, file, backup } = await filled()
    const storage = await openStorage(file)
    onTestFinished(() => storage.close())
    await storage.write(async (tx) => void connectionOf(tx).sql("UPDATE block SET text = 'now'").run())
    await unchanged(
      path,
      () => restoreSpace(backup, file, OPTIONS),
      /^Expected a space that no program has open, found .* in use; end the program that serves it, and try again\.$/,
    )
    await storage.write(async (tx) => void connectionOf(tx).sql("UPDATE block SET text = 'still writing'").run())
    expect(rows<{ text: string }>(file, texts)[0]?.text).toBe('still writing')
  })

  test('a damaged backup', async () => {
    const { path, file, backup } = await filled()
    const bytes = readFileSync(backup)
    writeFileSync(backup, Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 7)]))
    const before = rows(file, texts)
    await unchanged(path, () => restoreSpace(backup, file, OPTIONS), /damaged|malformed/)
    expect(rows(file, texts)).toEqual(before)
  })

  test('a backup of another space, unless it may replace that', async () => {
    const { path, file, backup } = await filled()
    change(file, "UPDATE space SET id = 'other', name = 'Work'")
    const before = rows(file, texts)
    const [{ id, name } = {}] = rows<{ id?: string; name?: string }>(backup, 'SELECT id, name FROM space')
    await unchanged(
      path,
      () => restoreSpace(backup, file, OPTIONS),
      `Expected a backup of the space in ${file}, "Work" (ID other), found that ${backup} is of another space, "${name}" (ID ${id}); nothing was changed. Check both paths, or add --replace to put the backup there: the space that is there now is kept beside it.`,
    )
    expect(rows(file, texts)).toEqual(before)
    const { previous = '' } = await restoreSpace(backup, file, { ...OPTIONS, replacesOther: true })
    expect(rows(file, 'SELECT id FROM space')).toEqual([{ id }])
    expect(rows(previous, 'SELECT id FROM space')).toEqual([{ id: 'other' }])
  })

  test('a backup with one flipped bit of text', async () => {
    const { path, file, backup } = await filled()
    const before = rows(file, texts)
    flip(backup, 'Words with')
    await unchanged(
      path,
      () => restoreSpace(backup, file, OPTIONS),
      `Expected ${backup} as it was backed up, found that it differs from its SHA-256 in ${backup}.sha256: it was damaged or written to; nothing was changed. Restore another backup, or remove that file to restore this one without comparing its content.`,
    )
    expect(rows(file, texts)).toEqual(before)
    writeFileSync(`${backup}.sha256`, 'no checksum')
    await unchanged(path, () => restoreSpace(backup, file, OPTIONS), /^Expected the SHA-256 of backup\.sqlite/)
  })

  test('an invalid backup, the space itself, and a folder', async () => {
    const { path, file, backup } = await filled()
    const other = join(path, 'other')
    writeFileSync(other, 'x'.repeat(4096))
    await unchanged(path, () => restoreSpace(other, file, OPTIONS), /file is not a database; the space is as it was/)
    await unchanged(path, () => restoreSpace(join(path, 'none'), file, OPTIONS), /^Expected the file of a backup/)
    await unchanged(path, () => restoreSpace(file, file, OPTIONS), /found that file itself/)
    mkdirSync(join(path, 'folder'))
    await unchanged(path, () => restoreSpace(backup, join(path, 'folder'), OPTIONS), /found the folder/)
  })
})

describe('access', () => {
  const access = (file: string) => ({
    open: rows(file, 'SELECT id FROM link WHERE revoked_at IS NULL').length,
    identities: rows(file, 'SELECT n FROM identity').length,
    passwords: rows(file, 'SELECT participant FROM password').length,
  })

  test('ends with a restore, and so do sign-ins', async () => {
    const { file, backup } = await filled()
    expect(access(backup)).toEqual({ open: 2, identities: 1, passwords: expect.any(Number) })
    writeFileSync(`${file}.sign-in`, 'sessions')
    const { previous } = await restoreSpace(backup, file, OPTIONS)
    expect(access(file)).toEqual({ open: 0, identities: 0, passwords: 0 })
    expect(existsSync(`${file}.sign-in`)).toBe(false)
    expect(readFileSync(`${previous}.sign-in`, 'utf8')).toBe('sessions')
  })

  test('stays if that is requested', async () => {
    const { file, backup } = await filled()
    writeFileSync(`${file}.sign-in`, 'sessions')
    await restoreSpace(backup, file, { ...OPTIONS, keepsAccess: true })
    expect(access(file)).toEqual(access(backup))
    expect(readFileSync(`${file}.sign-in`, 'utf8')).toBe('sessions')
  })
})

describe('long IDs', () => {
  const PREFIX = '01234567-89ab-8cde-8f01'
  const prefixes = (file: string) =>
    rows<{ id_prefix: string; is_current: number }>(file, 'SELECT * FROM address_key ORDER BY is_current DESC').map(
      ({ id_prefix }) => id_prefix,
    )
  const secretOf = (file: string) => rows<{ secret: string }>(file, 'SELECT secret FROM space')[0]?.secret ?? ''

  test('stay those of the backup, in place and elsewhere', async () => {
    const path = folder()
    const [backup, file] = [join(path, 'backup.sqlite'), join(path, 'space.sqlite')]
    unpack('29-former', backup)
    const [idPrefix] = prefixes(backup)
    await restoreSpace(backup, file, OPTIONS)
    expect(prefixes(file)).toEqual([idPrefix])
    expect(secretOf(file)).not.toBe(secretOf(backup))
    await restoreSpace(backup, file, OPTIONS)
    expect(prefixes(file)).toEqual([idPrefix])
  })

  test('are read as those of the replaced space, too', async () => {
    const path = folder()
    const [backup, file] = [join(path, 'backup.sqlite'), join(path, 'space.sqlite')]
    unpack('29-former', backup)
    unpack('29-former', file)
    change(file, `UPDATE address_key SET id_prefix = '${PREFIX}'`)
    await restoreSpace(backup, file, OPTIONS)
    const both = [PREFIX, ...prefixes(backup)]
    expect(prefixes(file)).toEqual(both)
    // Restoring it again changes nothing, nor does a later change of the secret.
    await restoreSpace(backup, file, OPTIONS)
    change(file, `UPDATE space SET secret = '${'b'.repeat(64)}'`)
    expect(prefixes(file)).toEqual(both)
    const space = await openSpace(file, { clock: () => NOW })
    onTestFinished(() => space.close())
    const { call } = await connect('full', { to: { space, clock: { now: NOW } } })
    const { items } = await call('documents_list')
    for (const prefix of both) {
      expect((await call('blocks_get', { id: `${prefix}-${items[0].id}` })).id).toBe(items[0].id)
    }
  })

  test('of another space that is replaced mean nothing', async () => {
    const { file, backup } = await filled()
    change(file, "UPDATE space SET id = 'other'; UPDATE address_key SET id_prefix = '00000000-0000-8000-8000'")
    await restoreSpace(backup, file, { ...OPTIONS, replacesOther: true })
    expect(prefixes(file)).toEqual(prefixes(backup))
  })
})

test('cursors, revisions and stored responses from before are invalid', async () => {
  const file = join(folder(), 'space.sqlite')
  const built = await buildSpace(file)
  const { call, client } = await connect('full', { to: built })
  const { items } = await call('documents_add', {
    documents: [{ title: 'One', markdown: 'text' }, { title: 'Two' }, { title: 'Three' }],
  })
  const [{ id }] = items
  const read = await client.callTool({ name: 'blocks_get', arguments: { id, format: 'markdown' } })
  const [, revision] = /Revision (\S+?)\./.exec(JSON.stringify(read.content)) ?? []
  const { pagination } = await call('documents_list', { limit: 1 })
  const keyed = { ...{ name: 'documents_add', arguments: { documents: [{ title: 'Once' }] } }, _meta: KEYED }
  await client.callTool(keyed)
  const { path } = await createBackup(file, `${file}.backup`, NOW)
  await built.space.close()

  await restoreSpace(path, file, OPTIONS)
  const later = await connect('full', { to: await buildSpace(file, { newUuid, generateIds: generateIds }) })
  expect(await later.refused('documents_list', { limit: 1, cursor: pagination.cursor })).toContain(
    'Expected the cursor of an earlier answer',
  )
  const edit = { pageId: id, markdown: '# One\n\nchanged', revision }
  expect(revision).toBeDefined()
  expect(await later.refused('blocks_update', edit)).toMatch(/changed/)
  await later.client.callTool(keyed)
  const titles = (await later.call('documents_list')).items.map(({ title }: { title: string }) => title)
  expect(titles).toEqual(['One', 'Two', 'Three', 'Once', 'Once'])
})

const KEYED = { 'scriptorium/idempotencyKey': 'k' }

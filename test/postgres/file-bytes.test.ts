/** What every storage for file bytes has in common: the disk, the database, and a bucket. */
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openDatabaseSpace, openSpace } from '../../src/space/open-space.ts'
import type { Bucket } from '../../storage/bucket/bucket.ts'
import { SizeLimitExceeded, type WrittenFile } from '../../storage/bytes/file-bytes.ts'
import { TEST_DATABASE } from '../build.ts'
import { folder } from '../program.ts'
import { changeRows, firstValue, rowsOf } from '../sqlite.ts'
import { type S3Server, startS3 } from '../storage/bucket/s3-server.ts'

let s3: S3Server
let bucket: Bucket
beforeAll(async () => {
  s3 = await startS3()
  bucket = s3.open('spaces')
})
afterAll(() => s3.stop())

const OPTIONS = { name: 'Files', timezone: 'UTC' }
const openInDatabase = (name: string, filesBucket?: Bucket): Promise<OpenSpace> =>
  openDatabaseSpace(`${TEST_DATABASE}#${name}`, { ...OPTIONS, ...(filesBucket && { filesBucket }) })

async function opened(opening: Promise<OpenSpace>): Promise<OpenSpace> {
  const space = await opening
  onTestFinished(() => space.close())
  return space
}

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

const keep = async (space: OpenSpace, ...texts: string[]): Promise<WrittenFile> => {
  const written = await space.files.write(pieces(...texts), 10_000_000)
  await space.write(OPERATOR_LINK, ({ tx }) => space.files.commit(written, tx))
  return written
}

const textOf = async (space: OpenSpace, file: WrittenFile, range?: { start: number; end: number }): Promise<string> =>
  Buffer.concat(await (await space.files.read(file, range)).toArray()).toString()

const PLACES: Readonly<Record<string, () => Promise<OpenSpace>>> = {
  'the disk': () => openSpace(join(folder(), 'space.sqlite'), OPTIONS),
  'the database': () => openInDatabase(randomUUID()),
  'a bucket': () => openInDatabase(randomUUID(), bucket),
}

describe.each(Object.entries(PLACES))('%s', (_, openPlace) => {
  test('returns what it stores, in whole and in part', async () => {
    const space = await opened(openPlace())
    const written = await keep(space, '0123', '456789')
    expect(written).toMatchObject({ size: 10, head: Buffer.from('0123456789') })
    expect([await textOf(space, written), await textOf(space, written, { start: 3, end: 5 })]).toEqual([
      '0123456789',
      '345',
    ])
    const all = await space.read(OPERATOR_LINK, ({ tx }) => space.files.readAll(written.hash, tx, 10))
    expect(String(all)).toBe('0123456789')
    await space.files.verifyPresent(written)
    expect([await space.files.has(written.hash), await space.files.has('0'.repeat(64))]).toEqual([true, false])
  })

  test('stores no partial file, and none that is too large', async () => {
    const space = await opened(openPlace())
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('cut off')
    }
    await expect(space.files.write(broken(), 100)).rejects.toThrow('cut off')
    await expect(space.files.write(pieces('one', 'two'), 5)).rejects.toThrow(SizeLimitExceeded)
    expect(await space.files.hasFiles()).toBe(false)
  })

  test('removes unreferenced files', async () => {
    const space = await opened(openPlace())
    const [kept, unnamed] = [await keep(space, 'kept'), await keep(space, 'unnamed')]
    const remove = () =>
      space.write(OPERATOR_LINK, ({ tx }) => space.files.deleteUnreferenced(new Set([kept.hash]), tx))
    expect([await remove(), await remove()]).toEqual([1, 0])
    await space.files.sweep()
    expect([await space.files.has(kept.hash), await space.files.has(unnamed.hash)]).toEqual([true, false])
  })

  test('reports missing bytes', async () => {
    const space = await opened(openPlace())
    const none = { hash: '0'.repeat(64), size: 4 }
    await expect(space.files.verifyPresent(none)).rejects.toThrow(
      'Expected the bytes of the file as they were added, found that they are missing on the disk of this server; add the file again, or restore a backup (`scriptorium doctor` lists such files).',
    )
    await expect(space.files.read(none)).rejects.toMatchObject({ code: 'FILE_DAMAGED' })
  })
})

const objectOf = (space: OpenSpace, { hash }: WrittenFile): Promise<string> =>
  space.read(OPERATOR_LINK, async ({ tx }) =>
    String(await firstValue(tx, 'SELECT object FROM file_bytes WHERE hash = ?', hash)),
  )
const noted = (space: OpenSpace): Promise<object[]> =>
  space.read(OPERATOR_LINK, ({ tx }) => rowsOf(tx, 'SELECT object FROM unreferenced_object ORDER BY object'))
const makeDue = (space: OpenSpace): Promise<number> =>
  space.write(OPERATOR_LINK, ({ tx }) =>
    changeRows(tx, "UPDATE unreferenced_object SET delete_after = delete_after - interval '2 days'"),
  )

describe('in a bucket', () => {
  const LARGE = 'large '.repeat(400_000)

  test('large files are verified while they are read, and before a part is returned', async () => {
    const space = await opened(openInDatabase(randomUUID(), bucket))
    const written = await keep(space, LARGE)
    expect(await textOf(space, written)).toBe(LARGE)
    expect(await textOf(space, written, { start: 6, end: 10 })).toBe('large')
    const changed = Buffer.from(LARGE.replace('large', 'LARGE'))
    const { createHash } = await import('node:crypto')
    const { Readable } = await import('node:stream')
    const hash = createHash('sha256').update(changed).digest('hex')
    const object = await objectOf(space, written)
    await bucket.put(object, { size: changed.byteLength, hash, open: () => Readable.from([changed]) })
    const damaged =
      'Expected the bytes of the file as they were added, found that they were changed in the bucket of this server; add the file again, or restore a backup (`scriptorium doctor` lists such files).'
    await expect(textOf(space, written)).rejects.toThrow(damaged)
    await expect(textOf(space, written, { start: 6, end: 10 })).rejects.toThrow(damaged)
    await bucket.delete(object)
    await expect(space.files.verifyPresent(written)).rejects.toThrow(damaged.replace('were changed', 'are missing'))
    // Adding the file again repairs it.
    await keep(space, LARGE)
    expect(await textOf(space, written, { start: 6, end: 10 })).toBe('large')
  })

  test('bytes are there before their transaction begins, and an upload in progress is not swept', async () => {
    const space = await opened(openInDatabase(randomUUID(), bucket))
    const written = await space.files.write(pieces('under way'), 100)
    const [note] = (await noted(space)) as { object: string }[]
    expect(await bucket.size(note?.object ?? '')).toBe(9)
    expect(await space.files.sweep()).toBe(0)
    await space.write(OPERATOR_LINK, ({ tx }) => space.files.commit(written, tx))
    expect([await noted(space), await textOf(space, written)]).toEqual([[], 'under way'])
  })

  test('leftovers of a call are deleted with it, or after a while', async () => {
    const space = await opened(openInDatabase(randomUUID(), bucket))
    const discarded = await space.files.write(pieces('discarded'), 100)
    const [{ object }] = (await noted(space)) as [{ object: string }]
    await discarded.discard()
    expect([await noted(space), await bucket.size(object)]).toEqual([[], undefined])
    const rolledBack = await space.files.write(pieces('rolled back'), 100)
    const failing = space.write(OPERATOR_LINK, async ({ tx }) => {
      await space.files.commit(rolledBack, tx)
      throw new Error('failed')
    })
    await expect(failing).rejects.toThrow('failed')
    await rolledBack.discard()
    const [left] = (await noted(space)) as { object: string }[]
    await makeDue(space)
    expect([await space.files.sweep(), await space.files.sweep()]).toEqual([1, 0])
    expect(await bucket.size(left?.object ?? '')).toBeUndefined()
  })

  test('a call that took a day is rejected, since its bytes may have been swept', async () => {
    const space = await opened(openInDatabase(randomUUID(), bucket))
    const written = await space.files.write(pieces('slow'), 100)
    await makeDue(space)
    await expect(space.write(OPERATOR_LINK, ({ tx }) => space.files.commit(written, tx))).rejects.toThrow(
      'Expected a call that adds a file to end within 23 hours of its upload, found a longer one; nothing was written, send the file again.',
    )
  })

  test('older files outside of it can be read, and those in it need it', async () => {
    const name = randomUUID()
    const before = await openInDatabase(name)
    const old = await keep(before, 'old')
    await before.close()
    const space = await opened(openInDatabase(name, bucket))
    // Opening removes files that no block shows.
    const [again, young] = [await keep(space, 'old'), await keep(space, 'young')]
    expect([old.hash, await textOf(space, again), await textOf(space, young)]).toEqual([again.hash, 'old', 'young'])
    const without = await import('../../storage/postgres/file-bytes.ts')
    const storage = {
      read: (work: never) => space.read(OPERATOR_LINK, ({ tx }) => (work as (tx: unknown) => never)(tx)),
    }
    await expect(new without.DatabaseFileBytes(storage as never).read(young)).rejects.toThrow(
      'Expected the bucket that has the bytes of the file, found a server without one; ask the person who runs it to name it with --files-bucket.',
    )
  })

  test('spaces have folders of their own', async () => {
    const space = await opened(openInDatabase(randomUUID(), bucket))
    const written = await keep(space, 'apart')
    expect(await objectOf(space, written)).toMatch(new RegExp(`^${space.info.id}/${written.hash}-[0-9a-f]{16}$`))
    expect(readdirSync(join(s3.folder, 'spaces'))).toContain(space.info.id)
  })
})

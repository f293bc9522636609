/** Zips, including hostile ones: nothing outside of them is touched, and damaged ones are reported. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSource } from '../../src/import/open-source.ts'
import { openZip } from '../../src/import/zip-source.ts'
import { entriesOf, replaced, zipAt, zipOf } from './zips.ts'

async function opened(bytes: Uint8Array, maxBytes?: number) {
  const source = await openZip(zipAt(bytes), maxBytes === undefined ? {} : { maxBytes })
  onTestFinished(() => source.close())
  return source
}

async function textOf(file: { open(): AsyncIterable<Uint8Array> } | undefined): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of file?.open() ?? []) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('a zip has its files with their times', async () => {
  const { files, problems, title } = await opened(await zipOf(entriesOf({ 'b.md': 'two', 'a/Grüße.md': 'one' })))
  expect([title, problems]).toEqual(['export', []])
  expect(files.map(({ path, size, modifiedAt }) => [path, size, modifiedAt])).toEqual([
    ['a/Grüße.md', 3, Date.parse('2024-03-01T12:00:00Z')],
    ['b.md', 3, Date.parse('2024-03-01T12:00:00Z')],
  ])
  expect(await textOf(files[0])).toBe('one')
})

test('zips in a zip are one source, and temporary files are removed', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('scriptorium-zip-'))
  const parts = {
    'Part-1.zip': await zipOf(entriesOf({ 'a.md': '1' })),
    'Part-2.zip': await zipOf(entriesOf({ 'b.md': '2' })),
  }
  const source = await openZip(zipAt(await zipOf(entriesOf(parts))))
  expect(source.files.map(({ path }) => path)).toEqual(['a.md', 'b.md'])
  expect(await textOf(source.files[1])).toBe('2')
  await source.close()
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('scriptorium-zip-'))).toEqual(before)
})

test('entries whose reading is broken off while others are read harm nothing', async () => {
  const bytes = Buffer.alloc(300_000, 'words')
  const entries = Array.from({ length: 40 }, (_, index) => ({ path: `${index}.bin`, content: bytes, isPacked: false }))
  const source = await openZip(zipAt(await zipOf(entries)))
  const heads = await Promise.all(
    source.files.map(async ({ open }) => {
      for await (const head of open()) return bytes.subarray(0, head.byteLength).equals(head)
      return false
    }),
  )
  expect(heads).toEqual(entries.map(() => true))
  // Closing does not wait for reads that nobody waits for.
  await source.close()
})

test('zips nested more deeply, or next to other files, are files', async () => {
  let bytes = await zipOf(entriesOf({ 'a.md': '1' }))
  for (let depth = 0; depth < 5; depth++) bytes = await zipOf(entriesOf({ [`${depth}.zip`]: bytes }))
  expect((await opened(bytes)).files.map(({ path }) => path)).toEqual(['1.zip'])
  const beside = await zipOf(entriesOf({ 'a.md': '1', 'b.zip': await zipOf(entriesOf({ 'c.md': '2' })) }))
  expect((await opened(beside)).files.map(({ path }) => path)).toEqual(['a.md', 'b.zip'])
})

describe('skipped, with the reason', () => {
  const reasons = async (bytes: Buffer) => {
    const { files, problems } = await opened(bytes)
    return [files.map(({ path }) => path), problems.map(({ path, message }) => `${path}: ${message}`)]
  }

  test.each([
    ['AA/evil.md', '../evil.md'],
    ['Aetc/cron.md', '/etc/cron.md'],
    ['C_/evil.md', 'C:/evil.md'],
    ['AAA\u0001A', 'AAA\u0002A'],
    ['a/AA/b.md', 'a/../b.md'],
  ])('a name that leads out of the archive: %s as %s', async (name, evil) => {
    const bytes = replaced(await zipOf(entriesOf({ [name]: 'x', 'good.md': 'y' })), name, evil)
    expect(await reasons(bytes)).toEqual([['good.md'], [`${evil}: Its name is invalid or leads out of the archive.`]])
  })

  test('symlinks and devices', async () => {
    const link = { path: 'link.md', content: '/etc/passwd', mode: 0o120777 }
    const device = { path: 'device', content: '', mode: 0o020666 }
    expect(await reasons(await zipOf([link, device, { path: 'good.md', content: 'y' }]))).toEqual([
      ['good.md'],
      ['link.md: It is a symbolic link or a device.', 'device: It is a symbolic link or a device.'],
    ])
  })

  test('a second entry with the same name', async () => {
    const bytes = await zipOf([
      { path: 'a.md', content: '1' },
      { path: 'a.md', content: '2' },
    ])
    expect(await reasons(bytes)).toEqual([['a.md'], ['a.md: Another entry has the same name.']])
  })

  test('very deep entries, and without a report what systems leave behind', async () => {
    const deep = `${'d/'.repeat(65)}a.md`
    const files = { [deep]: '1', '__MACOSX/a.md': '2', 'x/.DS_Store': '3', 'good.md': '4' }
    expect(await reasons(await zipOf(entriesOf(files)))).toEqual([
      ['good.md'],
      [`${deep}: It is more than 64 folders deep.`],
    ])
  })
})

describe('rejected', () => {
  test('a file that unpacks to far more than its size', async () => {
    await expect(opened(await zipOf(entriesOf({ 'bomb.md': Buffer.alloc(20_000_000) })))).rejects.toThrow(
      /^Expected files at most 200 times as large as packed, found one of 20,000,000 bytes in [\d,]+; unpack the zip and import the folder, if you trust it\.$/,
    )
  })

  test('files that unpack to too much in total', async () => {
    const bytes = await zipOf(entriesOf({ 'a.md': 'x'.repeat(60), 'b.md': 'y'.repeat(60) }))
    await expect(opened(bytes, 100)).rejects.toThrow(
      'Expected at most 100 bytes in the zip, unpacked, found more; import parts of it one by one.',
    )
  })

  test.each([
    ['files', ['a.md', 'b.md', 'c.md']],
    ['entries that are no files', ['a.md', '__MACOSX/a', '__MACOSX/b', '__MACOSX/c', '__MACOSX/d']],
  ])('too many %s', async (_, paths) => {
    const path = zipAt(await zipOf(paths.map((name) => ({ path: name, content: '' }))))
    await expect(openZip(path, { maxFiles: 2 })).rejects.toThrow(
      'Expected at most 2 files to import at once, found more; import folders of it one by one.',
    )
  })

  test('a file that is not a zip', async () => {
    await expect(opened(Buffer.from('PK\u0003\u0004 and so on'))).rejects.toThrow(
      /^Expected a zip, found export\.zip, which cannot be read as one: .+\.$/,
    )
  })
})

describe('an entry that contradicts its header', () => {
  test('by its bytes fails when it is read, and the others are read', async () => {
    const entries = [
      { path: 'a.md', content: 'as it was packed', isPacked: false },
      { path: 'b.md', content: 'sound' },
    ]
    const { files } = await opened(replaced(await zipOf(entries), 'as it was packed', 'as it is by now!'))
    await expect(textOf(files[0])).rejects.toThrow(
      'Expected the bytes that were packed, found others: the zip is damaged.',
    )
    expect(await textOf(files[1])).toBe('sound')
  })

  test('by its size fails when it is read', async () => {
    const bytes = await zipOf([{ path: 'a.md', content: 'x'.repeat(1000) }])
    // The size in the central directory.
    const at = bytes.indexOf('PK\u0001\u0002', 'latin1') + 24
    bytes.writeUInt32LE(10, at)
    const { files } = await opened(bytes)
    await expect(textOf(files[0])).rejects.toThrow('too many bytes in the stream')
  })
})

test('a file is a zip by its name and first bytes, and others are imported directly', async () => {
  const zip = zipAt(await zipOf(entriesOf({ 'a.md': '1' })))
  const source = await openSource(zip, ':memory:')
  onTestFinished(() => source.close())
  expect(source.files.map(({ path }) => path)).toEqual(['a.md'])
  const other = await openSource(zipAt(Buffer.from('words'), 'a.md'), ':memory:')
  expect(other.files.map(({ path }) => path)).toEqual(['a.md'])
})

test('names that state no encoding are read by detection, which the report names', async () => {
  const bytes = replaced(await zipOf(entriesOf({ 'xxxxxx.md': 'words' })), 'xxxxxx', '\x93\xfa\x96\x7b\x8c\xea')
  const { files, problems } = await opened(bytes)
  expect(files.map(({ path }) => path)).toEqual(['日本語.md'])
  expect(problems).toEqual([
    {
      path: 'export.zip',
      kind: 'changed',
      message: 'Names in this zip were read as Shift_JIS, since they do not state an encoding and are not UTF-8.',
    },
  ])
})

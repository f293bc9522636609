import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SizeLimitExceeded } from '../../storage/bytes/file-bytes.ts'
import { FileStore } from '../../storage/bytes/file-store.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { png } from '../picture.ts'
import { folder } from '../program.ts'
import { rowsOf } from '../sqlite.ts'
import { storedBytes } from '../stored-bytes.ts'

const END = { position: 'end', date: 'today' }

/** Returns the names of the stored files of a space. */
const keptIn = (space: string): string[] =>
  existsSync(`${space}.files`)
    ? readdirSync(`${space}.files`, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? entry.name : [],
      )
    : []

/** Deleted content is not retained. */
const FORGETTING = { historyRetention: 0 }

describe('a file', () => {
  test('that is an image becomes an image block, with its dimensions', async () => {
    const connected = await connect()
    const picture = png(40, 30)
    const { blockId, assetUrl, dailyNoteDate } = await connected.call('files_add', {
      position: END,
      data: picture.toString('base64'),
      mimeType: 'image/png',
    })
    expect(assetUrl).toMatch(/^scriptorium:\/\/files\/\d{12}$/)
    expect(dailyNoteDate).toBe('2026-11-20')
    expect(await connected.call('blocks_get', { id: blockId })).toMatchObject({
      type: 'image',
      url: assetUrl,
      markdown: `![](${assetUrl})`,
      uploaded: true,
      width: 'auto',
      aspectRatio: 1.3333,
      mimeType: 'image/png',
      fileSize: picture.length,
    })
    expect((await storedBytes(connected, blockId)).equals(picture)).toBe(true)
  })

  test('of text becomes a file block with its name', async () => {
    const connected = await connect()
    const document = await documentOf(connected, 'before')
    const [before] = await contentOf(connected, document)
    const { blockId, assetUrl } = await connected.call('files_add', {
      position: { position: 'before', siblingId: before.id },
      text: 'a;b\n1;2',
      mimeType: 'text/csv',
      fileName: 'Zahlen, ü.csv',
    })
    const [block] = await contentOf(connected, document)
    expect(block).toMatchObject({
      id: blockId,
      type: 'file',
      url: assetUrl,
      fileName: 'Zahlen, ü.csv',
      mimeType: 'text/csv',
      fileSize: 7,
    })
  })

  test('is accepted as base64 of any usual form, and as large as a call may be', async () => {
    const connected = await connect()
    const add = async (data: string) =>
      storedBytes(connected, (await connected.call('files_add', { position: END, data })).blockId)
    for (const data of [
      'aGk/Pg==',
      'aGk_Pg',
      'aGk/\r\nPg==\n',
      'data:text/plain;base64,aGk/Pg==',
      'data:;base64,aGk/Pg',
    ]) {
      expect((await add(data)).toString(), data).toBe('hi?>')
    }
    // The maximum for a single call, if the space allows files of that size.
    const large = Buffer.alloc(Math.min(5 * 1024 * 1024, connected.space.files.maxSize), 'x')
    expect((await add(large.toString('base64'))).equals(large)).toBe(true)
    const larger = Buffer.alloc(5.5 * 1024 * 1024, 'x').toString('base64')
    expect(await connected.refused('files_add', { position: END, data: larger })).toBe(
      'Expected data of at most 5 MiB, found 5.5; leave data out for an address that takes larger files.',
    )
  })

  test('without a type gets the detected one', async () => {
    const connected = await connect()
    const typeOf = async (data: Buffer) => {
      const { blockId } = await connected.call('files_add', { position: END, data: data.toString('base64') })
      const { type, mimeType } = await connected.call('blocks_get', { id: blockId })
      return [type, mimeType]
    }
    expect(await typeOf(png(1, 1))).toEqual(['image', 'image/png'])
    expect(await typeOf(Buffer.from('words'))).toEqual(['file', 'text/plain'])
    expect(await typeOf(Buffer.from([0, 1, 2, 3]))).toEqual(['file', 'application/octet-stream'])
    expect(await typeOf(Buffer.from('%PDF-1.7\n%âãÏÓ\n'))).toEqual(['file', 'application/pdf'])
  })

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/png'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'image/svg+xml'],
    ['text', 'words', 'video/mp4'],
  ])('of %s that claims to be displayable is stored, but not displayed: %s as %s', async (_, text, mimeType) => {
    const connected = await connect()
    const { blockId } = await connected.call('files_add', { position: END, text, mimeType })
    const block = await connected.call('blocks_get', { id: blockId })
    expect(block.type).toBe('file')
    expect(block.mimeType).not.toBe(mimeType)
  })

  test('that is stored twice exists once, until no block shows it and no history names it', async () => {
    const path = join(folder(), 'space.sqlite')
    const built = await buildSpace(path, FORGETTING)
    const connected = await connect('full', { to: built })
    const add = async () => (await connected.call('files_add', { position: END, text: 'the same' })).blockId
    const [one, other] = [await add(), await add()]
    expect(keptIn(path)).toHaveLength(1)
    await connected.call('blocks_delete', { blockIds: [one] })
    const again = await buildSpace(path, FORGETTING)
    expect(keptIn(path)).toHaveLength(1)
    expect((await storedBytes({ ...connected, ...again }, other)).toString()).toBe('the same')
    await connected.call('blocks_delete', { blockIds: [other] })
    await buildSpace(path, FORGETTING)
    expect(keptIn(path)).toEqual([])
  })

  test('whose bytes may be gone is referenced by no row, however their removal ends', async () => {
    const path = join(folder(), 'space.sqlite')
    const built = await buildSpace(path, FORGETTING)
    const connected = await connect('full', { to: built })
    const { blockId } = await connected.call('files_add', { position: END, text: 'shown no more' })
    await connected.call('blocks_delete', { blockIds: [blockId] })
    // A folder cannot be removed like a file.
    mkdirSync(join(`${path}.files`, '00', 'in-the-way'), { recursive: true })
    await expect(buildSpace(path, FORGETTING)).rejects.toThrow('EISDIR')
    const link = await built.space.createAccessLink('full', [], 'test')
    const rows = await built.space.read(link, ({ tx }) => rowsOf(tx, 'SELECT * FROM file'))
    expect(rows).toEqual([])
  })

  test('is copied with its block, and moves in Markdown from page to page', async () => {
    const connected = await connect()
    const { items } = await connected.call('documents_add', {
      documents: [{ title: 'T' }],
      destination: { destination: 'templates' },
    })
    const { assetUrl } = await connected.call('files_add', {
      position: { position: 'end', pageId: items[0].id },
      data: png(2, 2).toString('base64'),
    })
    const copy = await connected.call('documents_add', { documents: [{ title: 'C', templateId: items[0].id }] })
    const [copied] = await contentOf(connected, copy.items[0].id)
    expect((await storedBytes(connected, copied.id)).equals(png(2, 2))).toBe(true)
    const pasted = await documentOf(connected, `![picture](${assetUrl})`)
    const [block] = await contentOf(connected, pasted)
    expect((await storedBytes(connected, block.id)).length).toBeGreaterThan(0)
  })

  test('of another document cannot be read by naming it: an ID is not a secret', async () => {
    const full = await connect()
    const hidden = await documentOf(full)
    const { assetUrl } = await full.call('files_add', { position: { position: 'end', pageId: hidden }, text: 'hidden' })
    const document = await documentOf(full)
    const selected = await connect('selected', { to: full, documents: [document] })
    const position = { position: 'end', pageId: document }
    const { items } = await selected.call('blocks_add', { markdown: `[x](${assetUrl} "file")`, position })
    await expect(storedBytes(full, items[0].id)).rejects.toThrow()
  })
})

describe('a rejected file leaves nothing', () => {
  test.each<[string, object, string]>([
    ['nothing to keep', {}, 'Expected text, data or path, found none; give the bytes of the file, or the path of one.'],
    [
      'two sources',
      { text: 'a', data: 'YQ==' },
      'Expected one of text, data and path, found text and data; give the bytes once.',
    ],
    ['an empty file', { text: '' }, 'Expected a file with content, found an empty one; send its bytes.'],
    [
      'no base64',
      { data: '?!' },
      'Expected data as base64, found characters that are none; encode the bytes, or give text.',
    ],
    ...['YQ=', 'YQ===', 'Y', 'YWFhY', 'YQ==YQ==', '=', 'YWE=='].map((data): [string, object, string] => [
      `half of base64: ${data}`,
      { data },
      'Expected data as base64, found characters that are none; encode the bytes, or give text.',
    ]),
    [
      'a wrong type',
      { text: 'a', mimeType: 'png' },
      'Expected the type of the file such as image/png, found png; application/octet-stream will do.',
    ],
    [
      'a name with a slash',
      { text: 'a', fileName: 'a/b' },
      'Expected a file name without slashes and invisible characters, found U+002F in it; leave it out.',
    ],
    [
      'a name from right to left',
      { text: 'a', fileName: 'a\u202egpj.exe' },
      'Expected a file name without slashes and invisible characters, found U+202E in it; leave it out.',
    ],
    ['a name of dots', { text: 'a', fileName: '..' }, 'Expected a file name, found ..; name the file.'],
    [
      'a long name',
      { text: 'a', fileName: 'a'.repeat(500) },
      'Expected a file name of at most 255 characters, found 500; shorten it.',
    ],
    [
      'NUL in a name',
      { text: 'a', fileName: 'a\0b' },
      'Expected text at fileName, found the character NUL at 1; leave it out.',
    ],
    [
      'no target',
      { position: 'end', text: 'a' },
      'Expected where the file is to stand: position with pageId, siblingId or date, found no target; name one.',
    ],
    [
      'a page that there is not',
      { position: { position: 'end', pageId: 'x' }, text: 'a' },
      'Expected the ID of a block within reach, found x; that is no ID, so find it by its words with documents_search.',
    ],
  ])('%s', async (_, args, message) => {
    const path = join(folder(), 'space.sqlite')
    const connected = await connect('full', { to: await buildSpace(path) })
    expect(await connected.refused('files_add', { position: END, ...args })).toBe(message)
    expect(keptIn(path)).toEqual([])
    expect((await connected.call('documents_list')).items).toEqual([])
  })

  test('too large', async () => {
    const path = join(folder(), 'space.sqlite')
    const connected = await connect('full', { to: await buildSpace(path), caller: { fileLimit: 1024 * 1024 } })
    expect(await connected.refused('files_add', { position: END, text: 'a'.repeat(1024 * 1024 + 1) })).toBe(
      'Expected a file of at most 1 MiB, found more; nothing was kept.',
    )
    expect(keptIn(path)).toEqual([])
  })

  test('not accepted by the disk, which is not an error of the caller', async () => {
    const path = join(folder(), 'space.sqlite')
    const connected = await connect('full', { to: await buildSpace(path) })
    writeFileSync(`${path}.files`, 'where a folder is to be')
    expect(await connected.refused('files_add', { position: END, text: 'a' })).toMatch(
      /^Expected to answer, found a fault of this server; its log has it under [0-9a-f-]{36}\. Nothing was written\.$/,
    )
  })

  test('on a daily connection the position may be omitted', async () => {
    const connected = await connect('daily')
    const { dailyNoteDate } = await connected.call('files_add', { text: 'a' })
    expect(dailyNoteDate).toBe('2026-11-20')
  })
})

describe('the store', () => {
  async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield Buffer.from(text)
  }

  test('a partial file is not stored', async () => {
    const path = join(folder(), 'space.sqlite')
    const store = new FileStore(path)
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('cut off')
    }
    await expect(store.write(broken(), 100)).rejects.toThrow('cut off')
    await expect(store.write(pieces('one', 'two'), 5)).rejects.toThrow(SizeLimitExceeded)
    expect(keptIn(path)).toEqual([])
  })

  test('a sweep removes unreferenced files and leftovers of killed processes, and nothing else', async () => {
    const path = join(folder(), 'space.sqlite')
    const store = new FileStore(path)
    const [kept, unnamed, running] = [
      await store.write(pieces('kept'), 100),
      await store.write(pieces('unnamed'), 100),
      await store.write(pieces('running'), 100),
    ]
    await store.commit(kept)
    await store.commit(unnamed)
    // No process has this ID, since it is above the maximum of Linux.
    writeFileSync(join(`${path}.files`, 'passing-4194999-00'), 'dead')
    expect(await store.deleteUnreferenced(new Set([kept.hash]))).toBe(2)
    expect(await store.has(kept.hash)).toBe(true)
    expect(await store.has(unnamed.hash)).toBe(false)
    await store.commit(running)
    expect(await store.has(running.hash)).toBe(true)
  })

  test('recognizes its own files', async () => {
    const store = new FileStore(join(folder(), 'space.sqlite'))
    const written = await store.write(pieces('0123', '456789'), 100)
    expect(written).toMatchObject({
      size: 10,
      hash: '84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882',
    })
    await store.commit(written)
    expect(Buffer.concat(await (await store.read(written, { start: 3, end: 5 })).toArray()).toString()).toBe('345')
  })
})

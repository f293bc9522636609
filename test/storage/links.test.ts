/** A space reached through symbolic links is the same space, with a single location for all of its files. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { indexedText } from '../../src/space/search/indexed-text.ts'
import { createBackup } from '../../storage/sqlite/copies/backup.ts'
import { compactSpace } from '../../storage/sqlite/copies/compact.ts'
import { restoreSpace } from '../../storage/sqlite/copies/restore.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { png } from '../picture.ts'
import { folder } from '../program.ts'

/** Creates a folder for the space, and a link to its file in another folder. */
function linked() {
  const base = realpathSync(folder())
  for (const name of ['real', 'links']) mkdirSync(join(base, name))
  const [file, path] = [join(base, 'real', 'space.sqlite'), join(base, 'links', 'linked.sqlite')]
  symlinkSync(file, path)
  return { base, file, path }
}

async function withFile(path: string) {
  const connected = await connect('full', { to: await buildSpace(path) })
  const pageId = await documentOf(connected, 'words')
  const picture = png(2, 2)
  const { assetUrl } = await connected.call('files_add', {
    position: { position: 'end', pageId },
    data: picture.toString('base64'),
  })
  return { connected, uri: String(assetUrl), blob: picture.toString('base64') }
}

const blobOf = async ({ client }: Connected, uri: string) =>
  ((await client.readResource({ uri })).contents[0] as { blob: string }).blob

describe('the path of a space', () => {
  test('is resolved through symlinks, of files and of folders, even if it does not exist yet', () => {
    const { base, file, path } = linked()
    symlinkSync(join(base, 'real'), join(base, 'folder'))
    symlinkSync(path, join(base, 'twice.sqlite'))
    symlinkSync(join(base, 'circle'), join(base, 'circle'))
    for (const one of [file, path, join(base, 'folder', 'space.sqlite'), join(base, 'twice.sqlite')]) {
      expect(realPath(one)).toBe(file)
    }
    expect(realPath(join(base, 'folder', 'new', 'other.sqlite'))).toBe(join(base, 'real', 'new', 'other.sqlite'))
    expect(realPath(join(base, 'circle'))).toBe(join(base, 'circle'))
    expect(realPath(':memory:')).toBe(':memory:')
  })

  test('decides where its files are, not the symlink', async () => {
    const { base, file, path } = linked()
    const { connected, uri, blob } = await withFile(path)
    expect(connected.space.file).toBe(file)
    expect(readdirSync(join(base, 'links'))).toEqual(['linked.sqlite'])
    const direct = await connect('full', { to: await buildSpace(file) })
    expect(await blobOf(direct, uri)).toBe(blob)
  })
})

test('a backup through a symlink has the files of the space, and restoring replaces the space, not the symlink', async () => {
  const { base, file, path } = linked()
  const { connected } = await withFile(file)
  await connected.space.close()
  const { path: backup, ...copied } = await createBackup(path, join(base, 'backup.sqlite'), 0)
  expect(copied).toMatchObject({ files: 1, damagedFiles: [] })
  const restored = await restoreSpace(backup, path, {
    keepsAccess: true,
    replacesOther: false,
    now: 0,
    words: async () => indexedText,
  })
  expect(restored).toMatchObject({ files: 1, damagedFiles: [], previous: `${file}.before-restore-1970-01-01` })
  expect(readlinkSync(path)).toBe(file)
  expect(readdirSync(join(base, 'links'))).toEqual(['linked.sqlite'])
})

test('a space is compacted through a symlink, and measured with its WAL', async () => {
  const { file, path } = linked()
  const { connected } = await withFile(file)
  onTestFinished(() => connected.space.close())
  const sizes = [file, `${file}-wal`].map((one) => statSync(one).size)
  expect(sizes[1]).toBeGreaterThan(0)
  expect((await compactSpace(path)).before).toBe((sizes[0] ?? 0) + (sizes[1] ?? 0))
})

describe('what an earlier version stored next to a symlink', () => {
  test('is moved to the space: files, and sign-ins', async () => {
    const { file, path } = linked()
    const { connected, uri, blob } = await withFile(file)
    await connected.space.close()
    renameSync(`${file}.files`, `${path}.files`)
    const before = openSignIns(`${path}.sign-in`)
    await before.secret('key', () => 'kept')
    before.close()
    const messages: string[] = []
    const again = await connect('full', {
      to: await buildSpace(path, { report: (sentence) => void messages.push(sentence) }),
    })
    expect(await blobOf(again, uri)).toBe(blob)
    expect(existsSync(`${path}.files`)).toBe(false)
    const signIns = openSignIns(`${file}.sign-in`)
    onTestFinished(() => signIns.close())
    expect(await signIns.secret('key', () => 'new')).toBe('kept')
    expect(messages).toEqual([
      `Moved 1 file of the space from ${path}.files, next to a symbolic link to it, to ${file}.files.`,
      `Copied the sign-ins of the space from ${path}.sign-in, next to a symbolic link to it, to ${file}.sign-in; delete the former.`,
    ])
  })

  test('replaces nothing of the space', async () => {
    const { file, path } = linked()
    for (const [at, value] of [
      [path, 'of the link'],
      [file, 'of the space'],
    ] as const) {
      const signIns = openSignIns(`${at}.sign-in`)
      await signIns.secret('key', () => value)
      signIns.close()
    }
    const space = await openSpace(path)
    onTestFinished(() => space.close())
    const signIns = openSignIns(`${file}.sign-in`)
    onTestFinished(() => signIns.close())
    expect(await signIns.secret('key', () => 'new')).toBe('of the space')
    expect(existsSync(`${path}.sign-in`)).toBe(true)
  })
})

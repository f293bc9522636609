/** Only the owner can access the files of a space. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { FileStore } from '../../storage/bytes/file-store.ts'
import { restrictToOwner } from '../../storage/sqlite/private-files.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'

// Without a umask, files get exactly the mode that was requested.
const mask = process.umask()
beforeAll(() => void process.umask(0))
afterAll(() => void process.umask(mask))

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Returns everything below a folder that others can access, with its mode. */
function openToOthers(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const mode = statSync(join(path, name)).mode & 0o777
    return (mode & 0o077) === 0 ? [] : [`${name} ${mode.toString(8)}`]
  })
}

/** Opens a space with a file in it and all of its additional files. */
async function writeSpace(file: string): Promise<void> {
  const built = await buildSpace(file)
  const usage = openUsage(`${file}.usage`)
  const signIns = openSignIns(`${file}.sign-in`)
  onTestFinished(() => usage.close())
  onTestFinished(() => signIns.close())
  await usage.record((used) => ({ ...used, requests: { start: 1, used: 1 } }))
  const connected = await connect('full', { to: built })
  const position = { position: 'end', pageId: await documentOf(connected) }
  await connected.call('files_add', { text: 'words', fileName: 'a.txt', position })
}

describe('the files of a space', () => {
  test('are created for the owner only, with the folders that are created for them', async () => {
    const path = folder()
    const file = join(path, 'deep', 'down', 'space.sqlite')
    await writeSpace(file)
    const names = readdirSync(join(path, 'deep', 'down')).toSorted()
    expect(names).toEqual(
      [
        '',
        '-shm',
        '-wal',
        '.files',
        '.sign-in',
        '.sign-in-shm',
        '.sign-in-wal',
        '.usage',
        '.usage-shm',
        '.usage-wal',
      ].map((side) => `space.sqlite${side}`),
    )
    expect(openToOthers(path)).toEqual([])
  })

  test('are at no moment readable for others while they are created', async () => {
    const file = join(folder(), 'space.sqlite')
    const seen: number[] = []
    const { pragma } = Sqlite.prototype
    const spied = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (this: Sqlite.Database, ...input) {
      for (const one of ['', '-wal', '-shm']) {
        const found = statSync(`${file}${one}`, { throwIfNoEntry: false })
        if (found !== undefined) seen.push(found.mode & 0o777)
      }
      return pragma.apply(this, input)
    })
    onTestFinished(() => spied.mockRestore())
    await buildSpace(file)
    expect(seen.length).toBeGreaterThan(3)
    expect(new Set(seen)).toEqual(new Set([0o600]))
  })

  test('are restricted if they were readable for others, also by commands that open only the space', async () => {
    const path = folder()
    const file = join(path, 'space.sqlite')
    await writeSpace(file)
    const all = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    for (const one of all) chmodSync(one, statSync(one).isDirectory() ? 0o755 : 0o644)
    expect(openToOthers(path)).toHaveLength(all.length)
    await (await openSpace(file)).close()
    expect(openToOthers(path)).toEqual([])
  })

  test('are restricted behind a symlink, also a dangling one', async () => {
    const path = folder()
    const [here, there] = [join(path, 'here'), join(path, 'there')]
    for (const one of [here, there]) mkdirSync(one, { mode: 0o700 })
    symlinkSync(join(there, 'space.sqlite'), join(here, 'space.sqlite'))
    await (await openSpace(join(here, 'space.sqlite'))).close()
    expect(openToOthers(there)).toEqual([])
    chmodSync(join(there, 'space.sqlite'), 0o644)
    await (await openSpace(join(here, 'space.sqlite'))).close()
    expect(openToOthers(there)).toEqual([])
  })

  test('of another user are unchanged', () => {
    const file = join(folder(), 'space.sqlite')
    writeFileSync(file, '', { mode: 0o644 })
    const spied = vi.spyOn(process, 'geteuid').mockReturnValue(4711)
    onTestFinished(() => spied.mockRestore())
    restrictToOwner(file)
    expect(statSync(file).mode & 0o777).toBe(0o644)
  })
})

describe('the bytes of files', () => {
  test('are readable for the owner only while they are written, and in the folder of a space in memory', async () => {
    const store = new FileStore(':memory:')
    onTestFinished(() => store.close())
    const before = new Set(readdirSync(tmpdir()))
    const written = await store.write(
      (async function* () {
        yield Buffer.from('words')
      })(),
      10,
    )
    const [made = ''] = readdirSync(tmpdir()).filter(
      (name) => name.startsWith('scriptorium-files-') && !before.has(name),
    )
    expect(statSync(join(tmpdir(), made)).mode & 0o777).toBe(0o700)
    expect(openToOthers(join(tmpdir(), made))).toEqual([])
    await store.commit(written)
    expect(openToOthers(join(tmpdir(), made))).toEqual([])
  })

  test('are not checked again in a restricted folder', async () => {
    const file = join(folder(), 'space.sqlite')
    mkdirSync(`${file}.files`, { mode: 0o700 })
    const within = join(`${file}.files`, 'bytes')
    writeFileSync(within, '', { mode: 0o644 })
    await new FileStore(file).closeToOthers()
    expect(statSync(within).mode & 0o777).toBe(0o644)
    chmodSync(`${file}.files`, 0o755)
    await new FileStore(file).closeToOthers()
    expect(openToOthers(join(file, '..'))).toEqual([])
  })
})

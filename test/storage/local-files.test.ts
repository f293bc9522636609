/** Local files are imported from allowed folders only, even if files are replaced while they are opened. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { openLocalFile, realFolderPaths } from '../../storage/bytes/local-files.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'

const root = join(import.meta.dirname, '../..')

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'scriptorium-')))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Creates an allowed folder with a file in a subfolder, and a file outside. */
function places() {
  const place = folder()
  const [allowed, outside] = [join(place, 'allowed'), join(place, 'outside')]
  for (const [path, text] of [
    [allowed, 'inside'],
    [outside, 'outside'],
  ] as const) {
    mkdirSync(join(path, 'deep'), { recursive: true })
    writeFileSync(join(path, 'deep', 'a.txt'), text)
  }
  return { place, allowed, outside, path: join(allowed, 'deep', 'a.txt') }
}

async function textOf({ stream }: Awaited<ReturnType<typeof openLocalFile>>): Promise<string> {
  return Buffer.concat(await stream.toArray()).toString()
}

const REFUSED = /^Expected the path of a file below .*, found .*; name another\.$/

/** Returns an `open` that runs a function before and another after it opens the path. */
const exchanging =
  (before: () => void, after: () => void = () => {}): typeof open =>
  async (...input) => {
    before()
    const file = await open(...input)
    after()
    return file
  }

function makePipe(path: string): void {
  execFileSync('mkfifo', [path])
}

describe('a file that is swapped between check and opening is rejected', () => {
  test.each<[string, (all: ReturnType<typeof places>) => void]>([
    [
      'for a link to a file outside',
      ({ path, outside }) => {
        rmSync(path)
        symlinkSync(join(outside, 'deep', 'a.txt'), path)
      },
    ],
    [
      'for a link to a folder outside, on the way',
      ({ allowed, outside }) => {
        renameSync(join(allowed, 'deep'), join(allowed, 'was'))
        symlinkSync(join(outside, 'deep'), join(allowed, 'deep'))
      },
    ],
    [
      'for a link to a folder outside in place of the allowed one',
      ({ allowed, outside }) => {
        renameSync(allowed, `${allowed}-was`)
        symlinkSync(outside, allowed)
      },
    ],
    [
      'for a pipe without a writer',
      ({ path }) => {
        rmSync(path)
        makePipe(path)
      },
    ],
    [
      'for a folder',
      ({ path }) => {
        rmSync(path)
        mkdirSync(path)
      },
    ],
    ['for nothing', ({ path }) => rmSync(path)],
  ])('%s', async (_, exchange) => {
    const all = places()
    const { path, allowed } = all
    await expect(
      openLocalFile(
        path,
        [allowed],
        ':memory:',
        exchanging(() => exchange(all)),
      ),
    ).rejects.toThrow(REFUSED)
  })

  test('for a symlink in the path that is gone at the check', async () => {
    const { path, allowed, outside } = places()
    const deep = join(allowed, 'deep')
    const exchange = () => {
      renameSync(deep, `${deep}-was`)
      symlinkSync(join(outside, 'deep'), deep)
    }
    const back = () => {
      rmSync(deep)
      renameSync(`${deep}-was`, deep)
    }
    await expect(openLocalFile(path, [allowed], ':memory:', exchanging(exchange, back))).rejects.toThrow(REFUSED)
    expect(await textOf(await openLocalFile(path, [allowed], ':memory:'))).toBe('inside')
  })

  test('even if the system does not report the path of an open file', async () => {
    const spied = vi.spyOn(process, 'platform', 'get').mockReturnValue('freebsd')
    onTestFinished(() => spied.mockRestore())
    const { path, allowed, outside } = places()
    expect(await textOf(await openLocalFile(path, [allowed], ':memory:'))).toBe('inside')
    const deep = join(allowed, 'deep')
    const exchange = () => {
      renameSync(deep, `${deep}-was`)
      symlinkSync(join(outside, 'deep'), deep)
    }
    const back = () => {
      rmSync(deep)
      renameSync(`${deep}-was`, deep)
    }
    await expect(openLocalFile(path, [allowed], ':memory:', exchanging(exchange, back))).rejects.toThrow(REFUSED)
    await expect(openLocalFile(path, [allowed], ':memory:', exchanging(exchange))).rejects.toThrow(REFUSED)
  })
})

test('no file from outside is ever added while another process swaps symlinks for files', async () => {
  const { path, allowed, outside } = places()
  const exchanger = new Worker(join(import.meta.dirname, 'exchanger.ts'), { workerData: { path, outside } })
  onTestFinished(() => void exchanger.terminate())
  await once(exchanger, 'message')
  const texts = new Set<string>()
  let refused = 0
  for (let time = 0; time < 300; time++) {
    try {
      texts.add(await textOf(await openLocalFile(path, [allowed], ':memory:')))
    } catch {
      refused += 1
    }
  }
  expect([...texts]).not.toContain('outside')
  expect(refused).toBeGreaterThan(0)
})

describe('allowed folders', () => {
  test('may be the root of the file system', async () => {
    const { path } = places()
    expect(await textOf(await openLocalFile(path, await realFolderPaths(['/']), ':memory:'))).toBe('inside')
  })

  test('may be given through symlinks, and are where they were when they were allowed', async () => {
    const { place, allowed, outside, path } = places()
    const link = join(place, 'link')
    symlinkSync(allowed, link)
    const folders = await realFolderPaths([link, join(place, 'later')])
    expect(await textOf(await openLocalFile(join(link, 'deep', 'a.txt'), folders, ':memory:'))).toBe('inside')
    rmSync(link)
    symlinkSync(outside, link)
    await expect(openLocalFile(join(link, 'deep', 'a.txt'), folders, ':memory:')).rejects.toThrow(REFUSED)
    symlinkSync(outside, join(place, 'later'))
    await expect(openLocalFile(join(place, 'later', 'deep', 'a.txt'), folders, ':memory:')).rejects.toThrow(REFUSED)
    expect(await textOf(await openLocalFile(path, folders, ':memory:'))).toBe('inside')
  })
})

describe('invalid local files', () => {
  test('pipes and devices, which are not opened', async () => {
    const { allowed } = places()
    makePipe(join(allowed, 'pipe'))
    const opened = vi.fn(open)
    for (const path of [join(allowed, 'pipe'), '/dev/null', '/dev/tty']) {
      await expect(openLocalFile(path, ['/'], ':memory:', opened)).rejects.toThrow(REFUSED)
    }
    expect(opened).not.toHaveBeenCalled()
  })

  test('hard links to files of another user; own ones are accepted', async () => {
    const { allowed, outside, path } = places()
    linkSync(join(outside, 'deep', 'a.txt'), join(allowed, 'hard.txt'))
    expect(await textOf(await openLocalFile(join(allowed, 'hard.txt'), [allowed], ':memory:'))).toBe('outside')
    const spied = vi.spyOn(process, 'geteuid').mockReturnValue(4711)
    onTestFinished(() => spied.mockRestore())
    await expect(openLocalFile(join(allowed, 'hard.txt'), [allowed], ':memory:')).rejects.toThrow(REFUSED)
    expect(await textOf(await openLocalFile(path, [allowed], ':memory:'))).toBe('inside')
  })

  test('other spaces, under any name, and the files next to them', async () => {
    const allowed = folder()
    const other = join(allowed, 'other.sqlite')
    const space = await openSpace(other)
    onTestFinished(() => space.close())
    const usage = openUsage(`${other}.usage`)
    onTestFinished(() => usage.close())
    await usage.record((used) => ({ ...used, requests: { start: 1, used: 1 } }))
    const signIns = openSignIns(`${other}.sign-in`)
    onTestFinished(() => signIns.close())
    mkdirSync(`${other}.files/ab`, { recursive: true })
    writeFileSync(`${other}.files/ab/cd`, 'bytes')
    linkSync(other, join(allowed, 'photo.png'))
    symlinkSync(other, join(allowed, 'soft.png'))
    const sides = ['', '-wal', '-shm', '.usage', '.usage-wal', '.usage-shm', '.sign-in', '.sign-in-wal', '.files/ab/cd']
    for (const name of [...sides.map((side) => `other.sqlite${side}`), 'photo.png', 'soft.png']) {
      await expect(openLocalFile(join(allowed, name), [allowed], ':memory:'), name).rejects.toThrow(REFUSED)
    }
  })

  test('databases of other programs are accepted, and names that only look alike', async () => {
    const allowed = folder()
    for (const name of ['notes-wal', 'notes.usage', 'a.sqlite']) writeFileSync(join(allowed, name), 'words')
    writeFileSync(join(allowed, 'notes'), 'words '.repeat(100))
    for (const name of ['notes-wal', 'notes.usage', 'a.sqlite']) {
      expect(await textOf(await openLocalFile(join(allowed, name), [allowed], ':memory:'))).toBe('words')
    }
  })
})

test('locks on the space stay when a file was swapped for one of its own', async () => {
  const { place, path, allowed } = places()
  const space = join(place, 'space.sqlite')
  const { sqlite } = await openWriter(space)
  onTestFinished(() => void sqlite.close())
  sqlite.exec('BEGIN IMMEDIATE')
  for (const side of ['', '-shm', '-wal']) {
    const exchange = () => {
      rmSync(path)
      linkSync(`${space}${side}`, path)
    }
    await expect(openLocalFile(path, [allowed], space, exchanging(exchange))).rejects.toThrow(REFUSED)
    rmSync(path)
    writeFileSync(path, 'inside')
  }
  const take = "new (require('better-sqlite3'))(process.argv[1], { timeout: 0 }).exec('BEGIN IMMEDIATE')"
  const asAnother = () => execFileSync(process.execPath, ['-e', take, space], { cwd: root, stdio: 'pipe' })
  expect(asAnother).toThrow(/SQLITE_BUSY|database is locked/)
})

import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spaceKeyOf } from '../../src/auth/access-links/access-links.ts'
import { RateLimiter } from '../../src/call/rate-limiter.ts'
import { type FolderRegistryOptions, FolderSpaceRegistry } from '../../src/http/folder-registry.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { readSpaceId } from '../../storage/sqlite/diagnosis/diagnose.ts'
import { UnusableFile } from '../../storage/sqlite/unusable-file.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { noticeSources } from '../../tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { documentBy, makeLink, serveBuilt } from './serving.ts'

const REFUSED = 401

/** Creates a folder of spaces, and records which spaces are opened and closed. */
function folderOf(options: Partial<FolderRegistryOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  const events: string[] = []
  const notices: string[] = []
  const spaces = new FolderSpaceRegistry({
    folder,
    idOf: readSpaceId,
    noticeSources,
    rescanInterval: 0,
    report: (sentence) => void notices.push(sentence),
    async openFile(file) {
      events.push(`open ${file.slice(folder.length + 1)}`)
      const space = await openSpace(file)
      const usage = openUsage(':memory:')
      return {
        space,
        rateLimiter: new RateLimiter(usage, { requests: 0, blocks: 0 }, Date.now),
        async close() {
          events.push(`close ${file.slice(folder.length + 1)}`)
          usage.close()
          await space.close()
        },
      }
    },
    ...options,
  })
  onTestFinished(async () => {
    await spaces.close()
    rmSync(folder, { recursive: true, force: true })
  })
  /** Creates a file with a space, and a link to it. */
  async function make(name: string, origin = 'http://localhost') {
    const space = await openSpace(join(folder, name), { name })
    const link = await makeLink({ space, clock: { now: 0 } }, origin)
    await space.close()
    return link
  }
  return { folder, spaces, events, notices, make }
}

describe('a folder of spaces', () => {
  test('opens a space on demand, finds new ones, and ignores other files', async () => {
    const { folder, spaces, events, notices, make } = folderOf()
    writeFileSync(join(folder, 'broken.sqlite'), 'no database')
    writeFileSync(join(folder, 'notes.txt'), 'no space')
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    expect(events).toEqual([])
    expect((await one.ask('GET /connection')).json.space.name).toBe('one.sqlite')
    const two = await make('two.sqlite', server.origin)
    expect((await two.ask('GET /connection')).json.space.name).toBe('two.sqlite')
    expect((await one.ask('GET /connection')).status).toBe(200)
    expect(events).toEqual(['open one.sqlite', 'open two.sqlite'])
    expect(spaces.openCount).toBe(2)
    const broken = join(folder, 'broken.sqlite')
    expect(notices).toEqual([`Expected a space in ${broken}, found none that can be read; it is not served.`])
    expect(await spaces.countBroken()).toBe(1)
    rmSync(broken)
    expect(await spaces.countBroken()).toBe(0)
  })

  test('accepts links and IDs of a space in that space only', async () => {
    const { spaces, make } = folderOf()
    const { server, ask } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    const two = await make('two.sqlite', server.origin)
    const id = await documentBy(one, 'words')
    expect((await one.ask(`GET /blocks?id=${id}`)).status).toBe(200)
    const elsewhere = await two.ask(`GET /blocks?id=${id}`)
    const nowhere = await two.ask(`GET /blocks?id=${id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`)
    expect(elsewhere.status).toBe(404)
    expect(elsewhere.text.replace(id, 'ID')).toBe(nowhere.text.replace(/[0-9a-f-]{36}/, 'ID'))
    // The key of one space with the secret of the other.
    const mixed = `${two.secret.slice(0, 10)}${one.secret.slice(10)}`
    expect((await ask(`GET /links/${mixed}/api/v1/connection`)).status).toBe(REFUSED)
  })

  test('closes idle spaces, and opens them again', async () => {
    const { spaces, events, make } = folderOf({ idleTimeout: 20 })
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    const id = await documentBy(one, 'kept')
    // The space may also have been idle between the calls that created the document.
    await eventually(() => expect(events.at(-1)).toBe('close one.sqlite'))
    expect(spaces.openCount).toBe(0)
    const before = events.length
    expect((await one.ask(`GET /blocks?id=${id}`)).status).toBe(200)
    expect(events[before]).toBe('open one.sqlite')
  })

  test('never closes a space during a request, however often it checks', async () => {
    const { spaces, make } = folderOf({ idleTimeout: 0 })
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    const statuses = new Set<number>()
    const ask = async () => {
      for (let time = 0; time < 40; time++) statuses.add((await one.ask('GET /documents')).status)
    }
    await Promise.all([ask(), ask(), ask(), ask()])
    expect([...statuses]).toEqual([200])
  })

  test('keeps a space open from the moment of the request, even while it is being opened', async () => {
    const opening = Promise.withResolvers<void>()
    const real = folderOf()
    const one = await real.make('one.sqlite')
    const slow = folderOf({
      folder: real.folder,
      idleTimeout: 0,
      openFile: async (file) => {
        await opening.promise
        const space = await openSpace(file)
        const budget = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 0 }, Date.now)
        return { space, rateLimiter: budget, close: () => space.close() }
      },
    })
    const leases = [slow.spaces.acquire(spaceKeyOf(one.secret)), slow.spaces.acquire(spaceKeyOf(one.secret))]
    opening.resolve()
    const [first, second] = await Promise.all(leases)
    expect(first?.space).toBe(second?.space)
    first?.release()
    first?.release()
    expect(slow.spaces.openCount).toBe(1)
    second?.release()
    await eventually(() => expect(slow.spaces.openCount).toBe(0))
  })

  test('creates no new space in place of a file that was removed, and finds one that was renamed', async () => {
    const { folder, spaces, make } = folderOf({ idleTimeout: 10 })
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    expect((await one.ask('GET /connection')).status).toBe(200)
    await eventually(() => expect(spaces.openCount).toBe(0))
    renameSync(join(folder, 'one.sqlite'), join(folder, 'gone'))
    expect((await one.ask('GET /connection')).status).toBe(REFUSED)
    expect(existsSync(join(folder, 'one.sqlite'))).toBe(false)
    renameSync(join(folder, 'gone'), join(folder, 'other.sqlite'))
    expect((await one.ask('GET /connection')).json.space.name).toBe('one.sqlite')
  })

  test('reports a space with an unusable file as unavailable, and logs the reason', async () => {
    const { folder, spaces, make } = folderOf({
      openFile: (file) => Promise.reject(new UnusableFile(`Expected a sound file, found that ${file} is damaged.`)),
    })
    const { server, noted } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    const notices = [await one.ask('GET /connection'), await one.ask('GET /connection')]
    expect(notices.map(({ status, json }) => [status, json.code])).toEqual(Array(2).fill([503, 'STORAGE_UNAVAILABLE']))
    expect(notices.map(({ text }) => text).join()).not.toContain(folder)
    expect(noted.filter((line) => line.includes('is damaged'))).toHaveLength(1)
  })

  test('opens a file that replaced an open space, and ends the streams of the previous one', async () => {
    const { folder, spaces, events, notices, make } = folderOf()
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    const path = join(folder, 'one.sqlite')
    copyFileSync(path, join(folder, 'kept'))
    const id = await documentBy(one, 'words')
    const listens = await one.client('2026')
    const ended = Promise.withResolvers<void>()
    const subscription = await listens.listen({ resourcesListChanged: true })
    void subscription.closed.then(() => ended.resolve())
    renameSync(join(folder, 'kept'), path)
    expect((await one.ask(`GET /blocks?id=${id}`)).status).toBe(404)
    await ended.promise
    const again = await documentBy(one, 'more words')
    expect((await one.ask(`GET /blocks?id=${again}`)).status).toBe(200)
    expect(events).toEqual(['open one.sqlite', 'close one.sqlite', 'open one.sqlite'])
    expect(notices).toEqual([
      `Expected ${path} to stay the same file while it is open, found it replaced; it is opened again.`,
    ])
  })

  test('forgets an open space that was deleted, and creates none in its place', async () => {
    const { folder, spaces, make } = folderOf()
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    expect((await one.ask('GET /connection')).status).toBe(200)
    rmSync(join(folder, 'one.sqlite'))
    const responses = await Promise.all([1, 2, 3].map(() => one.ask('GET /connection')))
    expect(responses.map(({ status }) => status)).toEqual([REFUSED, REFUSED, REFUSED])
    expect([spaces.openCount, existsSync(join(folder, 'one.sqlite'))]).toEqual([0, false])
  })

  test('loses nothing of a space whose WAL was removed while it was open', async () => {
    const { folder, spaces, make } = folderOf()
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    const id = await documentBy(one, 'words')
    rmSync(join(folder, 'one.sqlite-wal'))
    const statuses = await Promise.all([1, 2, 3].map(async () => (await one.ask(`GET /blocks?id=${id}`)).status))
    expect(statuses).toEqual([200, 200, 200])
  })

  test('serves the first by name of a space and its copy, and says so once', async () => {
    const { folder, spaces, events, notices, make } = folderOf()
    const { server } = await serveBuilt({ spaces })
    const one = await make('one.sqlite', server.origin)
    copyFileSync(join(folder, 'one.sqlite'), join(folder, 'two.sqlite'))
    for (const _ of [1, 2]) await one.ask('GET /connection')
    for (const _ of [1, 2]) await one.ask('GET /connection')
    expect(events).toEqual(['open one.sqlite'])
    expect(notices).toEqual([
      `Expected each space once, found that of ${join(folder, 'one.sqlite')} in ${join(folder, 'two.sqlite')} too; the first is served.`,
    ])
  })

  test('reports a space that cannot be opened as an internal error, affects no other, and names no file to the caller', async () => {
    let isBroken = true
    const { folder, spaces, make } = folderOf()
    const other = folderOf({
      folder,
      openFile: async (file) => {
        if (isBroken && file.endsWith('one.sqlite')) throw new Error(`${file} is on a disk that fails`)
        const space = await openSpace(file)
        const budget = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 0 }, Date.now)
        return { space, rateLimiter: budget, close: () => space.close() }
      },
    })
    await spaces.close()
    const { server, noted } = await serveBuilt({ spaces: other.spaces })
    const one = await make('one.sqlite', server.origin)
    const two = await make('two.sqlite', server.origin)
    const notices = await one.ask('GET /connection')
    expect(notices).toMatchObject({ status: 500, json: { code: 'INTERNAL_ERROR' } })
    expect(notices.text).not.toContain(folder)
    expect(noted.join('\n')).toContain('one.sqlite is on a disk that fails')
    expect((await two.ask('GET /connection')).status).toBe(200)
    isBroken = false
    expect((await one.ask('GET /connection')).status).toBe(200)
  })
})

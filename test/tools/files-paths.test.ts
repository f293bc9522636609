import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { folder } from '../program.ts'
import { storedBytes } from '../stored-bytes.ts'

const END = { position: 'end', date: 'today' }

describe('a local path', () => {
  async function withFolders(): Promise<{ connected: Connected; allowed: string; outside: string }> {
    const [allowed, outside] = [join(folder(), 'allowed'), folder()]
    mkdirSync(allowed)
    writeFileSync(join(allowed, 'a.txt'), 'inside')
    writeFileSync(join(outside, 'b.txt'), 'outside')
    return { connected: await connect('full', { caller: { folders: [allowed] } }), allowed, outside }
  }

  test('below an allowed folder is read', async () => {
    const { connected, allowed } = await withFolders()
    const { blockId } = await connected.call('files_add', { position: END, path: join(allowed, 'a.txt') })
    expect(await connected.call('blocks_get', { id: blockId })).toMatchObject({ type: 'file', fileName: 'a.txt' })
    expect((await storedBytes(connected, blockId)).toString()).toBe('inside')
  })

  test.each<[string, (allowed: string, outside: string) => string]>([
    ['outside', (_, outside) => join(outside, 'b.txt')],
    ['outside by dots', (allowed, outside) => `${allowed}/../../${outside.split('/').at(-1)}/b.txt`],
    [
      'a link out',
      (allowed, outside) => {
        symlinkSync(join(outside, 'b.txt'), join(allowed, 'link.txt'))
        return join(allowed, 'link.txt')
      },
    ],
    [
      'below a link out',
      (allowed, outside) => {
        symlinkSync(outside, join(allowed, 'linked'))
        return join(allowed, 'linked', 'b.txt')
      },
    ],
    ['a folder', (allowed) => allowed],
    [
      'a folder beside whose name begins alike',
      (allowed) => {
        mkdirSync(`${allowed}-not`)
        writeFileSync(join(`${allowed}-not`, 'c.txt'), 'x')
        return join(`${allowed}-not`, 'c.txt')
      },
    ],
    ['nothing', (allowed) => join(allowed, 'none.txt')],
  ])('%s is rejected', async (_, make) => {
    const { connected, allowed, outside } = await withFolders()
    const path = make(allowed, outside)
    expect(await connected.refused('files_add', { position: END, path })).toBe(
      `Expected the path of a file below ${allowed}, found ${path}; name another.`,
    )
  })

  test('of the space itself is never opened, under any name', async () => {
    const place = folder()
    const path = join(place, 'space.sqlite')
    const connected = await connect('full', { to: await buildSpace(path), caller: { folders: [place] } })
    await documentOf(connected, 'words')
    linkSync(path, join(place, 'hard.sqlite'))
    symlinkSync(path, join(place, 'soft.sqlite'))
    for (const name of ['space.sqlite', 'space.sqlite-wal', 'hard.sqlite', 'soft.sqlite']) {
      expect(await connected.refused('files_add', { position: END, path: join(place, name) })).toMatch(
        /^Expected the path of a file below/,
      )
    }
  })

  test('is only for callers on this machine', async () => {
    const { refused } = await connect()
    expect(await refused('files_add', { position: END, path: '/etc/hosts' })).toBe(
      'Expected text or data on a connection over HTTP, found a path; send the bytes themselves.',
    )
  })
})

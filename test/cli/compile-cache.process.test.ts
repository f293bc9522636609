/** Compiled code is cached where no other user of the machine can write. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folder, run } from '../program.ts'

/** Starts the program with these cache and temporary folders. Returns where it cached compiled code. */
async function startedIn(home: string, env: NodeJS.ProcessEnv = {}) {
  const temporary = join(home, 'temporary')
  mkdirSync(temporary)
  const { code, errors } = await run(['--help'], {
    XDG_CACHE_HOME: join(home, 'cache'),
    HOME: home,
    TMPDIR: temporary,
    NODE_COMPILE_CACHE: undefined,
    NODE_DISABLE_COMPILE_CACHE: undefined,
    ...env,
  })
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  return { temporary: readdirSync(temporary), kept: contentOf(join(home, 'cache', 'Scriptorium', 'compiled')) }
}

const contentOf = (path: string): string[] => (existsSync(path) ? readdirSync(path) : [])
const cacheOf = (home: string): string => join(home, 'cache', 'Scriptorium', 'compiled')
const modeOf = (path: string): number => statSync(path).mode & 0o777

/** Folders left by another program. */
function made(home: string, mode: number, path = cacheOf(home)): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, mode)
}

test('it is in the cache folder of the user, unreadable for others, and nothing is in the temporary folder', async () => {
  const home = folder()
  const { temporary, kept } = await startedIn(home)
  expect(temporary).toEqual([])
  expect(kept).toHaveLength(1)
  for (const path of ['cache', 'cache/Scriptorium', 'cache/Scriptorium/compiled']) {
    expect([path, modeOf(join(home, path))]).toEqual([path, 0o700])
  }
})

test('a folder of the user that others could read is restricted', async () => {
  const home = folder()
  made(home, 0o755)
  expect((await startedIn(home)).kept).toHaveLength(1)
  expect(modeOf(cacheOf(home))).toBe(0o700)
})

describe('there is no cache', () => {
  const another = 'process.getuid = () => 4711; process.geteuid = () => 4711'
  const asAnother = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(another)}` }

  test.each<[string, (home: string) => void, NodeJS.ProcessEnv?]>([
    ['in a folder that others can write to', (home) => made(home, 0o777)],
    ['in a folder that a group can write to', (home) => made(home, 0o770)],
    ['below a folder that others can write to', (home) => made(home, 0o777, join(home, 'cache'))],
    ['below one that a group can write to', (home) => made(home, 0o770, join(home, 'cache', 'Scriptorium'))],
    ['in a folder of another user', (home) => made(home, 0o700), asAnother],
    ['below a folder of another user', (home) => made(home, 0o700, join(home, 'cache')), asAnother],
    ['where the environment says so', (home) => made(home, 0o700), { NODE_DISABLE_COMPILE_CACHE: '1' }],
    [
      'behind a link to a folder that others can write to',
      (home) => {
        made(home, 0o777, join(home, 'open'))
        mkdirSync(join(home, 'cache', 'Scriptorium'), { recursive: true })
        symlinkSync(join(home, 'open'), cacheOf(home))
      },
    ],
  ])('%s', async (_, prepare, env) => {
    const home = folder()
    prepare(home)
    const { temporary, kept } = await startedIn(home, env)
    expect({ temporary, kept }).toEqual({ temporary: [], kept: [] })
  })
})

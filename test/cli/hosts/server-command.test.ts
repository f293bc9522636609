/** The written command starts this installation, by stable paths. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { serverCommand } from '../../../src/cli/hosts/server-command.ts'
import { folder } from '../../program.ts'

function file(...names: string[]): string {
  const path = join(...names)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  return path
}

function link(target: string, ...names: string[]): string {
  const path = join(...names)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
  return path
}

const realFolder = () => realpathSync(folder())

test('names Node and the program by their paths', () => {
  const startFile = file(realFolder(), 'lib/node_modules/scriptorium/dist/start.js')
  expect(serverCommand({ node: '/opt/node', startFile }, ['--space', '/s'])).toEqual({
    command: '/opt/node',
    args: [startFile, 'stdio', '--space', '/s'],
  })
})

test('follows a symlink that a version manager may have created for one shell', () => {
  const home = realFolder()
  const startFile = file(home, 'lib/node_modules/scriptorium/dist/start.js')
  const shell = link(startFile, home, 'fnm_multishells/123/bin/scriptorium')
  expect(serverCommand({ node: '/opt/node', startFile: shell }, []).args).toEqual([startFile, 'stdio'])
})

test("keeps pnpm's symlink, since the folder behind it has a version in its name", () => {
  const home = realFolder()
  file(home, '.pnpm/scriptorium@1.0.0/node_modules/scriptorium/dist/start.js')
  link(join(home, '.pnpm/scriptorium@1.0.0/node_modules/scriptorium'), home, 'node_modules/scriptorium')
  const startFile = join(home, 'node_modules/scriptorium/dist/start.js')
  expect(serverCommand({ node: '/opt/node', startFile }, []).args).toEqual([startFile, 'stdio'])
})

test("names Homebrew's symlink to Node if it leads to this one", () => {
  const home = realFolder()
  const node = file(home, 'Cellar/node/24.1.0/bin/node')
  const startFile = file(home, 'start.js')
  expect(serverCommand({ node, startFile }, []).command).toBe(node)
  link(join(home, 'Cellar/node/24.1.0'), home, 'opt/node')
  expect(serverCommand({ node, startFile }, []).command).toBe(join(home, 'opt/node/bin/node'))
  const other = file(home, 'Cellar/node/23.0.0/bin/node')
  expect(serverCommand({ node: other, startFile }, []).command).toBe(other)
})

test.each([
  '.npm/_npx/0a1b/node_modules',
  '.cache/pnpm/dlx/x/node_modules',
  'xfs-1/dlx-123/node_modules',
  'bunx-0-scriptorium/node_modules',
])('a program in the cache %s is not written to a configuration', (cache) => {
  const startFile = file(realFolder(), cache, 'scriptorium/dist/start.js')
  expect(() => serverCommand({ node: '/opt/node', startFile }, [])).toThrow(
    `Expected an installed program, found one in a cache that may be emptied (${dirname(startFile)}); install it with npm install --global, then run scriptorium install again.`,
  )
})

/** Errors of the system are sentences that name the path and what to do. No person sees a stack trace. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSystemError } from '../../src/base/system-error.ts'
import { folder, runHere } from '../program.ts'

const BROKEN = ['loop/x', 'loop', 'file/x', `${'n'.repeat(300)}`] as const

const COMMANDS: readonly (readonly [name: string, args: (path: string, space: string) => string[]])[] = [
  ['links add --space', (path) => ['links', 'add', '--space', path]],
  ['log --space', (path) => ['log', '--space', path]],
  ['serve --space', (path) => ['serve', '--port', '0', '--space', path]],
  ['serve --spaces', (path) => ['serve', '--port', '0', '--spaces', path]],
  ['serve --backup-to', (path, space) => ['serve', '--port', '0', '--space', space, '--backup-to', path]],
  ['serve --tls-cert', (path, space) => ['serve', '--port', '0', '--space', space, ...tls(path)]],
  ['export --to', (path, space) => ['export', '--space', space, '--to', path]],
  ['export --to a zip', (path, space) => ['export', '--space', space, '--to', `${path}/out.zip`]],
  ['backup --to', (path, space) => ['backup', '--space', space, '--to', path]],
  ['restore', (path, space) => ['restore', path, '--space', space]],
  ['import', (path, space) => ['import', path, '--space', space]],
  ['--fonts', (path, space) => ['links', 'list', '--space', space, '--fonts', path]],
  ['install --host-config', (path, space) => ['install', 'vscode', '--yes', '--space', space, '--host-config', path]],
  ['log head --key', (path, space) => ['log', 'head', '--space', space, '--key', path]],
  ['log verify --head', (path, space) => ['log', 'verify', '--space', space, '--head', path]],
  ['participants erase --again', (path, space) => ['participants', 'erase', path, '--again', '--space', space]],
  ['compact', (path) => ['compact', '--space', path]],
  ['doctor', (path) => ['doctor', '--space', path]],
]
const tls = (path: string): string[] => ['--tls-cert', path, '--tls-key', path]

test.each(COMMANDS)('%s', async (_, args) => {
  const path = folder()
  const space = join(path, 'space.sqlite')
  await runHere(['links', 'add', '--space', space, '--no-welcome'])
  symlinkSync('other', join(path, 'loop'))
  symlinkSync('loop', join(path, 'other'))
  writeFileSync(join(path, 'file'), 'no folder')
  mkdirSync(join(path, 'folder'))
  for (const broken of BROKEN) {
    const { code, output, errors } = await runHere(args(join(path, broken), space))
    const shown = `${output}${errors}`
    expect(code, shown).toBeGreaterThan(0)
    expect(shown).toContain(join(path, broken).slice(0, 200))
    expect(shown).not.toMatch(/\n {4}at |\bE[A-Z]{3,}:/)
  }
})

test('a file that is read is named, whether it is missing or a folder', async () => {
  const path = folder()
  const space = join(path, 'space.sqlite')
  await runHere(['links', 'add', '--space', space, '--no-welcome'])
  for (const [key, found] of [
    [path, 'a folder; name a file.'],
    [join(path, 'missing.pem'), 'none; check the path.'],
  ]) {
    const { errors } = await runHere(['log', 'head', '--space', space, '--key', `${key}`])
    expect(errors).toBe(`Expected to use ${key}, found ${found}\n`)
  }
})

test('a folder that cannot be made on a read-only disk is no missing one', () => {
  const error = Object.assign(new Error('none'), { code: 'ENOENT', syscall: 'mkdir', path: '/none/x' })
  const isReadOnly = () => {
    throw Object.assign(new Error('read-only'), { code: 'EROFS' })
  }
  expect(describeSystemError(error, isReadOnly)).toBe(
    'Expected to use /, found its disk read-only; make it writable, or name another.',
  )
  expect(describeSystemError(error, () => {})).toBe('Expected to use /none/x, found none; check the path.')
})

test.each([
  [{ code: 'EACCES', syscall: 'open', path: '/none/at/all/x' }, 'Expected to use /, found that this user has'],
  [{ code: 'EROFS', syscall: 'mkdir', path: '/none/x' }, 'Expected to use /, found its disk read-only; make it'],
  [{ code: 'EACCES', syscall: 'scandir', path: '/none/x' }, 'Expected to use /none/x, found that this user has no'],
  [
    { code: 'ENOSPC', syscall: 'write' },
    'Expected to write a file, found its disk full; free some room, and try again.',
  ],
  [{ code: 'ENAMETOOLONG', syscall: 'open', path: '/y' }, 'Expected to use /y, found that a name in it is too long'],
])('%o is described', (fields, sentence) => {
  const error = Object.assign(new Error('failed'), fields)
  expect(describeSystemError(error)).toContain(sentence)
  expect(describeSystemError(new Error('around', { cause: error }))).toContain(sentence)
})

test('other errors are not', () => {
  for (const error of [
    new Error('bug'),
    Object.assign(new Error('net'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    1,
  ])
    expect(describeSystemError(error)).toBeUndefined()
})

/** What people ask the program about: its version, its commands, several spaces, and parts of long lists. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import program from '../../package.json' with { type: 'json' }
import { commands } from '../../src/cli/commands.ts'
import { helpText, textAbout } from '../../src/cli/help-text.ts'
import { listBackups } from '../../storage/sqlite/copies/backup.ts'
import { folder, runHere } from '../program.ts'

test.each(['--version', '-v', 'version'])('%s is the version', (word) => {
  expect(textAbout([word], false)).toBe(`${program.version}\n`)
})

test('help is that of the program, of a group, or of a command', () => {
  for (const args of [['--help'], ['-h'], ['help']]) expect(textAbout(args, false)).toBe(helpText())
  for (const args of [
    ['links', '--help'],
    ['links', 'help'],
    ['help', 'links'],
  ]) {
    const text = textAbout(args, false) ?? ''
    expect(text).toMatch(/^Usage: scriptorium links <command> \[flags\]\n/)
    for (const command of commands) expect(text.includes(`\n  ${command} `), command).toBe(command.startsWith('links '))
  }
  expect(textAbout(['help', 'links', 'add'], false)).toBe(helpText('links add'))
  expect(textAbout(['help', 'history'], false)).toBe(helpText('history'))
  expect(helpText('import')).toContain('\nExample: scriptorium import ')
  expect(textAbout(['links', 'list'], true)).toBeUndefined()
})

test('without arguments it explains itself on a terminal, and serves a host anywhere else', () => {
  expect(textAbout([], true)).toContain('scriptorium open')
  expect(textAbout([], false)).toBeUndefined()
})

test('the spaces of a folder are listed and checked, with their links', async () => {
  const path = folder()
  for (const name of ['one', 'two'])
    await runHere([
      'links',
      'add',
      '--name',
      `Link of ${name}`,
      '--space',
      join(path, `${name}.sqlite`),
      '--no-welcome',
    ])
  const spaces = await runHere(['spaces', 'list', '--spaces', path])
  expect(spaces.output).toMatch(/^one\.sqlite\t[0-9a-f-]{36}\ntwo\.sqlite\t[0-9a-f-]{36}\n$/)
  const links = await runHere(['links', 'list', '--spaces', path])
  expect(links.output).toMatch(/^one\.sqlite\t[0-9a-f]+\tLink of one\t.*\ntwo\.sqlite\t[0-9a-f]+\tLink of two\t.*\n$/)
  const checked = await runHere(['doctor', '--spaces', path])
  expect(checked.output).toContain(join(path, 'one.sqlite'))
  expect(checked.output).toContain(join(path, 'two.sqlite'))
  const found = JSON.parse((await runHere(['doctor', '--json', '--spaces', path])).output)
  expect(found).toMatchObject([{ state: 'sound' }, { state: 'sound' }])
  // A file that may be a damaged space is named.
  const broken = join(path, 'broken.sqlite')
  writeFileSync(broken, 'no space')
  const sentence = `Expected a space in ${broken}, found none that can be read; it is not served.\n`
  expect(await runHere(['spaces', 'list', '--spaces', path])).toEqual({ ...spaces, code: 1, errors: sentence })
  expect(await runHere(['links', 'list', '--spaces', path])).toEqual({ ...links, code: 1, errors: sentence })
  expect(await runHere(['doctor', '--spaces', path])).toMatchObject({
    code: 4,
    output: expect.stringContaining(broken),
  })
})

test('a backup to a name without an ending makes a folder, and two in a second are two', async () => {
  const path = folder()
  const [space, to] = [join(path, 'space.sqlite'), join(path, 'backups')]
  await runHere(['links', 'add', '--space', space, '--no-welcome'])
  const made = await Promise.all([1, 2, 3].map(() => runHere(['backup', '--space', space, '--to', to])))
  expect(made.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(listBackups(space, to)).toHaveLength(3)
  await runHere(['backup', '--space', space, '--to', to, '--keep', '1'])
  expect(readdirSync(to).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1)
  mkdirSync(join(path, 'out'))
  expect((await runHere(['backup', '--space', space, '--to', join(path, 'out', 'mine.sqlite')])).code).toBe(0)
  expect(readdirSync(join(path, 'out'))).toContain('mine.sqlite')
})

test('a long history says that it goes on, and with which cursor', async () => {
  const space = join(folder(), 'space.sqlite')
  const source = join(folder(), 'notes')
  mkdirSync(source)
  for (let number = 0; number < 3; number++) {
    writeFileSync(join(source, `${number}.md`), 'A note.')
    await runHere(['import', join(source, `${number}.md`), '--space', space, '--no-welcome'])
  }
  const first = await runHere(['history', '--space', space, '--limit', '2'])
  const [, cursor = ''] = /\nThere are older calls; add --cursor=(\S+)\n$/.exec(first.output) ?? []
  expect(cursor).not.toBe('')
  const rest = await runHere(['history', '--space', space, '--limit', '2', '--cursor', cursor])
  expect(rest.code).toBe(0)
  expect(rest.output).not.toContain(first.output.split('\n')[0])
  expect((await runHere(['history', '--space', space, '--limit', '9999'])).errors).toMatch(
    /^Expected at most \d+ as --limit/,
  )
})

test('lists are printed as JSON', async () => {
  const space = join(folder(), 'space.sqlite')
  await runHere(['links', 'add', '--space', space, '--no-welcome'])
  for (const command of commands.filter((one) => one.endsWith(' list') && !one.startsWith('spaces'))) {
    const { code, output } = await runHere([...command.split(' '), '--json', '--space', space])
    expect(code, command).toBe(0)
    expect(() => JSON.parse(output), command).not.toThrow()
  }
})

/** Only some commands make a space: anywhere else, a path that does not exist is a typing error. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { CREATING_COMMANDS, SPACE_COMMANDS } from '../../src/cli/command-sets.ts'
import { commandInfo } from '../../src/cli/commands.ts'
import { expandHome } from '../../src/cli/home-folder.ts'
import { folder, runHere } from '../program.ts'

/** Commands that run until they are stopped, or that do not open the space that they name. */
const OTHERS = ['stdio', 'serve', 'open', 'install', 'uninstall', 'spaces add', 'doctor']
/** Flags without which a command is refused before it looks for the space. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  export: ['--to', 'out'],
  backup: ['--to', 'out'],
  'history forget': ['--before', '30d'],
  'restore-version': ['--at', '1d'],
  undo: ['--since', '1d'],
}

test.each(SPACE_COMMANDS.filter((command) => !OTHERS.includes(command) && !CREATING_COMMANDS.includes(command)))(
  '%s makes no space',
  async (command) => {
    const path = folder()
    const file = join(path, 'space.sqlite')
    const { operand, secondOperand } = commandInfo(command)
    if (command === 'restore') writeFileSync(join(path, 'backup.sqlite'), 'no backup')
    const operands = [operand, secondOperand].flatMap((one) =>
      one === undefined ? [] : one === 'FROM' ? [join(path, 'backup.sqlite')] : ['100000000001'],
    )
    const { code, errors } = await runHere([
      ...command.split(' '),
      ...operands,
      ...(NEEDED[command] ?? []),
      '--space',
      file,
    ])
    expect(code).toBe(2)
    expect(errors).toMatch(/^Expected .*\n$/)
    if (command !== 'restore') expect(errors).toContain(file)
    expect(readdirSync(path).filter((name) => name !== basename('backup.sqlite'))).toEqual([])
  },
)

test('an import makes the space once there is something to import', async () => {
  const path = folder()
  const file = join(path, 'space.sqlite')
  const source = join(path, 'notes.md')
  expect((await runHere(['import', source, '--space', file])).code).toBe(2)
  expect(existsSync(file)).toBe(false)
  writeFileSync(source, 'A note.')
  expect((await runHere(['import', source, '--space', file, '--no-welcome'])).code).toBe(0)
  expect(existsSync(file)).toBe(true)
})

test('links add and participants add make a space', async () => {
  for (const command of [
    ['links', 'add'],
    ['participants', 'add', 'Anna'],
  ]) {
    const file = join(folder(), 'space.sqlite')
    expect((await runHere([...command, '--space', file])).code).toBe(0)
    expect(existsSync(file)).toBe(true)
  }
})

test('a leading ~/ is the home folder, and an empty path is refused', async () => {
  expect(expandHome('~/notes/space.sqlite')).toBe(join(homedir(), 'notes/space.sqlite'))
  expect(['~', 'notes~/x', '~anna/x', '/x/~/y'].map(expandHome)).toEqual([homedir(), 'notes~/x', '~anna/x', '/x/~/y'])
  const name = `none-${basename(folder())}.sqlite`
  expect((await runHere(['log', `--space=~/${name}`])).errors).toContain(join(homedir(), name))
  expect((await runHere(['log', '--space', ''])).errors).toBe(
    'Expected a value as --space, found an empty text; give one, or leave it out for its default.\n',
  )
})

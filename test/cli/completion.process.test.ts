/** Shell completion: the script for bash in a real bash, and the contents of the scripts for all shells. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands, SHELLS } from '../../src/cli/commands.ts'
import { completionScript } from '../../src/cli/completion/completion.ts'
import { wordsInGroup } from '../../src/cli/completion/completion-words.ts'
import { flagsForCommand } from '../../src/cli/flags.ts'
import { HOST_IDS } from '../../src/hosts/host-ids.ts'
import { folder, root, runHere } from '../program.ts'

const BASH = completionScript('bash')

/** The completions that bash offers for the last of these words, split like readline splits a line. */
function complete(words: readonly string[], { cwd = root, before = '' } = {}): string[] {
  const script = `${BASH}\n${before}\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_scriptorium\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['--norc', '-u', '-c', script, 'bash', 'scriptorium', ...words], {
    cwd,
    encoding: 'utf8',
  })
  return output.split('\n').filter((line) => line !== '')
}

const flagsOf = (command: Parameters<typeof flagsForCommand>[0]): string[] => [
  ...flagsForCommand(command).map(([name]) => `--${name}`),
  '--help',
]

describe('bash completes', () => {
  test.each([
    ['commands', ['s'], ['stdio', 'serve', 'spaces', 'settings']],
    ['groups of commands', ['li'], ['links']],
    ['a group that is a whole word', ['links'], ['links']],
    ['commands of a group', ['links', ''], ['add', 'list', 'revoke', 'pause', 'resume', 'expose', 'events']],
    ['what a command of its own begins', ['history', 'f'], ['forget']],
    ['flags of a command that begins like another', ['history', 'forget', '--be'], ['--before']],
    ['the beginning of a command of a group', ['participants', 'r'], ['remove']],
    ['hosts', ['install', ''], HOST_IDS],
    ['a host after flags with values', ['install', '--kind', 'daily', '--access', '=', 'read', 'cu'], ['cursor']],
    ['shells', ['completion', ''], SHELLS],
    ['flags after an operand', ['uninstall', 'cursor', '--p'], ['--print']],
    ['values of a closed set', ['serve', '--oauth-access', ''], ['full', 'no-delete', 'propose', 'comment', 'read']],
    ['values of a flag without a command', ['--kind', 's'], ['selected']],
    ['values after an equals sign', ['--kind', '='], ['full', 'selected', 'daily']],
    ['the beginning of a value after an equals sign', ['links', 'add', '--kind', '=', 'd'], ['daily']],
    ['nothing for a free text', ['stdio', '--name', ''], []],
    ['nothing for a free text after an equals sign', ['stdio', '--name', '=', ''], []],
    ['nothing for a command that there is not', ['fly', '--'], []],
    ['the version, before anything else', ['--vers'], ['--version']],
    ['no version after a command', ['stdio', '--vers'], []],
  ])('%s', (_, words, expected) => {
    expect(complete(words)).toEqual(expected)
  })

  test.each(commands)('the flags of %s, and no others', (command) => {
    expect(complete([...command.split(' '), '--'])).toEqual(flagsOf(command))
  })

  test('flags of stdio without a command', () => {
    expect(complete(['--'])).toEqual([...flagsOf('stdio').slice(0, -1), '--version', '--help'])
  })

  test('files and folders with spaces in their names', () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'my notes'))
    writeFileSync(join(cwd, 'my space.sqlite'), '')
    const both = ['my notes', 'my space.sqlite']
    expect(complete(['doctor', '--space', 'my'], { cwd }).sort()).toEqual(both)
    expect(complete(['restore', 'my'], { cwd }).sort()).toEqual(both)
    expect(complete(['serve', '--spaces', 'my'], { cwd })).toEqual(['my notes'])
    expect(complete(['stdio', '--files', '/a', ':', 'my'], { cwd })).toEqual(['my notes'])
  })

  test('paths by readline, if bash supports it', () => {
    const before = 'compopt() { printf "%s\\n" "$*"; }'
    expect(complete(['doctor', '--space', ''], { before })).toEqual(['-o default'])
    expect(complete(['serve', '--backup-to', ''], { before })).toEqual(['-o dirnames'])
    expect(complete(['serve', '--port', ''], { before })).toEqual([])
  })
})

test('the script names the completion function of scriptorium', () => {
  const output = execFileSync('bash', ['--norc', '-c', `${BASH}\ncomplete -p scriptorium`], { encoding: 'utf8' })
  expect(output).toBe('complete -F _scriptorium scriptorium\n')
})

test.each(SHELLS)('the script for %s has each command, flag and enumerated value', (shell) => {
  const words = completionScript(shell).match(/[\w-]+/g)
  for (const command of commands) {
    expect(words).toEqual(expect.arrayContaining(command.split(' ')))
    const flags = flagsForCommand(command).map(([name]) => (shell === 'fish' ? name : `--${name}`))
    expect(words).toEqual(expect.arrayContaining(flags))
  }
  expect(words).toEqual(expect.arrayContaining([...HOST_IDS, ...SHELLS, 'selected', 'no-delete']))
  expect(wordsInGroup('trash')).toHaveLength(1)
})

describe('the command', () => {
  test.each(SHELLS)('prints the script for %s, and opens no space', async (shell) => {
    const space = join(folder(), 'space.sqlite')
    expect(await runHere(['completion', shell], { SCRIPTORIUM_SPACE: space })).toEqual({
      code: 0,
      output: completionScript(shell),
      errors: '',
    })
    expect(existsSync(space)).toBe(false)
  })

  test('lists the shells', async () => {
    expect(await runHere(['completion', 'tcsh'])).toEqual({
      code: 2,
      output: '',
      errors: 'Expected a shell (bash, zsh, fish), found tcsh; name one of these.\n',
    })
  })
})

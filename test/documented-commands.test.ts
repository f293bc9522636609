/** Every command line in the documentation is one that the program reads: its command, operands and flags exist. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentFiles, ROOT } from '../scripts/readme.ts'
import { parseOptions } from '../src/cli/options.ts'

/** Words of a command line, as a shell splits them: quotes hold words together, and # begins a comment. */
function shellWords(line: string): string[] {
  const words = [...line.replace(/\s#\s.*$/, '').matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word)
  return words.map((word) => word.replace(/['"]/g, ''))
}

const FENCED = /^ *```(?:sh|bash)\n([\s\S]*?)^ *```$/gm
/** What asks about the program is no command. */
const ABOUT = /^(?:help|version|-v)\b|--help|^--version|</

const commandsIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^ *(?:sudo )?scriptorium (.+)$/.exec(line)?.[1] ?? []).filter((line) => !ABOUT.test(line))

/** Those in blocks for a shell, with lines that a backslash joins. */
const blockCommands = (text: string): string[] =>
  commandsIn([...text.matchAll(FENCED)].flatMap(([, code = '']) => code.replace(/\\\n\s*/g, ' ').split('\n')))

/** Those that a sentence names. They may leave out what they work on. */
const namedCommands = (text: string): string[] =>
  commandsIn([...text.replace(FENCED, '').matchAll(/`(scriptorium [^`\n]+)`/g)].map(([, code = '']) => code))

/** Why the program would refuse a command line; undefined if it reads it. */
function refusal(line: string): string | undefined {
  try {
    // What follows a pipe or a redirection is for the shell.
    parseOptions(shellWords(line.replace(/ [|>&].*$/, '')), {})
    return undefined
  } catch (error) {
    return `${line}: ${(error as Error).message}`
  }
}

test('words are split as a shell does it', () => {
  expect(shellWords(`add 'Anna K' --handle=anna   # who`)).toEqual(['add', 'Anna K', '--handle=anna'])
})

test.each([...documentFiles(), 'SECURITY.md', 'CONTRIBUTING.md'])('the commands of %s exist', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const isShort = (fault: string): boolean => /, found (?:none|nothing)\b|argument missing/.test(fault)
  const faults = blockCommands(text).flatMap((line) => refusal(line) ?? [])
  const named = namedCommands(text).flatMap((line) => refusal(line) ?? [])
  expect([...faults, ...named.filter((fault) => !isShort(fault))]).toEqual([])
})

test('a command or flag that does not exist is found', () => {
  const page = '```sh\nscriptorium links add --nmae Robot\nscriptorium links revoke\n```\nor `scriptorium lnks add`.'
  expect(blockCommands(page).map((line) => refusal(line) !== undefined)).toEqual([true, true])
  expect(namedCommands(page).map((line) => refusal(line) !== undefined)).toEqual([true])
})

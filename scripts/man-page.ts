/**
 * Generates the manual page `scriptorium(1)` from the tables of commands and flags: the content of `--help`, in one
 * place. Uses the macros of man(7), which every `man` supports, and ASCII only.
 */
import program from '../package.json' with { type: 'json' }
import { type Command, commandInfo, commands, describeCommands, withoutMarks } from '../src/cli/commands.ts'
import type { Flag } from '../src/cli/flags/flag.ts'
import { environmentName, type FlagName, flagsWithCommands } from '../src/cli/flags.ts'

export const manPage = (): string =>
  [
    `.TH SCRIPTORIUM 1 "" "scriptorium ${roff(program.version)}" "User Commands"`,
    // No hyphenation, and no justification of lines.
    '.nh',
    '.ad l',
    ...section('NAME', ['scriptorium \\- a workspace of documents that AI agents and people share']),
    ...section('SYNOPSIS', ['.B scriptorium', '.RI [ command ]', '.RI [ flags ]']),
    ...section('DESCRIPTION', [
      roff(program.description),
      roff('Without a command, it serves one host over standard input and output.'),
    ]),
    ...section('COMMANDS', commands.flatMap(commandLines)),
    ...section('OPTIONS', [
      ...flagsWithCommands().flatMap(flagLines),
      ...definition(bold('--help'), 'Show the commands and flags, or the flags of one command.'),
      ...definition(bold('--version'), 'Print the version.'),
    ]),
    ...section('ENVIRONMENT', [
      roff('Each flag with a value can also be set as a variable, which a flag on the command line overrides:'),
      ...flagsWithCommands().flatMap(({ name, flag }) =>
        flag.value === undefined ? [] : definition(bold(environmentName(name)), `The value of --${name}.`),
      ),
    ]),
    ...section('FILES', [
      roff('Without --space, the space is space.sqlite in a folder of the user:'),
      ...definition(roff('Linux'), '~/.local/share/Scriptorium, or Scriptorium in $XDG_DATA_HOME'),
      ...definition(roff('macOS'), '~/Library/Application Support/Scriptorium'),
      '.PP',
      roff('Beside it are its files (.files), the usage of its limits (.usage) and its sign-ins (.sign-in).'),
    ]),
    ...section(
      'EXIT STATUS',
      EXIT_STATUS.flatMap(([code, meaning]) => definition(bold(code), meaning)),
    ),
    ...section(
      'EXAMPLES',
      EXAMPLES.flatMap(([about, command]) => ['.PP', roff(about), '.PP', '.RS', '.nf', bold(command), '.fi', '.RE']),
    ),
  ]
    .map((line) => `${line}\n`)
    .join('')

const EXIT_STATUS = [
  ['0', 'It is done, or the space is sound.'],
  ['1', 'A part is missing from a backup, or a question was answered with no.'],
  ['2', 'A flag is wrong or a file cannot be used. Nothing was changed.'],
  ['3', 'doctor: there are problems that --repair fixes.'],
  ['4', 'doctor: there are problems that it does not fix.'],
] as const

const EXAMPLES = [
  ['Add the space to the configuration of a host:', 'scriptorium install claude-desktop'],
  ['Serve links over HTTP, and make one that may only read:', 'scriptorium serve\nscriptorium links add --access read'],
  ['Copy the space to a folder, while it is in use:', 'scriptorium backup --to ~/backups'],
] as const

/**
 * Escapes plain text. A backslash would start an escape. Hyphens, apostrophes, backticks, circumflexes and tildes would
 * be printed as typographic characters, which shells do not accept. A dot or an apostrophe at the beginning of a line
 * would start a request.
 */
export const roff = (text: string): string =>
  text
    .replace(/[\\\-'`^~]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[^\n\x20-\x7e]/gu, (character) => `\\[u${hexadecimal(character)}]`)
    .replace(/^(?=\.)/gm, '\\&')

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

const hexadecimal = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

const bold = (text: string): string => `\\fB${roff(text)}\\fR`
const italic = (text: string): string => `\\fI${roff(text)}\\fR`

const section = (title: string, lines: readonly string[]): string[] => [`.SH ${title}`, ...lines]

/** @param term  in roff; `text` is plain */
const definition = (term: string, text: string): string[] => ['.TP', term, roff(text)]

function commandLines(command: Command): string[] {
  const { about, operand, secondOperand } = commandInfo(command)
  const operands = [operand, secondOperand].filter((one) => one !== undefined).map(italic)
  return definition([bold(command), ...operands].join(' '), withoutMarks(about))
}

function flagLines({ name, flag, commands: having }: { name: FlagName; flag: Flag; commands: Command[] }): string[] {
  const { value, about } = flag
  const term = value === undefined ? bold(`--${name}`) : `${bold(`--${name}`)} ${italic(value)}`
  return definition(term, `${withoutMarks(about)} Commands: ${describeCommands(having)}.`)
}

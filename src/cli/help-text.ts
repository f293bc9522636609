/** The text of `--help`. */
import program from '../../package.json' with { type: 'json' }
import { parseCommand } from './command-line.ts'
import { type Command, commandInfo, commands, commandsInGroup, withoutMarks } from './commands.ts'
import type { Flag } from './flags/flag.ts'
import { environmentName, flagGroups, flagsForCommand } from './flags.ts'

function usage(one: Command): string {
  const { operand, secondOperand } = commandInfo(one)
  return [one, operand, secondOperand].filter(Boolean).join(' ')
}

function listOf(some: readonly Command[]): string {
  const width = Math.max(...some.map((one) => usage(one).length))
  return some.map((one) => `  ${usage(one).padEnd(width)}  ${withoutMarks(commandInfo(one).about)}`).join('\n')
}

/** Builds the help for the commands of a group, such as `links`. */
const groupHelpText = (name: string): string =>
  `Usage: scriptorium ${name} <command> [flags]\n\nCommands:\n${listOf(commandsInGroup(name))}\n\nFlags: scriptorium ${name} <command> --help\n`

/** Builds the help for all commands or for one. */
export function helpText(command?: Command): string {
  const own = flagsForCommand(command ?? 'stdio')
  const groups = [...flagGroups]
    .map(([title, flags]) => ({ title, shown: own.filter(([flag]) => Object.hasOwn(flags, flag)) }))
    .filter(({ shown }) => shown.length > 0)
  const shown = groups.map(({ title, shown }) => `\n${title}:\n${shown.map(flagText).join('\n')}`)
  const head =
    command === undefined
      ? `Usage: scriptorium [command] [flags]\n\nCommands:\n${listOf(commands)}\n\nFlags of stdio (each command has its own: scriptorium <command> --help):`
      : `Usage: scriptorium ${usage(command)} [flags]\n\n${withoutMarks(commandInfo(command).about)}\n${exampleOf(command)}\nFlags, and the environment variables that stand for them:`
  return `${[head, ...shown].join('\n')}\n\n  --help\n${command === undefined ? '  --version\n' : ''}`
}

function flagText([flag, { value, about }]: [string, Flag]): string {
  const shownAbout = withoutMarks(about)
  return value === undefined
    ? `  --${flag}\n      ${shownAbout}`
    : `  --${flag} ${value}\n      ${shownAbout} (${environmentName(flag)})`
}

const exampleOf = (command: Command): string => {
  const { example } = commandInfo(command)
  return example === undefined ? '' : `\nExample: scriptorium ${example}\n`
}

const VERSION_WORDS: readonly string[] = ['--version', '-v', '-V', 'version']
const HELP_WORDS: readonly string[] = ['--help', '-h', 'help']

/**
 * What is printed for arguments that ask about the program: its version, its commands, or those of a group. Somebody who
 * starts it on a terminal without arguments is no host, and reads what it does.
 */
export function textAbout(args: readonly string[], isOnTerminal: boolean): string | undefined {
  const [first = '', second = ''] = args
  if (args.length === 0) return isOnTerminal ? INTRODUCTION : undefined
  if (args.length === 1 && VERSION_WORDS.includes(first)) return `${program.version}\n`
  if (args.length === 1 && HELP_WORDS.includes(first)) return helpText()
  const asked = first === 'help' ? args.slice(1) : HELP_WORDS.includes(second) ? [first] : []
  const name = asked.join(' ')
  const command = commands.find((one) => one === name)
  if (command !== undefined) return helpText(command)
  if (asked.length === 1 && commandsInGroup(name).length > 0) return groupHelpText(name)
  // A word that is mistyped after `help` is refused as it is without it.
  return first === 'help' ? helpText(parseCommand(asked).command) : undefined
}

const INTRODUCTION = `Scriptorium ${program.version}: a workspace of documents that AI agents and people share.

  scriptorium open                     open the space in your browser
  scriptorium install claude-desktop   let Claude Desktop use it; other hosts: scriptorium install --help
  scriptorium links add                make a link for any other program, then: scriptorium serve
  scriptorium import FOLDER            bring your notes in
  scriptorium --help                   all commands

Hosts start \`scriptorium stdio\` themselves, and speak to it over standard input and output.
`

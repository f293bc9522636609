/** The command line: commands, flags, and the environment variables that stand for them. */
import { parseArgs } from 'node:util'
import { invalid } from './errors.ts'
import { KINDS, type Kind } from './space/space.ts'

interface CommandInfo {
  about: string
  /** What is named after the command, such as whom to add. */
  operand?: string
}

const COMMANDS = {
  stdio: { about: 'Serve one host over standard input and output (the default).' },
  serve: { about: 'Serve programs on this machine over Streamable HTTP.' },
  'participants add': { about: 'Say of someone that they take part in the space.', operand: 'NAME' },
  'participants list': { about: 'List who takes part in the space.' },
  'participants remove': { about: 'Say of someone that they take part no more.', operand: 'NAME or ID' },
  doctor: { about: 'Say what is there (Node, SQLite, the space) and what to do about what is wrong.' },
} as const satisfies Record<string, CommandInfo>
export type Command = keyof typeof COMMANDS

const commands = Object.keys(COMMANDS) as Command[]
const infoOf = (command: Command): CommandInfo => COMMANDS[command]
/** The commands of a group: `participants` has three. */
const group = (name: string): Command[] => commands.filter((command) => command.startsWith(`${name} `))

interface Flag {
  /** What stands for the value in the help; a flag without it is there or not. */
  value?: string
  about: string
  /** Commands that have it; all when absent. */
  only?: readonly Command[]
}

const FLAGS = {
  space: {
    value: 'FILE',
    about: 'The file of the space; made at the first start. Default: in the data folder of this platform.',
  },
  kind: { value: KINDS.join('|'), about: 'What the connection reaches. Default: full.', only: ['stdio'] },
  documents: { value: 'ID,ID', about: 'The documents that a selected connection reaches.', only: ['stdio'] },
  name: { value: 'NAME', about: 'The name of the space, kept when it is made.' },
  timezone: { value: 'ZONE', about: "The space's time zone (IANA), kept when it is made. Default: the system's." },
  'editor-url': { value: 'URL', about: 'Where people edit documents in a browser, for links to them.' },
  port: { value: 'PORT', about: 'The port to listen at, 0 for any free one. Default: 4810.', only: ['serve'] },
  json: { about: 'Answer as JSON.', only: group('participants') },
} as const satisfies Record<string, Flag>
type FlagName = keyof typeof FLAGS

export interface Options {
  command: Command
  help: boolean
  /** What the command's operand names; empty where it takes none. */
  operand: string
  space?: string
  kind: Kind
  documents: string[]
  name?: string
  timezone?: string
  editorUrl?: string
  port: number
  json: boolean
}

const DEFAULT_PORT = 4810

/** The environment variable that stands for a flag: `--space` is `SCRIPTORIUM_SPACE`. */
const twin = (flag: string): string => `SCRIPTORIUM_${flag.toUpperCase().replaceAll('-', '_')}`

const flagsOf = (command: Command): [FlagName, Flag][] =>
  (Object.entries(FLAGS) as [FlagName, Flag][]).filter(([, { only }]) => only === undefined || only.includes(command))

/** @throws VALIDATION_ERROR for a command, operand, flag or value that there is not, in one sentence */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { command, rest } = commandOf(args)
  const { help, values, operands, given } = parse(command, rest)
  const value = (flag: FlagName): string | undefined => {
    const found = values[flag] ?? environment[twin(flag)]
    return found === '' ? undefined : found
  }
  const options: Options = {
    command,
    help,
    operand: help ? '' : operandOf(command, operands),
    kind: kindOf(value('kind') ?? 'full'),
    documents: (value('documents') ?? '').split(',').filter((id) => id.trim() !== ''),
    port: portOf(value('port')),
    json: given.has('json'),
  }
  const [space, name, timezone, editorUrl] = [value('space'), value('name'), value('timezone'), value('editor-url')]
  if (space !== undefined) options.space = space
  if (name !== undefined) options.name = name
  if (timezone !== undefined) options.timezone = timezone
  if (editorUrl !== undefined) options.editorUrl = urlOf(editorUrl)
  return options
}

/** The command that the arguments begin with, of one or two words, and what follows it. */
function commandOf(args: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first = '', second = ''] = args
  if (first === '' || first.startsWith('-')) return { command: 'stdio', rest: args }
  const inGroup = group(first)
  const named = inGroup.length > 0 ? `${first} ${second}` : first
  const command = commands.find((one) => one === named)
  if (command !== undefined) return { command, rest: args.slice(inGroup.length > 0 ? 2 : 1) }
  const [onlyHelp] = inGroup
  if (onlyHelp !== undefined && (second === '--help' || second === '-h')) return { command: onlyHelp, rest: ['--help'] }
  const expected = inGroup.length > 0 ? inGroup : commands
  throw invalid(`Expected a command (${expected.join(', ')}), found ${named.trim()}; see --help.`)
}

function parse(command: Command, args: readonly string[]) {
  const known = flagsOf(command)
  const flags = known.map(([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' } as const])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(flags), help: { type: 'boolean', short: 'h' } },
      allowPositionals: infoOf(command).operand !== undefined,
    })
    const { help, ...rest } = values as Record<string, string | boolean | undefined>
    const strings = Object.entries(rest).filter(([, value]) => typeof value === 'string')
    return {
      help: help === true,
      values: Object.fromEntries(strings) as Partial<Record<FlagName, string>>,
      given: new Set(Object.keys(rest)),
      operands: positionals,
    }
  } catch (error) {
    const found = error instanceof Error ? error.message.split('. ')[0] : String(error)
    const expected = [...known.map(([flag]) => `--${flag}`), '--help'].join(', ')
    throw invalid(`Expected the flags of ${command} (${expected}), found this: ${found}; see ${command} --help.`)
  }
}

function operandOf(command: Command, operands: readonly string[]): string {
  const { operand } = infoOf(command)
  const [found, ...more] = operands
  if (operand === undefined) return ''
  if (found !== undefined && more.length === 0) return found
  const words = found === undefined ? 'none' : `${operands.length} (${operands.join(', ')})`
  throw invalid(`Expected one ${operand} after ${command}, found ${words}; put what has spaces in quotes.`)
}

function kindOf(given: string): Kind {
  const kind = KINDS.find((one) => one === given)
  if (kind !== undefined) return kind
  throw invalid(`Expected one of ${KINDS.join(', ')} as --kind, found ${given}.`)
}

function portOf(given: string | undefined): number {
  const port = given === undefined ? DEFAULT_PORT : Number(given)
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port
  throw invalid(`Expected a port from 0 to 65535 as --port, found ${given}.`)
}

function urlOf(given: string): string {
  if (URL.canParse(given) && /^https?:/.test(given)) return given
  throw invalid(`Expected an address with http or https as --editor-url, found ${given}.`)
}

/** What `--help` shows, for all commands or for one. */
export function helpText(command?: Command): string {
  const call = (one: Command) => [one, infoOf(one).operand].filter(Boolean).join(' ')
  const width = Math.max(...commands.map((one) => call(one).length))
  const list = commands.map((one) => `  ${call(one).padEnd(width)}  ${infoOf(one).about}`)
  const shown = flagsOf(command ?? 'stdio').map(([flag, { value, about }]) => {
    return value === undefined ? `  --${flag}\n      ${about}` : `  --${flag} ${value}\n      ${about} (${twin(flag)})`
  })
  const head =
    command === undefined
      ? `Usage: scriptorium [command] [flags]\n\nCommands:\n${list.join('\n')}\n\nFlags of stdio (each command has its own: scriptorium <command> --help):`
      : `Usage: scriptorium ${call(command)} [flags]\n\n${infoOf(command).about}\n\nFlags, and the environment variables that stand for them:`
  return `${head}\n${shown.join('\n')}\n  --help\n`
}

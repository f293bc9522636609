/** The command line: commands, flags, and the environment variables that stand for them. */
import { parseArgs } from 'node:util'
import { invalid } from './errors.ts'
import { KINDS, type Kind } from './space/space.ts'

interface Flag {
  /** What stands for the value in the help; a flag without it takes none. */
  value: string
  about: string
  /** Commands that have it; all when absent. */
  only?: readonly Command[]
}

export const COMMANDS = {
  stdio: 'Serve one host over standard input and output (the default).',
  serve: 'Serve programs on this machine over Streamable HTTP.',
  doctor: 'Say what is there (Node, SQLite, the space) and what to do about what is wrong.',
} as const
export type Command = keyof typeof COMMANDS

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
} as const satisfies Record<string, Flag>
type FlagName = keyof typeof FLAGS

export interface Options {
  command: Command
  help: boolean
  space?: string
  kind: Kind
  documents: string[]
  name?: string
  timezone?: string
  editorUrl?: string
  port: number
}

const DEFAULT_PORT = 4810

/** The environment variable that stands for a flag: `--space` is `SCRIPTORIUM_SPACE`. */
const twin = (flag: string): string => `SCRIPTORIUM_${flag.toUpperCase().replaceAll('-', '_')}`

const flagsOf = (command: Command): [FlagName, Flag][] =>
  (Object.entries(FLAGS) as [FlagName, Flag][]).filter(([, { only }]) => only === undefined || only.includes(command))

/** @throws VALIDATION_ERROR for a command, flag or value that there is not, in one sentence */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const [first = ''] = args
  const named = !first.startsWith('-') && first !== ''
  if (named && !(first in COMMANDS)) {
    throw invalid(`Expected a command (${Object.keys(COMMANDS).join(', ')}), found ${first}; see --help.`)
  }
  const command = (named ? first : 'stdio') as Command
  const { help, values } = parse(command, named ? args.slice(1) : args)
  const value = (flag: FlagName): string | undefined => {
    const given = values[flag] ?? environment[twin(flag)]
    return given === '' ? undefined : given
  }
  const options: Options = {
    command,
    help,
    kind: kindOf(value('kind') ?? 'full'),
    documents: (value('documents') ?? '').split(',').filter((id) => id.trim() !== ''),
    port: portOf(value('port')),
  }
  const [space, name, timezone, editorUrl] = [value('space'), value('name'), value('timezone'), value('editor-url')]
  if (space !== undefined) options.space = space
  if (name !== undefined) options.name = name
  if (timezone !== undefined) options.timezone = timezone
  if (editorUrl !== undefined) options.editorUrl = urlOf(editorUrl)
  return options
}

function parse(command: Command, args: readonly string[]) {
  const known = flagsOf(command)
  const flags = Object.fromEntries(known.map(([flag]) => [flag, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...flags, help: { type: 'boolean', short: 'h' } },
      allowPositionals: false,
    })
    const { help, ...rest } = values
    return { help: help === true, values: rest as Partial<Record<FlagName, string>> }
  } catch (error) {
    const found = error instanceof Error ? error.message.split('. ')[0] : String(error)
    const expected = [...known.map(([flag]) => `--${flag}`), '--help'].join(', ')
    throw invalid(`Expected the flags of ${command} (${expected}), found this: ${found}; see ${command} --help.`)
  }
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
  const commands = Object.entries(COMMANDS).map(([name, about]) => `  ${name.padEnd(8)} ${about}`)
  const shown = flagsOf(command ?? 'stdio').map(([flag, { value, about }]) => {
    return `  --${flag} ${value}\n      ${about} (${twin(flag)})`
  })
  const head =
    command === undefined
      ? `Usage: scriptorium [command] [flags]\n\nCommands:\n${commands.join('\n')}\n\nFlags of stdio (each command has its own: scriptorium <command> --help):`
      : `Usage: scriptorium ${command} [flags]\n\n${COMMANDS[command]}\n\nFlags, and the environment variables that stand for them:`
  return `${head}\n${shown.join('\n')}\n  --help\n`
}

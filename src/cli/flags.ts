/** The flags of each command, and their environment variables. Everything about a flag is in one entry of a table. */
import { SPACE_COMMANDS } from './command-sets.ts'
import { type Command, commands } from './commands.ts'
import type { Flag, ValuesOf } from './flags/flag.ts'
import { historyFlags } from './flags/history-flags.ts'
import { linkFlags } from './flags/link-flags.ts'
import { memberFlags } from './flags/member-flags.ts'
import { serverFlags } from './flags/server-flags.ts'
import { spaceFlags } from './flags/space-flags.ts'
import { transferFlags } from './flags/transfer-flags.ts'

/** The groups of flags in `--help`, in the order in which they are shown. Those that say which space is meant are last. */
export const flagGroups: ReadonlyMap<string, Readonly<Record<string, Flag>>> = new Map<string, Record<string, Flag>>([
  ['Calls and history', historyFlags],
  ['Files and output', transferFlags],
  ['What it may reach and do', linkFlags],
  ['Members', memberFlags],
  ['Server', serverFlags],
  ['Space', spaceFlags],
])

export const flags = { ...spaceFlags, ...linkFlags, ...memberFlags, ...serverFlags, ...historyFlags, ...transferFlags }
export type FlagName = keyof typeof flags
/** The values of a run, by name in code. Flags without a default are absent where they are not given. */
export type FlagValues = ValuesOf<typeof flags>

export const flagEntries = Object.entries(flags) as [FlagName, Flag][]

/** The environment variable for a flag: `SCRIPTORIUM_SPACE` for `--space`. */
export const environmentName = (flag: string): string => `SCRIPTORIUM_${flag.toUpperCase().replaceAll('-', '_')}`

export const flagsForCommand = (command: Command): [FlagName, Flag][] =>
  flagEntries.filter(([, { onlyFor }]) => onlyFor?.includes(command) ?? SPACE_COMMANDS.includes(command))

/** All flags, with the commands that have them. */
export const flagsWithCommands = (): { name: FlagName; flag: Flag; commands: Command[] }[] =>
  flagEntries.map(([name, flag]) => ({
    name,
    flag,
    commands: commands.filter((command) => flagsForCommand(command).some(([one]) => one === name)),
  }))

/** The possible values of a flag for completion. A flag for a folder may accept several. */
export function flagValues({ value = '' }: Flag): readonly string[] | 'file' | 'folder' | 'text' {
  if (/^[a-z-]+(?:\|[a-z-]+)+$/.test(value)) return value.split('|')
  if (value === 'FILE' || value === 'FILE|FOLDER') return 'file'
  return value === 'FOLDER' ? 'folder' : 'text'
}

/** Splits the command line into the command, its flags and its operands. */
import { parseArgs } from 'node:util'
import { invalid, messageOf } from '../base/errors.ts'
import { didYouMean, nearestName } from '../base/nearest-name.ts'
import { type Command, commandInfo, commands, commandsInGroup } from './commands.ts'
import { type FlagName, flagsForCommand } from './flags.ts'
import { expandHome } from './home-folder.ts'

/** Splits the arguments into the command (one or two words) and the rest. */
export function parseCommand(args: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first = '', second = ''] = args
  if (first === '' || first.startsWith('-')) return { command: 'stdio', rest: args }
  const inGroup = commandsInGroup(first)
  const longCommand = inGroup.find((one) => one === `${first} ${second}`)
  if (longCommand !== undefined) return { command: longCommand, rest: args.slice(2) }
  const command = commands.find((one) => one === first)
  if (command !== undefined) return { command, rest: args.slice(1) }
  const isGroup = inGroup.length > 0
  const expected = isGroup ? inGroup : commands
  const found = isGroup ? `${first} ${second}`.trim() : first
  // Only the second words of a group differ.
  const [word, start] = isGroup ? [second, `${first} `] : [first, '']
  const words = new Set(expected.map((one) => one.slice(start.length).split(' ')[0] ?? ''))
  const near = nearestName(word, [...words])
  const next = near === undefined ? 'see --help.' : `did you mean ${start}${near}?`
  throw invalid(`Expected a command (${expected.join(', ')}), found ${found}; ${next}`)
}

export function parseFlags(command: Command, args: readonly string[]) {
  const known = flagsForCommand(command)
  const types = known.map(([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' } as const])
  try {
    const { values, positionals } = parseArgs({
      args: joinDashed(args, new Set(known.flatMap(([flag, { value }]) => (value === undefined ? [] : [`--${flag}`])))),
      options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
      allowPositionals: commandInfo(command).operand !== undefined,
    })
    const { help, ...rest } = values as Record<string, string | boolean | undefined>
    const given = Object.entries(rest)
    return {
      help: help === true,
      values: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as GivenValues,
      switches: new Set(given.flatMap(([flag, value]) => (value === true ? [flag] : []))),
      operands: positionals,
    }
  } catch (error) {
    // The advice of Node after the first sentence or line is about its own grammar.
    const [found] = messageOf(error).split(/\. |\.?\n/)
    const expected = [...known.map(([flag]) => `--${flag}`), '--help']
    const [, unknown] = /^Unknown option '--([^'=]*)/.exec(found ?? '') ?? []
    const hint = `see ${command} --help.`
    const [, valueless] =
      /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(found ?? '') ?? []
    if (valueless !== undefined) throw invalid(`Expected a value after ${valueless}, found none; ${hint}`)
    const next = unknown === undefined ? hint : didYouMean(`--${unknown}`, expected, hint)
    throw invalid(`Expected the flags of ${command} (${expected.join(', ')}), found this: ${found}; ${next}`)
  }
}

/** Joins a flag with a value that begins with one dash, as one of 64 cursors does: Node takes it for short flags. */
function joinDashed(args: readonly string[], valued: ReadonlySet<string>): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const last = joined.at(-1) ?? ''
    if (valued.has(last) && /^-[^-]/.test(arg) && arg !== '-h') joined.splice(-1, 1, `${last}=${arg}`)
    else joined.push(arg)
  }
  return joined
}

/** The values on the command line, as typed. */
export type GivenValues = Readonly<Partial<Record<FlagName, string>>>

/** @returns empty texts for operands that the command does not have */
export function parseOperands(
  command: Command,
  operands: readonly string[],
): { operand: string; secondOperand: string } {
  const { operand, secondOperand, operandValues } = commandInfo(command)
  const [found = '', second = ''] = operands
  if (operand === undefined || operands.length === (secondOperand === undefined ? 1 : 2)) {
    const isPath = operandValues === 'file'
    return { operand: isPath ? expandHome(found) : found, secondOperand: isPath ? expandHome(second) : second }
  }
  const expected = secondOperand === undefined ? `one ${operand}` : `${operand} and ${secondOperand}`
  // Several arguments may include the address of a database with its password, which must not be printed.
  const shown = secondOperand === undefined ? `${operands.length} (${operands.join(', ')})` : `${operands.length}`
  throw invalid(
    `Expected ${expected} after ${command}, found ${operands.length === 0 ? 'none' : shown}; put what has spaces in quotes.`,
  )
}

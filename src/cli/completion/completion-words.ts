/** Commands and flags in the form that completion scripts need. */
import { type Command, commandInfo, commands } from '../commands.ts'

/** A word to complete, with its description. */
export interface CompletionWord {
  word: string
  about: string
}

const longFirstWords = [...new Set(commands.filter((one) => one.includes(' ')).map(firstWord))]
const isCommand = (word: string): word is Command => (commands as readonly string[]).includes(word)

/** First words of two-word commands, such as `links`. */
export const groups: readonly string[] = longFirstWords.filter((word) => !isCommand(word))

/** Commands that are also the first word of others, such as `history` of `history forget`. */
export const commandsWithSubcommands: readonly Command[] = longFirstWords.filter(isCommand)

/** The possible arguments of a command: its values, or the second words of commands that begin with it. */
export function operandValuesOf(command: Command): readonly string[] | 'file' | undefined {
  const { operandValues } = commandInfo(command)
  if (!commandsWithSubcommands.includes(command)) return operandValues
  return wordsInGroup(command).map(({ word }) => word)
}

/** The first word of a command line: one-word commands, and groups. */
export const firstWords: readonly CompletionWord[] = [...new Set(commands.map(firstWord))].map((word) => ({
  word,
  about: groups.includes(word)
    ? `Commands: ${wordsInGroup(word)
        .map((one) => one.word)
        .join(', ')}`
    : summary(commandInfo(word as Command).about),
}))

/** The second words of a group, such as `add`. */
export function wordsInGroup(group: string): CompletionWord[] {
  const inGroup = commands.filter((command) => command.startsWith(`${group} `))
  return inGroup.map((command) => ({
    word: command.slice(group.length + 1),
    about: summary(commandInfo(command).about),
  }))
}

/** A short description of a flag or a command, for one line of a list. */
export function summary(about: string): string {
  return about.replace(/(?:[.:;] .*|\.)$/s, '')
}

/** A shell word in single quotes. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function firstWord(command: string): string {
  return command.split(' ')[0] ?? command
}

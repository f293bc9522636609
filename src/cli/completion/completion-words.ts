/** The tables of commands and flags, as scripts of shells need them. */
import { type Command, commandInfo, commands } from '../commands.ts'

/** A word to complete, and what it means. */
export interface CompletionWord {
  word: string
  about: string
}

const longFirstWords = [...new Set(commands.filter((one) => one.includes(' ')).map(firstWord))]
const isCommand = (word: string): word is Command => (commands as readonly string[]).includes(word)

/** First words of the commands of two words: `links`. */
export const groups: readonly string[] = longFirstWords.filter((word) => !isCommand(word))

/** Commands that begin others: `history`, of `history forget`. */
export const commandsWithSubcommands: readonly Command[] = longFirstWords.filter(isCommand)

/** What the operand of a command may be: its values, or the words with which another command begins like it. */
export function operandWords(command: Command): readonly string[] | 'file' | undefined {
  const { operandValues } = commandInfo(command)
  if (!commandsWithSubcommands.includes(command)) return operandValues
  return wordsInGroup(command).map(({ word }) => word)
}

/** What a command line may begin with: commands of one word, and groups. */
export const firstWords: readonly CompletionWord[] = [...new Set(commands.map(firstWord))].map((word) => ({
  word,
  about: groups.includes(word)
    ? `Commands: ${wordsInGroup(word)
        .map((one) => one.word)
        .join(', ')}`
    : summary(commandInfo(word as Command).about),
}))

/** Second words of a group: `add`. */
export function wordsInGroup(group: string): CompletionWord[] {
  const inGroup = commands.filter((command) => command.startsWith(`${group} `))
  return inGroup.map((command) => ({
    word: command.slice(group.length + 1),
    about: summary(commandInfo(command).about),
  }))
}

/** What a flag or a command is about, in the few words that fit on its line of a list. */
export function summary(about: string): string {
  return about.replace(/(?:[.:;] .*|\.)$/s, '')
}

/** A word of a shell, with everything in it as it is. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function firstWord(command: string): string {
  return command.split(' ')[0] ?? command
}

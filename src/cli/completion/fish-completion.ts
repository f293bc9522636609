/** The completion script for fish 3.0 or newer. */
import { type Command, commandInfo, commands } from '../commands.ts'
import { flagsWithCommands, flagValues } from '../flags.ts'
import { commandsWithSubcommands, firstWords, groups, summary, wordsInGroup } from './completion-words.ts'

export const fishCompletion = (): string => `# Completes scriptorium in fish. Made by: scriptorium completion fish

# The words before the cursor, without the program.
function __scriptorium_words
    set -l words (commandline -opc)
    set -e words[1]
    printf '%s\\n' $words
end

# Whether the command is one of these. Without a command it is stdio, which begins with a flag.
function __scriptorium_command_is
    set -l words (__scriptorium_words)
    set -l command stdio
    switch "$words[1]"
        case '' '-*'
        case ${groups.join(' ')}
            set command "$words[1..2]"
        case ${commandsWithSubcommands.join(' ')}
            set command $words[1]
            if contains -- "$words[2]" ${commandsWithSubcommands
              .flatMap(wordsInGroup)
              .map(({ word }) => word)
              .join(' ')}
                set command "$words[1..2]"
            end
        case '*'
            set command $words[1]
    end
    contains -- "$command" $argv
end

# Whether these are all words so far.
function __scriptorium_words_are
    set -l words (__scriptorium_words)
    test "$words" = "$argv"
end

complete -c scriptorium -f
${[...firstWordLines(), ...[...groups, ...commandsWithSubcommands].flatMap(groupLines), ...commands.flatMap(operandLines), ...flagLines()].join('\n')}
complete -c scriptorium -n __scriptorium_words_are -l version -d 'Print the version'
complete -c scriptorium -l help -s h -d 'Show the flags of the command'
`

/** Fish has two escape sequences within single quotes. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const line = (condition: string, ...rest: string[]): string =>
  ['complete -c scriptorium', '-n', quoted(condition), ...rest].join(' ')

function firstWordLines(): string[] {
  return firstWords.map(({ word, about }) => line('__scriptorium_words_are', '-a', word, '-d', quoted(about)))
}

function groupLines(group: string): string[] {
  return wordsInGroup(group).map(({ word, about }) =>
    line(`__scriptorium_words_are ${group}`, '-a', word, '-d', quoted(about)),
  )
}

function operandLines(command: Command): string[] {
  const { operandValues } = commandInfo(command)
  const isCommand = `__scriptorium_command_is ${quoted(command)}`
  if (operandValues === undefined) return []
  if (operandValues === 'file') return [line(isCommand, '-F')]
  const choices = operandValues.join(' ')
  return [line(`${isCommand}; and not __fish_seen_subcommand_from ${choices}`, '-a', quoted(choices))]
}

function flagLines(): string[] {
  return flagsWithCommands().map(({ name, flag, commands: having }) =>
    line(
      `__scriptorium_command_is ${having.map(quoted).join(' ')}`,
      ...['-l', name, ...valueArguments(flag.value === undefined ? undefined : flagValues(flag))],
      ...['-d', quoted(summary(flag.about))],
    ),
  )
}

function valueArguments(values: ReturnType<typeof flagValues> | undefined): string[] {
  if (values === undefined) return []
  if (typeof values !== 'string') return ['-x', '-a', quoted(values.join(' '))]
  return VALUE_ARGUMENTS[values]
}

const VALUE_ARGUMENTS = {
  ...{ file: ['-r', '-F'], folder: ['-x', '-a', quoted('(__fish_complete_directories)')], text: ['-x'] },
}

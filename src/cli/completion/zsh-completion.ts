/** The completion script for zsh: a function for its completion system, to be autoloaded or sourced. */

import { type Command, commandInfo, commands } from '../commands.ts'
import type { Flag } from '../flags/flag.ts'
import { flagsForCommand, flagValues } from '../flags.ts'
import {
  type CompletionWord,
  commandsWithSubcommands,
  firstWords,
  groups,
  operandValuesOf,
  singleQuoted,
  summary,
  wordsInGroup,
} from './completion-words.ts'

export const zshCompletion = (): string => `#compdef scriptorium
# Completes scriptorium in zsh. Made by: scriptorium completion zsh

_scriptorium() {
  local command=stdio
  local -a names version

  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    names=(
${described(firstWords, '      ')}
    )
    _describe -t commands command names
    return
  fi

  case $words[2] in
    -*)
      version=('(- *)--version[Print the version]')
      ;;
${[...groups.map(groupCase), ...commandsWithSubcommands.map(subcommandCase)].join('\n')}
    *)
      command=$words[2]
      shift words
      (( CURRENT -= 1 ))
      ;;
  esac

  case $command in
${commands.map(commandCase).join('\n')}
  esac
}

# Autoloaded, the file is the function itself.
if [[ $funcstack[1] == _scriptorium ]]; then
  _scriptorium "$@"
else
  compdef _scriptorium scriptorium
fi
`

const groupCase = (group: string): string => `    ${group})
      if (( CURRENT == 3 )); then
        names=(
${described(wordsInGroup(group), '          ')}
        )
        _describe -t commands '${group} command' names
        return
      fi
      command="$words[2] $words[3]"
      shift 2 words
      (( CURRENT -= 2 ))
      ;;`

const subcommandCase = (command: Command): string => `    ${command})
      if (( CURRENT > 3 )) && [[ $words[3] == (${wordsInGroup(command)
        .map(({ word }) => word)
        .join('|')}) ]]; then
        command="$words[2] $words[3]"
        shift 2 words
        (( CURRENT -= 2 ))
      else
        command=$words[2]
        shift words
        (( CURRENT -= 1 ))
      fi
      ;;`

function commandCase(command: Command): string {
  const flags = flagsForCommand(command).map(([name, flag]) => flagSpec(name, flag))
  const specs = [...flags, '(- *)--help[Show the flags of the command]', ...operandSpec(command)].map(singleQuoted)
  return `    ${singleQuoted(command)})
      _arguments ${['"$version[@]"', ...specs].join(' \\\n        ')}
      ;;`
}

/** A specification for `_arguments`. `=` allows the value in the same word or the next. */
function flagSpec(name: string, flag: Flag): string {
  const about = escapeSpec(summary(flag.about))
  if (flag.value === undefined) return `--${name}[${about}]`
  return `--${name}=[${about}]:${name}:${action(flagValues(flag))}`
}

function operandSpec(command: Command): string[] {
  const { operand, secondOperand } = commandInfo(command)
  const words = operandValuesOf(command)
  if (commandsWithSubcommands.includes(command)) return [`::command:${action(words ?? 'text')}`]
  return [operand, secondOperand].filter((one) => one !== undefined).map((one) => `:${one}:${action(words ?? 'text')}`)
}

function action(values: ReturnType<typeof flagValues>): string {
  if (typeof values !== 'string') return `(${values.join(' ')})`
  return ACTIONS[values]
}

const ACTIONS = { file: '_files', folder: '_files -/', text: ' ' }

const escapeSpec = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&')

/** Array elements for `_describe`, which splits at the first colon. */
const described = (words: readonly CompletionWord[], indent: string): string =>
  words.map(({ word, about }) => indent + singleQuoted(`${word}:${about.replaceAll('\\', '\\\\')}`)).join('\n')

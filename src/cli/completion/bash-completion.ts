/** The completion script for bash 3.2 (the version of macOS) or newer. Does not need the package bash-completion. */
import { commandInfo, commands } from '../commands.ts'
import { flagsForCommand, flagsWithCommands, flagValues } from '../flags.ts'
import {
  commandsWithSubcommands,
  firstWords,
  groups,
  operandValuesOf,
  singleQuoted,
  wordsInGroup,
} from './completion-words.ts'

export const bashCompletion = (): string => `# Completes scriptorium in bash. Made by: scriptorium completion bash

_scriptorium_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

# Readline completes paths best itself, with quotes and tildes. Before bash 4 it cannot be asked to.
_scriptorium_paths() {
  if [[ $1 == file ]]; then
    compopt -o default 2>&- && return
  else
    compopt -o dirnames 2>&- && return
  fi
  local path
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen -A "\${1/folder/directory}" -- "$cur")
}

# The flags that take a value.
_scriptorium_takes_value() {
  case $1 in
    ${flagPattern(() => true)}) return 0 ;;
  esac
  return 1
}

_scriptorium() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command=stdio start=1 at=$COMP_CWORD i given=0 most=1 flag flags operands=''
  COMPREPLY=()
  case \${COMP_WORDS[1]} in
    -*) ;;
    ${groups.join('|')}) command="\${COMP_WORDS[1]} \${COMP_WORDS[2]-}" start=3 ;;
    *) command=\${COMP_WORDS[1]} start=2 ;;
  esac
  case "$command \${COMP_WORDS[2]-}" in
    ${longCommands()}) ((COMP_CWORD > 2)) && command="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" start=3 ;;
  esac

  if ((COMP_CWORD < start)); then
    case $COMP_CWORD\${COMP_WORDS[1]} in
      1*) _scriptorium_words '${firstWords.map(({ word }) => word).join(' ')}' ;;
${groups.map((group) => `      2${group}) _scriptorium_words '${wordList(group)}' ;;`).join('\n')}
    esac
    return
  fi

  # Bash makes words of = and : in a value; the value goes back to its flag.
  [[ $cur == [=:] ]] && cur='' && ((at++))
  while ((at > 1)) && [[ \${COMP_WORDS[at - 1]} == [=:] ]]; do ((at -= 2)); done
  flag=\${COMP_WORDS[at - 1]}
  ((at < COMP_CWORD)) && [[ \${COMP_WORDS[at]} == -* ]] && flag=\${COMP_WORDS[at]}
  case $flag in
${flagCases()}
  esac
  _scriptorium_takes_value "$flag" && return

  for ((i = start; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      [=:]) ((i++)) ;;
      -*) _scriptorium_takes_value "\${COMP_WORDS[i]}" && [[ \${COMP_WORDS[i + 1]} != = ]] && ((i++)) ;;
      *) ((given++)) ;;
    esac
  done

  case $command in
${commandCases()}
    *) return ;;
  esac
  ((COMP_CWORD == 1)) && flags+=' --version'
  if [[ $cur == -* || -z $operands || $given -ge $most ]]; then
    _scriptorium_words "$flags --help"
  elif [[ $operands == /file ]]; then
    _scriptorium_paths file
  else
    _scriptorium_words "$operands"
  fi
}

complete -F _scriptorium scriptorium
`

type Values = ReturnType<typeof flagValues>

/** A pattern for two-word commands whose first word is a command too. */
const longCommands = (): string =>
  commandsWithSubcommands
    .flatMap((command) => wordsInGroup(command).map(({ word }) => singleQuoted(`${command} ${word}`)))
    .join('|')

const wordList = (group: string): string =>
  wordsInGroup(group)
    .map(({ word }) => word)
    .join(' ')

/** A `case` pattern for flags with a given kind of values. */
const flagPattern = (isMeant: (values: Values) => boolean): string =>
  flagsWithCommands()
    .filter(({ flag }) => flag.value !== undefined && isMeant(flagValues(flag)))
    .map(({ name }) => `--${name}`)
    .join('|')

function flagCases(): string {
  const choices = flagsWithCommands().flatMap(({ name, flag }) => {
    const values = flagValues(flag)
    return typeof values === 'string' ? [] : [`    --${name}) _scriptorium_words '${values.join(' ')}' ;;`]
  })
  const paths = (['file', 'folder'] as const).map(
    (kind) => `    ${flagPattern((values) => values === kind)}) _scriptorium_paths ${kind} ;;`,
  )
  return [...choices, ...paths].join('\n')
}

/** Sets the flags and arguments of each command. Paths are marked by \`/file\`, which is not a value of any command. */
function commandCases(): string {
  const lines = commands.map((command) => {
    const flags = flagsForCommand(command).map(([name]) => `--${name}`)
    const words = operandValuesOf(command) ?? []
    const operands = words === 'file' ? '/file' : words.join(' ')
    const most = commandInfo(command).secondOperand === undefined ? '' : ' most=2'
    return `    ${singleQuoted(command)}) flags='${flags.join(' ')}' operands='${operands}'${most} ;;`
  })
  return lines.join('\n')
}

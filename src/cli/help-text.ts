/** The text of `--help`. */
import { type Command, commandInfo, commands, withoutMarks } from './commands.ts'
import { environmentName, flagsForCommand } from './flags.ts'

/** Builds the help for all commands or for one. */
export function helpText(command?: Command): string {
  const usage = (one: Command) => {
    const { operand, secondOperand } = commandInfo(one)
    return [one, operand, secondOperand].filter(Boolean).join(' ')
  }
  const width = Math.max(...commands.map((one) => usage(one).length))
  const list = commands.map((one) => `  ${usage(one).padEnd(width)}  ${withoutMarks(commandInfo(one).about)}`)
  const shown = flagsForCommand(command ?? 'stdio').map(([flag, { value, about }]) => {
    const shownAbout = withoutMarks(about)
    return value === undefined
      ? `  --${flag}\n      ${shownAbout}`
      : `  --${flag} ${value}\n      ${shownAbout} (${environmentName(flag)})`
  })
  const head =
    command === undefined
      ? `Usage: scriptorium [command] [flags]\n\nCommands:\n${list.join('\n')}\n\nFlags of stdio (each command has its own: scriptorium <command> --help):`
      : `Usage: scriptorium ${usage(command)} [flags]\n\n${withoutMarks(commandInfo(command).about)}\n\nFlags, and the environment variables that stand for them:`
  return `${[head, ...shown].join('\n')}\n  --help\n${command === undefined ? '  --version\n' : ''}`
}

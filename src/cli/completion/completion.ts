/** `scriptorium completion SHELL`: prints a script that completes commands, flags and their values. */
import { invalid } from '../../base/errors.ts'
import { SHELLS, type Shell } from '../commands.ts'
import { bashCompletion } from './bash-completion.ts'
import { fishCompletion } from './fish-completion.ts'
import { zshCompletion } from './zsh-completion.ts'

const SCRIPTS: Readonly<Record<Shell, () => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** @throws VALIDATION_ERROR for an unknown shell */
export function completionScript(name: string): string {
  const shell = SHELLS.find((one) => one === name)
  if (shell === undefined) throw invalid(`Expected a shell (${SHELLS.join(', ')}), found ${name}; name one of these.`)
  return SCRIPTS[shell]()
}

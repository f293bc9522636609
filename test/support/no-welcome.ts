/** Creates spaces without the welcome document, with the program of any checkout. */
import { execFileSync } from 'node:child_process'

/** The flag for that, if the program has it. Earlier versions wrote no such document. */
export function noWelcomeFlags(script: string, cwd: string): string[] {
  const help = execFileSync(process.execPath, [script, '--help'], { cwd, encoding: 'utf8' })
  return help.includes('--no-welcome') ? ['--no-welcome'] : []
}

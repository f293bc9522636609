/** A new space without the welcome document, by the program of any checkout. */
import { execFileSync } from 'node:child_process'

/** The flag for it, where the program has one: earlier versions wrote no document. */
export function noWelcomeFlags(script: string, cwd: string): string[] {
  const help = execFileSync(process.execPath, [script, '--help'], { cwd, encoding: 'utf8' })
  return help.includes('--no-welcome') ? ['--no-welcome'] : []
}

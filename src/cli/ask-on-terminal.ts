/** Asks a person for confirmation. */
import { createInterface } from 'node:readline/promises'
import { escapeForTerminal, terminalRow } from '../base/control-characters.ts'
import { invalid } from '../base/errors.ts'

/**
 * @param lines  what would be done
 * @param instead  advice if there is no one to ask
 * @returns true if the answer is yes
 * @throws VALIDATION_ERROR if there is no terminal
 */
export async function askOnTerminal(lines: readonly string[], question: string, instead: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await answerTo(lines, `${question} [y/N] `, instead))
}

/** The same for what cannot be taken back: the person types `text`. */
export async function askForText(lines: readonly string[], text: string, instead: string): Promise<boolean> {
  return (await answerTo(lines, `Type ${text} to go on: `, instead)) === text
}

async function answerTo(lines: readonly string[], question: string, instead: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw invalid(`Expected a terminal to ask on, found none; nothing was changed. ${instead}`)
  }
  for (const line of lines) stderr.write(`${terminalRow(line.split('\t'))}\n`)
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    // At the end of input, no answer will follow.
    const ended = new Promise<string>((stop) => terminal.once('close', () => stop('')))
    const answer = await Promise.race([terminal.question(escapeForTerminal(question)), ended])
    return answer.trim()
  } finally {
    terminal.close()
  }
}

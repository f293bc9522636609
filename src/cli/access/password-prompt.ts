/** Prompts for a password on a terminal, or reads the first line of piped input. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { escapeForTerminal } from '../../base/control-characters.ts'
import { invalid } from '../../base/errors.ts'

/**
 * @param name  of the participant
 * @throws VALIDATION_ERROR if there is no input, or the repeated password differs
 */
export async function promptPassword(name: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true) return readFirstLine()
  // Typed characters are not shown.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  const prompt = async (question: string): Promise<string> => {
    stderr.write(question)
    const line = await new Promise<string>((resolve, reject) => {
      lines.question('', resolve)
      lines.once('close', () => reject(invalid('Expected a password, found none; nothing was changed.')))
    })
    stderr.write('\n')
    return line
  }
  try {
    const password = await prompt(`Password of ${escapeForTerminal(name)}: `)
    if ((await prompt('The same again: ')) === password) return password
    throw invalid('Expected the same password twice, found two; nothing was changed.')
  } finally {
    lines.removeAllListeners('close')
    lines.close()
  }
}

async function readFirstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  throw invalid('Expected a password as the first line of standard input, found none; nothing was changed.')
}

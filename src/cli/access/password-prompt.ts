/** Prompts for a password or a passphrase on a terminal, or reads the first line of piped input. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { escapeForTerminal } from '../../base/control-characters.ts'
import { invalid } from '../../base/errors.ts'

/**
 * @param name  of the participant
 * @throws VALIDATION_ERROR if there is no input, or the repeated password differs
 */
export const promptPassword = (name: string): Promise<string> =>
  promptSecret('password', [`Password of ${escapeForTerminal(name)}: `, REPEATED])

/** The passphrase of an export. @throws VALIDATION_ERROR if there is no input, or the repeated passphrase differs */
export const promptPassphrase = ({ isNew }: { isNew: boolean }): Promise<string> =>
  promptSecret('passphrase', isNew ? ['Passphrase for the secrets: ', REPEATED] : ['Passphrase of the export: '])

const REPEATED = 'The same again: '

/** @param questions  asked one after another on a terminal; all answers must be the same */
async function promptSecret(noun: string, questions: readonly string[]): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true) return readFirstLine(noun)
  // Typed characters are not shown.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  const prompt = async (question: string): Promise<string> => {
    stderr.write(question)
    const line = await new Promise<string>((resolve, reject) => {
      lines.question('', resolve)
      lines.once('close', () => reject(invalid(`Expected a ${noun}, found none; nothing was changed.`)))
    })
    stderr.write('\n')
    return line
  }
  try {
    const answers = new Set<string>()
    for (const question of questions) answers.add(await prompt(question))
    const [answer, other] = answers
    if (answer !== undefined && other === undefined) return answer
    throw invalid(`Expected the same ${noun} twice, found two; nothing was changed.`)
  } finally {
    lines.removeAllListeners('close')
    lines.close()
  }
}

async function readFirstLine(noun: string): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  throw invalid(`Expected a ${noun} as the first line of standard input, found none; nothing was changed.`)
}

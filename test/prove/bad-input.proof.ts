/**
 * Bad input: for any input, the server answers, does not delay other calls, and stores nothing of a call that it
 * refused.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ChildOptions } from './bad-input/child.ts'
import { PLANTED } from './bad-input/planted-endpoints.ts'
import { type Proof, type ProofContext, type ProofResult, times } from './proof.ts'

export const proof: Proof = {
  runsLast: true,
  promise:
    'Whatever is sent, none of it is a fault of the server, a refused call writes nothing, none holds up the others for 50 ms (100 ms if it is larger than 1 MiB), and memory stays flat.',
  run: (context) => sendIn(context, { calls: times(context, 20_000, 1_000_000), isPlanted: false }),
  async control(context) {
    const { figures, faults } = await sendIn(context, { calls: 1_200, isPlanted: true })
    const missed = PLANTED.filter((words) => !faults.some((fault) => fault.startsWith(words)))
    const found = { planted: PLANTED.length, found: PLANTED.length - missed.length }
    // Every planted fault has to be detected.
    return { figures: { ...figures, ...found }, faults: missed.length === 0 ? faults : [] }
  },
}

/** Sends the calls in a separate process, so that its memory can be measured after a garbage collection. */
async function sendIn(
  { folder, seed, log }: ProofContext,
  options: Pick<ChildOptions, 'calls' | 'isPlanted'>,
): Promise<ProofResult> {
  const whole: ChildOptions = { folder, seed, ...options }
  const child = fork(join(import.meta.dirname, 'bad-input/child.ts'), [JSON.stringify(whole)], {
    execArgv: ['--expose-gc'],
  })
  let shown: ProofResult | undefined
  child.on('message', (message: { line: string } | { shown: ProofResult }) => {
    if ('line' in message) log(message.line)
    else shown = message.shown
  })
  const [code, signal] = await once(child, 'exit')
  return shown ?? { figures: {}, faults: [`the process ended with ${code ?? signal} before it was done`] }
}

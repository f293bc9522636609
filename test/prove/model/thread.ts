/** Runs sequences in a worker thread: it receives seeds and sends the outcome of each. */
import { parentPort, workerData } from 'node:worker_threads'
import { faultNamed } from './planted.ts'
import { runSeed } from './sequence.ts'

export interface Work {
  seeds: number[]
  length: number
  planted?: string
}

export interface SequenceResult {
  seed: number
  steps: number
  refused: number
  tools: string[]
  fault: string | undefined
}

const { seeds, length, planted } = workerData as Work

for (const seed of seeds) {
  const { steps, refused, fault } = await runSeed(seed, length, faultNamed(planted))
  const tools = steps.map(({ call }) => call.tool)
  const done: SequenceResult = { seed, steps: steps.length, refused, tools, fault }
  parentPort?.postMessage(done)
}

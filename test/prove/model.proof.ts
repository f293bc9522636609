/** Compares every tool that writes with a simple model of a space in memory. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { RULES } from './model/model.ts'
import { faultNamed } from './model/planted.ts'
import { runSeed } from './model/sequence.ts'
import { shrink } from './model/shrink.ts'
import type { SequenceResult, Work } from './model/thread.ts'
import { type Proof, type ProofContext, type ProofResult, times } from './proof.ts'
import { neverCalled } from './tool-table.ts'

/** Number of calls in a sequence. Each sequence has a separate space. */
const LENGTH = 250
const THREADS = 2
/** Number of failing sequences to shrink. */
const SHRUNK = 3

export const proof: Proof = {
  promise: 'A space is, after any calls, what a plain model of it says; what is refused leaves no trace.',
  runsInParallel: true,
  run: (context) => runAll(context, times(context, 50_000, 2_000_000) / LENGTH, LENGTH),
  control: (context) => runAll(context, CONTROL.sequences, CONTROL.length, 'misplaced'),
}

const CONTROL = { sequences: 8, length: 150 }

async function runAll(
  context: ProofContext,
  sequences: number,
  length: number,
  planted?: string,
): Promise<ProofResult> {
  const seeds = Array.from({ length: sequences }, (_, index) => context.seed * 1_000_000 + index)
  const parts = Array.from({ length: THREADS }, (_, thread) => seeds.filter((_, index) => index % THREADS === thread))
  const all: SequenceResult[] = []
  const note = (done: SequenceResult) => {
    all.push(done)
    if (all.length % REPORT_EVERY === 0) context.log(`${all.length} of ${sequences} sequences`)
  }
  await Promise.all(parts.map((seeds) => onThread({ seeds, length, ...(planted && { planted }) }, note)))
  const faulty = all.filter(({ fault }) => fault !== undefined).sort((one, other) => one.steps - other.steps)
  const faults: string[] = []
  for (const { seed, fault } of faulty.slice(0, planted === undefined ? SHRUNK : 1)) {
    faults.push(await shortest(context, { seed, length, planted, fault }))
  }
  const tools = new Set(all.flatMap(({ tools }) => tools))
  if (planted === undefined) faults.push(...neverCalled(RULES, tools))
  const sum = (count: (done: SequenceResult) => number) => all.reduce((total, done) => total + count(done), 0)
  return {
    figures: {
      calls: sum(({ steps }) => steps),
      'of them refused': sum(({ refused }) => refused),
      sequences: all.length,
      tools: tools.size,
      'sequences with a difference': faulty.length,
    },
    faults,
  }
}

/** Number of sequences between two lines of progress. */
const REPORT_EVERY = 20

async function onThread(work: Work, note: (done: SequenceResult) => void): Promise<void> {
  const worker = new Worker(new URL('model/thread.ts', import.meta.url), { workerData: work })
  worker.on('message', note)
  // An error that the thread throws, from the model or while reading, does not count as a difference: it ends the
  // proof.
  await once(worker, 'exit')
}

interface Faulty {
  seed: number
  length: number
  planted: string | undefined
  fault: string | undefined
}

async function shortest(context: ProofContext, { seed, length, planted, fault = '' }: Faulty): Promise<string> {
  const { steps } = await runSeed(seed, length, faultNamed(planted))
  context.log(`Making sequence ${seed} of ${steps.length} calls short: ${fault}`)
  const { calls, text } = await shrink(steps, faultNamed(planted))
  return `sequence ${seed}, ${steps.length} calls made ${calls}:\n    ${text}`
}

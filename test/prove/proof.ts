/** A proof: a harness that shows that a promise is kept, and that detects a planted fault. */

/** Exported by the file of each proof (`NAME.proof.ts` in this folder). */
export interface Proof {
  /** The promise, in one sentence. */
  promise: string
  /**
   * If several proofs run, this one runs in a second process, which runs such proofs one after another, in parallel to
   * the others.
   */
  runsInParallel?: true
  /** It measures pauses or memory. It runs last, when the other process mostly waits. */
  runsLast?: true
  /** It takes minutes or needs programs that few machines have, so it runs only if it is named. */
  runsOnlyByName?: true
  /** Tests the promise under strain. */
  run(context: ProofContext): Promise<ProofResult>
  /**
   * The same with a planted fault. It returns the faults that it detected: if there are none, the proof proves nothing.
   */
  control(context: ProofContext): Promise<ProofResult>
}

export interface ProofContext {
  length: 'short' | 'long'
  /** Seed of all random choices. The same seed gives the same run, except for the timing of other processes. */
  seed: number
  /** A temporary folder of this run, which is removed afterwards. */
  folder: string
  /** The directory of another checkout, for a proof that compares. */
  against?: string
  /** Prints a line of progress. */
  log(line: string): void
}

/** The result of a proof. */
export interface ProofResult {
  /** What was done and counted, in printing order: `{ kills: 300, lost: 0 }`. */
  figures: Record<string, number | string>
  /** Sentences with all that is needed to reproduce a fault; empty if the promise was kept. */
  faults: string[]
}

/** Chooses a value by the length of the run, for example a number of repetitions. */
export const times = <Much>({ length }: ProofContext, short: Much, long: Much): Much =>
  length === 'short' ? short : long

/** A generator of random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

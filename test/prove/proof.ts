/** What a proof is: a harness that shows a promise kept, and that finds the fault when one is planted. */

/** A proof's file (`NAME.proof.ts` in this folder) exports this. */
export interface Proof {
  /** The promise, in one sentence. */
  promise: string
  /** Among several it runs in another process, where such proofs run one after another beside the others. */
  isBeside?: true
  /** It measures pauses or memory: it comes last, when the other process waits more than it works. */
  isMeasured?: true
  /** It takes minutes or needs programs that few machines have: it runs only where it is named. */
  isOnlyByName?: true
  /** Keeps the promise under strain. */
  run(strain: Strain): Promise<Shown>
  /** The same with a fault planted: what is found of it. A proof whose control finds nothing proves nothing. */
  control(strain: Strain): Promise<Shown>
}

export interface Strain {
  length: 'short' | 'long'
  /** Of all that is left to chance: the same seed is the same run, as far as other processes allow. */
  seed: number
  /** A temporary folder of its own, gone afterwards. */
  folder: string
  /** The directory of another checkout, for a proof that compares. */
  against?: string
  /** Tells whoever waits how far it is. */
  say(line: string): void
}

/** What came of it. */
export interface Shown {
  /** What was done and counted, in the order in which it is printed: `{ kills: 300, lost: 0 }`. */
  figures: Record<string, number | string>
  /** Each a sentence with what is needed to see it again; empty where the promise was kept. */
  faults: string[]
}

/** How much it is to be in the form that was asked for: a number of times, say. */
export const times = <Much>({ length }: Strain, short: Much, long: Much): Much => (length === 'short' ? short : long)

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

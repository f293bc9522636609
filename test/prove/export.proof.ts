/** Exports a space, edits the folder and the space at random, and imports the folder again. */
import { join } from 'node:path'
import { runRounds, type Tampering } from './export/rounds.ts'
import { type Proof, type ProofContext, times } from './proof.ts'

/** What an import would do wrong, made by changing the folder before it. */
const PLANTED: Readonly<Record<string, Tampering>> = {
  'the space of an export is not known': 'space',
  'what changed here is not noticed': 'revisions',
  'notes have no IDs': 'ids',
  'half of the documents are not known': 'documents',
}

const run = (context: ProofContext) =>
  runRounds(join(context.folder, 'export'), times(context, 40, 2_000), context.seed, undefined, context.log)

async function control({ folder, seed, log }: ProofContext) {
  const faults: string[] = []
  for (const [name, tampering] of Object.entries(PLANTED)) {
    const { faults: found } = await runRounds(join(folder, tampering), 12, seed, tampering, () => {})
    if (found[0] !== undefined) faults.push(`where ${name}: ${found[0]}`)
    log(`where ${name}: ${found.length === 0 ? 'not found' : 'found'}`)
  }
  const planted = Object.keys(PLANTED).length
  return {
    figures: { 'planted faults': planted, found: faults.length },
    faults: faults.length === planted ? faults : [],
  }
}

export const proof: Proof = {
  promise: 'An export that is edited and imported changes the documents that it was made from, and loses nothing.',
  run,
  control,
}

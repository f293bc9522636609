/**
 * Runs the proofs of this folder, or only those that are named, and prints a line of figures for each:
 *
 *     npm run prove [-- NAME …] [--long] [--alone] [--unplanted] [--seed N] [--against DIRECTORY]
 *
 * Each proof then has to find faults that it plants, which shows that it can find any. With --unplanted, that is left
 * out: it says something of the proof, and nothing of the program.
 *
 * With --against, same-answers compares this checkout with the one in that directory.
 *
 * Some proofs run in a second process, in parallel to the others; with --alone, none does. Some run only if they are
 * named, and the last line lists them.
 *
 * Exits with code 1 if a promise was broken, or if a planted fault was not detected.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { paint } from '../demo/progress.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

/** Number of faults to print in full. For the rest, only their number is printed. */
const SHOWN = 5

const ENDING = '.proof.ts'
const proofs = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    unplanted: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    against: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !proofs.includes(name))
const seed = Number(values.seed)

if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  const found = unknown.length > 0 ? unknown.join(', ') : `--seed ${values.seed}`
  console.error(`Expected proofs (${proofs.join(', ')}) and a whole number as --seed, found ${found}.`)
  process.exitCode = 2
} else if (values.against !== undefined && !existsSync(join(values.against, 'package.json'))) {
  console.error(`Expected the directory of a checkout as --against, found no package.json in ${values.against}.`)
  process.exitCode = 2
} else {
  const areKept = await proveAll(positionals.length > 0 ? positionals : await unnamedProofs())
  // A proof that failed with an exception may have left connections to its processes open, which would keep this one.
  process.exit(areKept ? 0 : 1)
}

/** All proofs except those that run only if they are named. */
async function unnamedProofs(): Promise<string[]> {
  const found = await Promise.all(proofs.map(async (name) => ({ name, proof: await proofNamed(name) })))
  const byName = found.filter(({ proof }) => proof.runsOnlyByName).map(({ name }) => name)
  process.once('exit', () => console.log(`Not run, since these run only where they are named: ${byName.join(', ')}.`))
  return proofs.filter((name) => !byName.includes(name))
}

async function proveAll(names: readonly string[]): Promise<boolean> {
  const found = await Promise.all(names.map(async (name) => ({ name, proof: await proofNamed(name) })))
  const inOrder = found.toSorted((one, other) => Number(one.proof.runsLast ?? 0) - Number(other.proof.runsLast ?? 0))
  const runsInParallel = ({ proof }: { proof: Proof }) =>
    proof.runsInParallel === true && names.length > 1 && !values.alone
  const parallel = proveInParallel(inOrder.filter(runsInParallel).map(({ name }) => name))
  const failed: string[] = []
  for (const { name, proof } of inOrder.filter((one) => !runsInParallel(one))) {
    // If a proof throws, the others still run.
    const reason = await prove(name, proof).catch((error: Error) => {
      console.log(`${name}: ${paint('red', 'failed')}\n  ${error.stack}`)
      return error.message
    })
    if (reason !== undefined) failed.push(`${name}: ${reason}`)
  }
  const areOthersKept = await parallel
  // Repeated at the end, where a reader of a long log looks first.
  for (const line of failed) console.log(`${paint('red', 'failed')} ${line}`)
  return areOthersKept && failed.length === 0
}

async function proofNamed(name: string): Promise<Proof> {
  return ((await import(`./${name}${ENDING}`)) as { proof: Proof }).proof
}

/** Runs proofs in another process, one after another. Prints their output at the end. */
async function proveInParallel(names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true
  const flags = [...(values.long ? ['--long'] : []), ...(values.unplanted ? ['--unplanted'] : [])]
  const args = [import.meta.filename, ...names, '--alone', '--seed', String(seed), ...flags]
  const child = spawn(process.execPath, args, { stdio: ['inherit', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  process.stdout.write(output)
  return code === 0
}

/** Undefined, or why the proof failed. */
async function prove(name: string, proof: Proof): Promise<string | undefined> {
  const against = values.against === undefined ? {} : { against: resolve(values.against) }
  const input = { length: values.long ? ('long' as const) : ('short' as const), seed, ...against }
  const kept = await inFolder(input, (context) => proof.run(context))
  printResult(name, kept, kept.faults.length === 0)
  for (const fault of kept.faults.slice(0, SHOWN)) console.log(`  ${fault}`)
  if (kept.faults.length > SHOWN) console.log(`  and ${kept.faults.length - SHOWN} more`)
  if (values.unplanted) return kept.faults[0]
  const planted = await inFolder(input, (context) => proof.control(context))
  printResult(`${name}, fault planted`, planted, planted.faults.length > 0)
  if (planted.faults.length > 0) console.log(`  found: ${planted.faults[0]}`)
  return kept.faults[0] ?? (planted.faults.length > 0 ? undefined : 'Expected the planted fault to be found.')
}

async function inFolder(
  input: Pick<ProofContext, 'length' | 'seed' | 'against'>,
  work: (context: ProofContext) => Promise<ProofResult>,
): Promise<ProofResult & { seconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-prove-'))
  const from = performance.now()
  try {
    const shown = await work({ ...input, folder, log: (line) => console.error(`  ${line}`) })
    return { ...shown, seconds: (performance.now() - from) / 1000 }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function printResult(name: string, { figures, seconds }: ProofResult & { seconds: number }, isRight: boolean): void {
  const words = Object.entries(figures).map(
    ([what, value]) => `${typeof value === 'number' ? value.toLocaleString('en-US') : value} ${what}`,
  )
  const verdict = isRight ? paint('green', 'ok') : paint('red', 'failed')
  console.log(`${name}: ${words.join(', ')} (${seconds.toFixed(1)} s) ${verdict}`)
}

/** Repeats all attacks that ever worked, on the package as users get it. */
import { join } from 'node:path'
import { installedPackage } from '../support/installed-package.ts'
import { type Attack, type Outcome, tryAll } from './attack/attack.ts'
import { ATTACKS, ON_DATABASE } from './attack/attacks.ts'
import { startDatabase, withDriver } from './attack/database.ts'
import { PLANTED, PLANTED_APART } from './attack/planted.ts'
import type { Program } from './attack/process.ts'
import { weakenedPackage } from './attack/weakened.ts'
import { World } from './attack/world.ts'
import type { Proof, ProofContext } from './proof.ts'

export const proof: Proof = {
  promise:
    'No attack that ever worked works on the installed package, over stdio, Streamable HTTP, bearer links or sign-in, with files or PostgreSQL.',
  async run(context) {
    const program = await installed()
    const outcomes = await attack(program, ATTACKS, context)
    const onDatabase = await attackOnDatabase(
      withDriver(join(context.folder, 'with-driver'), program),
      ON_DATABASE,
      context,
    )
    const figures = { ...figuresOf(outcomes), 'on PostgreSQL': onDatabase.length }
    return { figures, faults: sentencesOf([...outcomes, ...onDatabase]) }
  },

  /** The same attacks on packages without their guards: there, each attack has to work. */
  async control(context) {
    const program = await installed()
    const apart = new Set(PLANTED_APART.map(({ finding }) => finding))
    const parts = [
      ...PLANTED_APART.map(({ finding, mutations }) => ({ isMeant: isOf(finding), mutations })),
      { isMeant: ({ finding }: Attack) => !apart.has(finding), mutations: PLANTED },
    ]
    const outcomes: Outcome[] = []
    for (const [index, { isMeant, mutations }] of parts.entries()) {
      const weakened = await weakenedPackage(join(context.folder, `package-${index}`), program, mutations)
      outcomes.push(...(await attack(weakened, ATTACKS.filter(isMeant), context)))
      outcomes.push(...(await attackOnDatabase(weakened, ON_DATABASE.filter(isMeant), context)))
    }
    const missed = outcomes.filter(({ faults, isTried }) => !isTried || faults.length === 0)
    for (const { attack, faults } of missed) {
      context.log(`Expected to work without its guard: ${attack.finding}, ${attack.name}. ${faults.join(' ')}`)
    }
    const taken = parts.reduce((sum, { mutations }) => sum + mutations.length, 0)
    const figures = { 'guards taken out': taken, ...figuresOf(outcomes), 'held off all the same': missed.length }
    // Every attack has to be detected.
    return { figures, faults: missed.length === 0 ? sentencesOf(outcomes) : [] }
  },
}

const isOf = (finding: number) => (attack: Attack) => attack.finding === finding

async function installed(): Promise<Program> {
  const { folder, bin } = await installedPackage()
  return { folder, script: bin }
}

/** @param database  the address of a database for the spaces, which are files if it is absent */
async function attack(
  program: Program,
  attacks: readonly Attack[],
  { folder, log }: ProofContext,
  database?: string,
): Promise<Outcome[]> {
  const world = new World(program, folder, database)
  try {
    return await tryAll(world, attacks, log)
  } finally {
    await world.close()
  }
}

/** Tries attacks on what is stored with spaces in PostgreSQL. */
async function attackOnDatabase(
  program: Program,
  attacks: readonly Attack[],
  context: ProofContext,
): Promise<Outcome[]> {
  if (attacks.length === 0) return []
  const database = await startDatabase()
  try {
    const outcomes = await attack(program, attacks, context, database.address)
    return outcomes.map(({ attack: { name, ...rest }, ...outcome }) => ({
      ...outcome,
      attack: { ...rest, name: `${name}, on PostgreSQL` },
    }))
  } finally {
    await database.stop()
  }
}

function figuresOf(outcomes: readonly Outcome[]): Record<string, number> {
  const findings = new Set(outcomes.map(({ attack }) => attack.finding))
  const worked = outcomes.filter(({ faults }) => faults.length > 0)
  return { findings: findings.size, attacks: outcomes.length, worked: worked.length }
}

const sentencesOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ attack, faults }) => faults.map((fault) => `${attack.finding}, ${attack.name}: ${fault}`))

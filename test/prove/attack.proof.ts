/** Repeats all attacks that ever worked, on the package as users get it. */
import { join } from 'node:path'
import { installedPackage } from '../support/installed-package.ts'
import { type Attack, type Outcome, tryAll } from './attack/attack.ts'
import { ATTACKS } from './attack/attacks.ts'
import { PLANTED, PLANTED_APART } from './attack/planted.ts'
import type { Program } from './attack/process.ts'
import { weakenedPackage } from './attack/weakened.ts'
import { World } from './attack/world.ts'
import type { Proof, ProofContext } from './proof.ts'

export const proof: Proof = {
  promise:
    'No attack that ever worked works on the installed package, over stdio, Streamable HTTP, bearer links or sign-in.',
  async run(context) {
    const outcomes = await attack(await installed(), ATTACKS, context)
    return { figures: figuresOf(outcomes), faults: sentencesOf(outcomes) }
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

async function attack(program: Program, attacks: readonly Attack[], { folder, log }: ProofContext): Promise<Outcome[]> {
  const world = new World(program, folder)
  try {
    return await tryAll(world, attacks, log)
  } finally {
    await world.close()
  }
}

function figuresOf(outcomes: readonly Outcome[]): Record<string, number> {
  const findings = new Set(outcomes.map(({ attack }) => attack.finding))
  const worked = outcomes.filter(({ faults }) => faults.length > 0)
  return { findings: findings.size, attacks: outcomes.length, worked: worked.length }
}

const sentencesOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ attack, faults }) => faults.map((fault) => `${attack.finding}, ${attack.name}: ${fault}`))

/** Reach: a connection learns nothing about what is outside of its reach, in whatever way it asks. */
import { join } from 'node:path'
import { CONNECTION_KINDS } from '../../src/space/model/space.ts'
import { type Proof, type ProofContext, type ProofResult, times } from './proof.ts'
import { methodName, VERSIONED_METHODS, type VersionedMethod } from './reach/connection-methods.ts'
import { plantedFaults } from './reach/control.ts'
import { canEnd, ENDINGS, ended } from './reach/ended.ts'
import { missingEntries } from './reach/entries.ts'
import { matrix } from './reach/matrix.ts'
import { news } from './reach/news.ts'
import { twins } from './reach/twins.ts'

export const proof: Proof = {
  promise:
    'What is out of reach gets the same responses as what never existed, over stdio, links and sign-ins; no connection is notified of it, changes it, or keeps what it no longer reaches.',
  async run(context) {
    const parts = [await tryMatrix(context), await compareTwins(context), await listen(), await askAgain(context)]
    const faults = [...missingEntries(), ...parts.flatMap((part) => part.faults)]
    const figures = Object.assign({}, ...parts.map((part) => part.figures)) as ProofResult['figures']
    return { figures: { ...figures, differences: faults.length }, faults }
  },
  async control({ folder, log }) {
    const found = await plantedFaults(folder)
    const missed = found.filter(({ faults }) => faults.length === 0)
    for (const { what } of missed) log(`not found: ${what}`)
    const figures = { planted: found.length, found: found.length - missed.length }
    // Each planted fault has to be detected separately.
    return { figures, faults: missed.length > 0 ? [] : found.flatMap(({ faults }) => faults.slice(0, 1)) }
  },
}

const NARROW = ['selected', 'daily'] as const

/**
 * Every way of connecting. The short form uses each door once: sign-in with the 2026 version of MCP, the others with
 * that of 2025.
 */
const waysOf = (context: ProofContext): readonly VersionedMethod[] =>
  times(
    context,
    VERSIONED_METHODS.filter(({ door, era }) => era === (door === 'signed in' ? '2026' : '2025')),
    VERSIONED_METHODS,
  )

/** Clients that sign in request full access. */
const canPropose = ({ door }: VersionedMethod): boolean => door !== 'signed in'

async function tryMatrix(context: ProofContext): Promise<ProofResult> {
  const { folder, length, log } = context
  const faults: string[] = []
  let [places, calls] = [0, 0]
  for (const kind of CONNECTION_KINDS) {
    for (const way of waysOf(context)) {
      // A full connection reaches everything. Its responses over MCP and REST do not depend on how it connected.
      if (kind === 'full' && way.door !== 'stdio') continue
      const name = `${kind}, ${methodName(way)}`
      const found = await matrix(join(folder, name), kind, { ...way, isLong: length === 'long' })
      log(`${name}: ${found.arguments} arguments, ${found.calls} calls`)
      places += found.arguments
      calls += found.calls
      faults.push(...found.faults)
    }
  }
  return { figures: { arguments: places, 'calls of the matrix': calls }, faults }
}

async function compareTwins(context: ProofContext): Promise<ProofResult> {
  const { seed, log } = context
  const faults: string[] = []
  let [pairs, sent, refused] = [0, 0, 0]
  const rounds = times(context, 3, 130)
  for (let round = 0; round < rounds; round++) {
    for (const way of VERSIONED_METHODS) {
      if (way.door !== 'stdio' && way.era !== (round % 2 === 0 ? '2025' : '2026')) continue
      for (const kind of NARROW) {
        // In the short form, sweep only once per kind, since it takes as long as a thousand requests.
        const isSwept = times(context, round === 0 && way.door === 'stdio', round < 2)
        const options = { ...way, kind, seed: seed * 100_000 + round, calls: times(context, 100, 300) }
        const found = [await twins({ ...options, isSwept })]
        if (canPropose(way) && round % 3 === 0) found.push(await twins({ ...options, access: 'propose' }))
        if (canPropose(way) && round % 3 === 1) found.push(await twins({ ...options, access: 'comment' }))
        pairs += found.length
        for (const one of found) {
          sent += one.calls
          refused += one.refused
          faults.push(...one.faults)
        }
      }
    }
    if (round % 20 === 19) log(`${round + 1} of ${rounds} rounds of twins`)
  }
  return { figures: { pairs, 'requests to twins': sent, refused }, faults }
}

async function listen(): Promise<ProofResult> {
  let [changes, notifications] = [0, 0]
  const faults: string[] = []
  for (const kind of NARROW) {
    const found = await news({ kind })
    changes += found.changes
    notifications += found.notifications
    faults.push(...found.faults)
  }
  return { figures: { 'hidden changes': changes, notifications }, faults }
}

async function askAgain(context: ProofContext): Promise<ProofResult> {
  let repeated = 0
  const faults: string[] = []
  for (const kind of NARROW) {
    for (const way of waysOf(context)) {
      for (const ending of ENDINGS) {
        const options = { ...way, kind, ending }
        if (!canEnd(options)) continue
        const found = [await ended(options)]
        if (canPropose(way)) {
          found.push(await ended({ ...options, access: 'propose' }), await ended({ ...options, access: 'comment' }))
        }
        for (const one of found) {
          repeated += one.repeated
          faults.push(...one.faults)
        }
      }
    }
  }
  return { figures: { 'asked again': repeated }, faults }
}

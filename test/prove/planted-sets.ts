/** The faults that proofs plant in copies of the sources, by the proofs that share a copy. */
import { PLANTED as ATTACK } from './attack/planted.ts'
import { PLANTED_CLAIMS } from './claims/planted.ts'
import { PLANTED as CLUSTER } from './cluster/planted.ts'
import { ACKNOWLEDGED_ANYWAY, synchronous } from './crash/planted.ts'
import { PLANTED_EDITING } from './editing/planted.ts'
import { PLANTED_EVENTS } from './events/planted.ts'
import { SCENARIOS } from './faults/scenarios.ts'
import { PLANTED_HANDOVER } from './handover/planted.ts'
import type { Mutation } from './mutated-sources.ts'
import { TROUBLES } from './operate/troubles.ts'
import { PLANTED_PARTS } from './parts/planted.ts'

/** Without the mutations of PLANTED_APART in attack, which remove types. */
export const PLANTED_SETS: Record<string, readonly Mutation[]> = {
  attack: ATTACK,
  claims: Object.values(PLANTED_CLAIMS).flat(),
  editing: Object.values(PLANTED_EDITING).flatMap(({ mutations = [] }) => mutations),
  events: Object.values(PLANTED_EVENTS).flatMap(({ mutations }) => mutations),
  handover: Object.values(PLANTED_HANDOVER).flatMap(({ mutations }) => mutations),
  operate: TROUBLES.flatMap(({ planted }) => planted),
  parts: Object.values(PLANTED_PARTS),
  'faults, failing-disk, power-cut, killed, cluster': [
    ...SCENARIOS.flatMap(({ planted }) => planted),
    ...CLUSTER,
    ACKNOWLEDGED_ANYWAY,
    synchronous(0),
  ],
}

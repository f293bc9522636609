/** Servers of one database behind a proxy: no write is lost if any server, or the primary database, fails. */
import { join } from 'node:path'
import { bundledProgram } from '../support/bundled-program.ts'
import { PLANTED } from './cluster/planted.ts'
import { runCluster } from './cluster/run-cluster.ts'
import { copyMutatedSources } from './mutated-sources.ts'
import { type Proof, times } from './proof.ts'

export const proof: Proof = {
  promise:
    'Of servers of one database any may fall, and the primary too: nothing acknowledged is lost or done twice, and each hears of what the others write.',
  runsOnlyByName: true,
  async run(context) {
    const load = { falls: times(context, 2, 50), killsPerFall: 4 }
    return runCluster(context, { script: await bundledProgram(), replication: 'synchronous', ...load })
  },

  /**
   * Runs once with a standby that lags behind, where writes must be lost, and once with planted faults in the product.
   * Both must be detected.
   */
  async control(context) {
    const lagging = await runCluster(context, {
      ...{ script: await bundledProgram(), replication: 'asynchronous', isSenderStopped: true },
      ...{ falls: 1, killsPerFall: 0 },
    })
    const sources = join(context.folder, 'sources')
    copyMutatedSources(sources, PLANTED)
    const script = join(sources, 'src', 'start.js')
    const broken = await runCluster(context, { script, replication: 'synchronous', falls: 0, killsPerFall: 6 })
    const { lost, doubled, refused, late, shared, beside } = broken.found
    const isFound = [lagging.found.lost, lost, doubled, refused, late, shared, beside].every((count) => count > 0)
    if (!isFound) context.log(`Expected some of each, found ${JSON.stringify([lagging.found, broken.found])}.`)
    return {
      figures: {
        'lost with a standby behind': lagging.found.lost,
        'planted in the product': PLANTED.length,
        lost,
        doubled,
        'refused for others': refused,
        'heard too late': late,
        'locks taken by two': shared,
        'approvals refused for what is beside': beside,
      },
      faults: isFound ? [...lagging.faults.slice(0, 1), ...broken.faults] : [],
    }
  },
}

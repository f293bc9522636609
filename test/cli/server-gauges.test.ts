/** Metrics about what a server stands on say what was there before they were read. */
import { expect, test } from 'vitest'
import { logFaultsTo } from '../../src/base/logger.ts'
import { addServerGauges } from '../../src/cli/server-gauges.ts'
import { Metrics } from '../../src/http/metrics.ts'
import { Readiness } from '../../src/http/readiness.ts'

test('what asks the database for the metrics is no call that waits', async () => {
  let waiting = 2
  const askDatabase = async () => {
    waiting++
    await Promise.resolve()
    waiting--
  }
  const shared = [{ name: 'the database', check: askDatabase }]
  const readiness = new Readiness({ shared, logger: { ...logFaultsTo(() => {}), info: () => {} } })
  const metrics = new Metrics({ openCount: 0, openSpaces: () => [] })
  const spaces = { waitingForConnections: () => waiting }
  addServerGauges(metrics, { spaces, readiness, certificate: undefined, backups: undefined })
  expect(await metrics.text()).toContain('scriptorium_database_waits 2\n')
})

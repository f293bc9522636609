/** A large space that is migrated while its server serves others. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { spaceKey } from '../../../src/auth/access-links/access-links.ts'
import { readSpaceId } from '../../../storage/sqlite/diagnosis/diagnose.ts'
import { portOf } from '../../http/serve-process.ts'
import { unpack } from '../../schemas/fixtures.ts'
import { commandOf, endProcess, runProgram, startProgram } from '../attack/process.ts'
import type { Scenario } from './scenario.ts'
import { closedSpace, UNLIMITED } from './transports.ts'

/** The name of the old space among the fixtures. */
const OLD_SCHEMA = '29'
/** Copies of its longest texts, so that its migration takes a while. */
const COPIES = 20_000
/** Writes to another space that must be acknowledged before the migration ends. */
const MIN_WRITES = 10
/** Requests after which the migration must have ended. */
const MAX_REQUESTS = 20_000

export const inWorker: Scenario = {
  name: 'a large space is migrated, and the others are written to meanwhile',
  planted: [{ file: 'src/space/open-space.ts', find: '  await migrateInWorker(file, options)\n', replace: '' }],
  async run(context) {
    const { program } = context
    const folder = context.folder()
    const [old, other] = [join(folder, 'old.sqlite'), join(folder, 'other.sqlite')]
    unpack(OLD_SCHEMA, old)
    enlarge(old)
    const key = spaceKey(readSpaceId(old) ?? '')
    await closedSpace(context, other, 'First')
    const link = JSON.parse(await commandOf(program, ['links', 'add', '--json', '--space', other])) as {
      restUrl: string
    }
    const flags = ['--port', '0', '--limit-ip', '0', '--no-welcome', ...UNLIMITED]
    const server = startProgram(program, ['serve', '--spaces', folder, ...flags])
    context.leave(() => endProcess(server, 'SIGKILL'))
    const origin = `http://127.0.0.1:${await portOf(server)}`
    const documents = `${origin}${new URL(link.restUrl).pathname}/documents`
    const view = () => fetch(`${origin}/view/${key}/`)

    const faults: string[] = []
    let writes = 0
    let answer = await view()
    if (answer.status !== 503) faults.push(`the space that is migrated answered ${answer.status}.`)
    for (let request = 0; answer.status === 503 && request < MAX_REQUESTS; request++) {
      if (answer.headers.get('retry-after') === null)
        faults.push('the space that is migrated did not say when to retry.')
      await answer.body?.cancel()
      const body = JSON.stringify({ documents: [{ title: `Meanwhile ${request}` }] })
      const headers = { 'Content-Type': 'application/json' }
      const written = await fetch(documents, { method: 'POST', headers, body })
      await written.body?.cancel()
      if (written.ok) writes++
      else faults.push(`a write to another space got ${written.status}.`)
      answer = await view()
    }
    await answer.body?.cancel()
    if (writes < MIN_WRITES) faults.push(`${writes} writes to another space were acknowledged meanwhile.`)
    if (answer.status >= 500) faults.push(`after the migration, the space answers ${answer.status}.`)
    await endProcess(server)
    const examined = await runProgram(program, ['doctor', '--space', old])
    if (examined.code !== 0) faults.push(`the migrated space is not sound: ${examined.output}`)
    return faults
  },
}

/** Adds entries to the log of writes, whose table is rebuilt or copied by migrations. */
function enlarge(file: string): void {
  const sqlite = new Sqlite(file)
  try {
    sqlite.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${COPIES})
      INSERT INTO write_log (at, author, endpoint, ids)
      SELECT 1700000000000 + n, 'somebody', 'documents_add', '["${'1'.repeat(2000)}"]' FROM number`)
  } finally {
    sqlite.close()
  }
}

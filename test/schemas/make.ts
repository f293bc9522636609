/**
 * `npm run fixture`: makes the filled space of the present schema, with what is read of it, under `test/data/schemas`.
 *
 * Run it for a release whose schema is a new one, before the release, and commit what it made. Never make again what a
 * release has: the test compares what later versions read with what was read then.
 *
 * `npm run fixture -- NAME CHECKOUT` has the program of another checkout fill the space, such as that of an earlier
 * version; the present one reads it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSpace } from '../../src/space/open-space.ts'
import { SCHEMA_VERSION } from '../../storage/sqlite/migrations.ts'
import { fill } from './fill.ts'
import { fixtures, keepAnswers, pack, unpack } from './fixtures.ts'
import { readings } from './readings.ts'

const checkout = join(import.meta.dirname, '..', '..')
const [name = String(SCHEMA_VERSION), program = checkout] = process.argv.slice(2)

if (fixtures().includes(name)) {
  console.error(`Expected a schema without a space of its own, found that ${name} has one; remove it to make it again.`)
  process.exitCode = 2
} else await make()

async function make(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-fixture-'))
  try {
    const file = join(folder, 'space.sqlite')
    const refused = await fill({ program, file })
    for (const line of refused) console.error(line)
    if (refused.length > 0 && program === checkout) throw new Error('Expected every call to be taken.')
    if (existsSync(`${file}-wal`)) throw new Error('Expected the space to be closed, found its log beside it.')
    pack(name, file, readFileSync(file))
    const copy = join(folder, 'copy.sqlite')
    unpack(name, copy)
    const now = Date.now()
    const space = await openSpace(copy, { clock: () => now })
    keepAnswers(name, { now, readings: await readings(space) })
    await space.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

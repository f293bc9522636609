/**
 * `npm run fixture`: creates the sample space of the current schema, with its readings, under `test/data/schemas`. Run
 * it before a release with a new schema, and commit the result. Never recreate the one of a release: the test compares
 * what later versions read with what was read then. `npm run fixture -- NAME CHECKOUT` fills the space with the program
 * of another checkout, such as an earlier version; the current one reads it.
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

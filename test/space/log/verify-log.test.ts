/** What the hashes of the log prove: every tampering is found, and where it is; erasing and retention leave it whole. */
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { forgetHistory } from '../../../src/space/forget-history.ts'
import { compareHeads, signHead } from '../../../src/space/log/log-heads.ts'
import { type LogReport, verifyLog } from '../../../src/space/log/verify-log.ts'
import { addAuditEntry, listAuditEntries, logAdministration } from '../../../src/space/model/audit-log.ts'
import { GivenId } from '../../../src/space/model/ids.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { emptyTrash } from '../../../src/space/trash.ts'
import { entryHash } from '../../../storage/log-chain.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import { Connection } from '../../../storage/sqlite/connection.ts'
import { buildSpace, NOW } from '../../build.ts'
import { connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'
import { folder } from '../../program.ts'
import { writeOnDays } from '../../support/written-days.ts'

const DAY = 24 * 3600_000

const verify = (space: OpenSpace): Promise<LogReport> => space.read(OPERATOR_LINK, (view) => verifyLog(view))
const hashesOf = async (space: OpenSpace): Promise<Map<number, string | null>> => {
  const hashes = new Map<number, string | null>()
  await space.read(OPERATOR_LINK, (view) => verifyLog(view, ({ n, hash }) => hashes.set(n, hash)))
  return hashes
}

/** A space in a file with calls of several kinds: some with changes, one that administers, one that was approved. */
async function filled() {
  const file = join(folder(), 'space.sqlite')
  const built = await buildSpace(file)
  const full = await connect('full', { to: built })
  const ids: string[] = []
  for (let index = 0; index < 8; index++) ids.push(await documentOf(full, `one ${index}\n\ntwo`, `Document ${index}`))
  for (const id of ids.slice(0, 4)) {
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: id } })
    await full.call('documents_delete', { documentIds: [id] })
  }
  await full.space.write(OPERATOR_LINK, (view) => logAdministration(view, 'links_add', ['x'], { kind: 'full' }))
  return { file, full, ids, space: full.space, clock: built.clock }
}

test('a log that was only written by the program has no problems', async () => {
  const { space } = await filled()
  expect(await verify(space)).toMatchObject({ unhashed: 0, erased: 0, problems: [] })
})

test('calls that share a COMMIT follow one another, and one that fails leaves no gap', async () => {
  const { space } = await buildSpace()
  const write = (id: string, fails = false) =>
    space.write(OPERATOR_LINK, async (view) => {
      await addAuditEntry(view, 'blocks_add', [id])
      if (fails) throw new Error('failed')
    })
  await Promise.allSettled([write('a'), write('b', true), write('c'), write('d')])
  expect(await verify(space)).toMatchObject({ entries: 3, problems: [] })
})

describe('what is erased is named by an entry', () => {
  test('history before a time, and that of one document', async () => {
    const { space, ids, clock } = await filled()
    await forgetHistory(space, { documentId: new GivenId(ids[0] ?? '') }, (view) =>
      addAuditEntry(view, 'history_forget', []),
    )
    expect(await verify(space)).toMatchObject({ erased: 1, problems: [] })
    clock.now += 1
    await forgetHistory(space, { before: clock.now }, (view) => addAuditEntry(view, 'history_forget', []))
    const { erased, problems } = await verify(space)
    expect(problems).toEqual([])
    expect(erased).toBeGreaterThan(10)
  })

  test('documents in the trash', async () => {
    const { space } = await filled()
    await emptyTrash(space, Number.MAX_SAFE_INTEGER, (view, ids) => addAuditEntry(view, 'trash_empty', ids))
    const { erased, problems } = await verify(space)
    expect(problems).toEqual([])
    expect(erased).toBeGreaterThanOrEqual(4)
  })

  test('entries that retention removes leave the hash of the last of them', async () => {
    const { file, space, clock } = await filled()
    await writeOnDays({ space, clock }, 7)
    await space.close()
    const { space: later } = await buildSpace(file, { auditLogRetention: 90 * DAY, clock: () => NOW + 96 * DAY })
    const { first, problems } = await verify(later)
    expect(problems).toEqual([])
    expect(first).toBeGreaterThan(10)
  })
})

test('a head is found in the log that it was made of, by its key alone', async () => {
  const { space } = await filled()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const head = await space.read(OPERATOR_LINK, (view) => signHead(view, privateKey))
  const hashes = await hashesOf(space)
  const { id } = space.info
  expect(compareHeads([head], hashes, { space: id, key: publicKey })).toMatchObject({ problems: [], equal: 1 })
  const other = generateKeyPairSync('ed25519').publicKey
  const refused = compareHeads([head], hashes, { space: id, key: other })
  expect(refused.problems).toEqual([{ entry: head.n, problem: 'the head was not signed with this key' }])
  const moved = compareHeads([{ ...head, n: head.n - 1 }], hashes, { space: id })
  expect(moved.problems.map(({ problem }) => problem)).toContain('the head was not signed with this key')
})

/** Numbers that follow from a seed, so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const SELECT_ENTRIES = `SELECT n, at, link, author, endpoint, ids, client, id, connection, undoes, approved_by AS approvedBy,
  origin, detail, erased, hash, content_hash AS contentHash, content_salt AS contentSalt, names_hash AS namesHash,
  names_salt AS namesSalt FROM write_log ORDER BY n`

/** Makes the hashes from an entry on anew, as somebody who knows how would. */
function rehash(sqlite: Database, from: number): void {
  const rows = sqlite.prepare<[], AuditRow>(SELECT_ENTRIES).all()
  const update = sqlite.prepare('UPDATE write_log SET hash = ? WHERE n = ?')
  let previous = rows.findLast(({ n }) => n < from)?.hash ?? ''
  for (const row of rows.filter(({ n }) => n >= from)) {
    previous = entryHash(previous, row)
    update.run(previous, row.n)
  }
}

const FIELDS = ['at', 'author', 'endpoint', 'ids', 'client', 'detail', 'connection', 'link', 'hash', 'content_salt']

/** Ways to tamper with the entry `n` of a log that ends at `last`. Each returns the entries at which it may be found. */
const TAMPERINGS: Record<
  string,
  (sqlite: Database, n: number, last: number, pick: (below: number) => number) => number[]
> = {
  change(sqlite, n, _last, pick) {
    const field = FIELDS[pick(FIELDS.length)] ?? ''
    const value = field === 'ids' ? `'["forged"]'` : `coalesce(${field}, '') || '1'`
    sqlite.prepare(`UPDATE write_log SET ${field} = ${value} WHERE n = ?`).run(n)
    return [n, n + 1]
  },
  drop(sqlite, n) {
    sqlite.prepare('DELETE FROM write_log WHERE n = ?').run(n)
    return [n, n + 1]
  },
  swap(sqlite, n) {
    const fields = 'author, endpoint, ids, at, hash, content_hash, content_salt, names_salt'
    const read = sqlite.prepare<[number], Record<string, unknown>>(`SELECT ${fields} FROM write_log WHERE n = ?`)
    const [one, other] = [read.get(n), read.get(n - 1)]
    const write = sqlite.prepare(`UPDATE write_log SET (${fields}) = (${fields.replace(/\w+/g, '@$&')}) WHERE n = @n`)
    write.run({ ...one, n: n - 1 })
    write.run({ ...other, n })
    return [n - 1, n, n + 1]
  },
  insert(sqlite, n, last) {
    const move = sqlite.prepare('UPDATE write_log SET n = n + 1 WHERE n = ?')
    for (let at = last; at >= n; at--) move.run(at)
    sqlite
      .prepare(
        "INSERT INTO write_log (n, at, author, endpoint, ids) SELECT ?, at, 'Eve', 'blocks_add', '[]' FROM write_log WHERE n = ?",
      )
      .run(n, n + 1)
    return [n, n + 1]
  },
  content(sqlite, n) {
    const { call } = sqlite
      .prepare<[number], { call: number }>('SELECT call FROM change ORDER BY abs(call - ?) LIMIT 1')
      .get(n) as {
      call: number
    }
    sqlite.prepare('UPDATE change SET row = row + 1 WHERE n = (SELECT min(n) FROM change WHERE call = ?)').run(call)
    return [call]
  },
  erase(sqlite, n) {
    const { call } = sqlite
      .prepare<[number], { call: number }>('SELECT call FROM change ORDER BY abs(call - ?) LIMIT 1')
      .get(n) as {
      call: number
    }
    sqlite.prepare('DELETE FROM change WHERE call = ?').run(call)
    sqlite.prepare('UPDATE write_log SET content_salt = NULL WHERE n = ?').run(call)
    return [call]
  },
}

/** What only a head that was kept elsewhere shows. Each returns the first entry that differs from those that were kept. */
const RECOMPUTED: Record<string, (sqlite: Database, n: number) => number> = {
  'recomputed chain'(sqlite, n) {
    sqlite.prepare('UPDATE write_log SET ids = \'["forged"]\' WHERE n = ?').run(n)
    rehash(sqlite, n)
    return n
  },
  'cut tail'(sqlite, n) {
    sqlite.prepare('DELETE FROM change WHERE call >= ?').run(n)
    sqlite.prepare('DELETE FROM write_log WHERE n >= ?').run(n)
    return n
  },
}

test.each([
  ['detail', '{'],
  ['detail', '[]'],
  ['erased', '{'],
  ['erased', '{"content":5,"names":[[1]]}'],
])('an entry whose %s is %s is found, and the log can still be read', async (field, value) => {
  const { file, space } = await filled()
  const sqlite = new Sqlite(file)
  onTestFinished(() => void sqlite.close())
  sqlite.prepare(`UPDATE write_log SET ${field} = ? WHERE n = 3`).run(value)
  expect((await verify(space)).problems.map(({ entry }) => entry)).toContain(3)
  expect((await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 100))).writes.length).toBeGreaterThan(3)
})

test('1,000 tamperings with the file are all found, where they are', async () => {
  const { file, space } = await filled()
  const kept = [...(await hashesOf(space))].map(([n, hash]) => ({ n, hash: hash ?? '' }))
  const last = kept.at(-1)?.n ?? 0
  const sqlite = new Sqlite(file)
  onTestFinished(() => void sqlite.close())
  // As somebody who knows what they do.
  for (const name of sqlite.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    sqlite.exec(`DROP TRIGGER ${name}`)
  const tx = new Connection(sqlite)
  const pick = randomFrom(59)
  const kinds = [...Object.keys(TAMPERINGS), ...Object.keys(RECOMPUTED)]
  const missed: object[] = []
  for (let index = 0; index < 1_000; index++) {
    const kind = kinds[index % kinds.length] ?? ''
    const n = 2 + pick(last - 2)
    sqlite.exec('SAVEPOINT intact')
    const places = TAMPERINGS[kind]?.(sqlite, n, last, pick)
    const first = RECOMPUTED[kind]?.(sqlite, n)
    const hashes = new Map<number, string | null>()
    const { problems } = await verifyLog({ tx }, (entry) => void hashes.set(entry.n, entry.hash))
    if (places !== undefined && !problems.some(({ entry }) => places.includes(entry)))
      missed.push({ kind, n, problems })
    if (first !== undefined) {
      // Each entry of an exported log is a kept hash.
      const [found] = compareHeads(kept, hashes, { space: space.info.id }).problems
      if (found?.entry !== first) missed.push({ kind, n, found })
    }
    sqlite.exec('ROLLBACK TO intact')
    sqlite.exec('RELEASE intact')
  }
  expect(missed).toEqual([])
})

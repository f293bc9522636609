/** What failed sign-ins leave behind in the file of sign-ins. */
import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { Attack } from '../attack.ts'
import type { AttackedServer } from '../server.ts'
import { program, Visitor } from '../sign-in.ts'

const MIB = 1024 * 1024
/** Bytes by which the file of sign-ins and its log may grow in two attempts. */
const GROWTH = 512 * 1024
/** The maximum length of a key, in characters: a hash with a prefix for its type. */
const KEY_LENGTH = 100

const fileOf = ({ file }: AttackedServer): string => `${file}.sign-in`

const bytesOf = (server: AttackedServer): number =>
  ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(`${fileOf(server)}${end}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

function withFile<T>(server: AttackedServer, work: (file: Sqlite.Database) => T): T {
  const file = new Sqlite(fileOf(server), { timeout: 5_000 })
  try {
    return work(file)
  } finally {
    file.close()
  }
}

export const longNames: Attack = {
  finding: 4,
  name: 'long names, kept of sign-ins that failed',
  async attempt(world) {
    const server = await world.serve({ flags: ['--oauth'], hasOwner: false })
    const visitor = await Visitor.open(await program(server))
    const before = bytesOf(server)
    for (const letter of ['a', 'b']) {
      // The server may close the connection when it refuses a body.
      await visitor.send({ name: letter.repeat(9 * MIB), password: 'x' }).catch(() => {})
      await visitor.send({ name: letter.repeat(30_000), password: 'x' }).catch(() => {})
    }
    const grown = bytesOf(server) - before
    const faults = grown > GROWTH ? [`two names of 9 MiB let the file of sign-ins grow by ${grown} bytes`] : []
    const longest = withFile(server, (file) =>
      file.prepare<[], number | null>('SELECT max(length(key)) FROM counted').pluck().get(),
    )
    if ((longest ?? 0) > KEY_LENGTH) faults.push(`a key of ${longest} characters is kept of a sign-in that failed`)
    return faults
  },
}

export const endedRows: Attack = {
  finding: 4,
  name: 'rows that nothing ever deletes',
  async attempt(world) {
    const server = await world.serve({ flags: ['--oauth'], hasOwner: false })
    const visitor = await Visitor.open(await program(server))
    await visitor.try('Nobody', 'a wrong password')
    // As if a quarter of an hour had passed.
    withFile(server, (file) => file.prepare('UPDATE counted SET ends_at = 1').run())
    await visitor.try('Somebody', 'a wrong password')
    const left = withFile(server, (file) =>
      file.prepare<[], number>('SELECT count(*) FROM counted WHERE ends_at = 1').pluck().get(),
    )
    const names = withFile(server, (file) =>
      file.prepare<[], string>("SELECT key FROM counted WHERE key LIKE '%body%'").pluck().all(),
    )
    return [
      ...((left ?? 0) > 0 ? [`${left} rows are kept of tries whose time has ended`] : []),
      ...(names.length > 0 ? [`names are kept as they were typed: ${names.join(', ')}`] : []),
    ]
  },
}

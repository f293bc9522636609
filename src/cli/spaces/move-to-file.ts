/** Moves a space from a database into a file. */
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Bucket } from '../../../storage/bucket/bucket.ts'
import { FileStore, syncFolder } from '../../../storage/bytes/file-store.ts'
import { dumpedTables, dumpNumbers, dumpTable } from '../../../storage/dump.ts'
import { onDatabase } from '../../../storage/postgres/file-bytes.ts'
import { openEngine } from '../../../storage/postgres/open-engine.ts'
import { readSignInRows } from '../../../storage/postgres/sign-in-rows.ts'
import { loadDump } from '../../../storage/sqlite/copies/load-dump.ts'
import { removeSpace } from '../../../storage/sqlite/copies/space-copy.ts'
import { SCHEMA_VERSION } from '../../../storage/sqlite/migrations.ts'
import { writeSignInRows } from '../../../storage/sqlite/sign-in-rows.ts'
import { openSpace } from '../../space/open-space.ts'
import { wordTools } from '../../space/search/word-tools.ts'
import { type MovedSpace, unlessDamaged } from './moved-space.ts'

/** The parts of a space, with the main file last: without it, the others are not a space. */
const PARTS = ['.files', '.sign-in', '']

/** @param from  the address of a space @param to  a file that does not exist yet @param filesBucket  with its files */
export async function moveToFile(from: string, to: string, filesBucket?: Bucket): Promise<MovedSpace> {
  const engine = await openEngine(from, async () => wordTools, { mustExist: true, ...(filesBucket && { filesBucket }) })
  const unfinished = `${to}.${randomBytes(6).toString('hex')}.part`
  try {
    const moved: MovedSpace = { documents: 0, blocks: 0, files: 0, damagedFiles: [] }
    await engine.storage.read(async (tx) => {
      const kept = new Map<string, { size: number; name: string }>()
      async function* rows() {
        for (const table of dumpedTables()) {
          for await (const part of dumpTable(tx, table)) {
            if (table === 'document') moved.documents += part.length
            if (table === 'block') moved.blocks += part.length
            if (table === 'file' || table === 'proposal_file') {
              for (const { hash, size, name } of part) {
                kept.set(String(hash), { size: Number(size), name: String(name ?? 'a file of a proposal') })
              }
            }
            yield { table, rows: part }
          }
        }
      }
      await loadDump(unfinished, { schema: SCHEMA_VERSION, numbers: await dumpNumbers(tx), rows: rows() })
      const store = new FileStore(unfinished)
      for (const [hash, { size, name }] of kept) {
        const written = await unlessDamaged(async () => store.write(await engine.files.read({ hash, size }), Infinity))
        if (written === undefined) moved.damagedFiles.push(name)
        else {
          await store.commit(written)
          moved.files++
        }
      }
      await writeSignInRows(`${unfinished}.sign-in`, readSignInRows(onDatabase(tx)))
    })
    // Opening the space builds the full-text index.
    await (await openSpace(unfinished, { historyRetention: Infinity })).close()
    await giveNames(unfinished, to)
    return moved
  } finally {
    removeSpace(unfinished)
    for (const side of ['', '-wal', '-shm']) rmSync(`${unfinished}.sign-in${side}`, { force: true })
    await engine.storage.close()
    await engine.files.close()
  }
}

/** Renames the parts to their final names. On failure, nothing keeps a final name. */
async function giveNames(unfinished: string, to: string): Promise<void> {
  const given: string[] = []
  try {
    for (const part of PARTS) {
      if (!existsSync(`${unfinished}${part}`)) continue
      renameSync(`${unfinished}${part}`, `${to}${part}`)
      given.push(`${to}${part}`)
    }
    await syncFolder(dirname(resolve(to)))
  } catch (error) {
    for (const path of given) rmSync(path, { recursive: true, force: true })
    throw error
  }
}

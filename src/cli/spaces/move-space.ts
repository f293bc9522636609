/** Copies a space from a file into a database, or from a database into a file, with everything that is kept of it. */
import { existsSync, statSync } from 'node:fs'
import type { Bucket } from '../../../storage/bucket/bucket.ts'
import { isDatabaseAddress, parseAddress } from '../../../storage/postgres/address.ts'
import { invalid } from '../../base/errors.ts'
import type { MovedSpace } from './moved-space.ts'

/**
 * The source stays as it is. Where it fails, nothing is left at the target.
 *
 * @param from  the file of a space, or its address in a database
 * @param to  the other of the two, where nothing is yet
 * @param bucket  where the database has its files; in itself when absent
 * @throws VALIDATION_ERROR, NOT_FOUND_ERROR or CONFLICT for two places of the same kind, a source that is none, and a target
 *   that exists
 */
export async function moveSpace(from: string, to: string, bucket?: Bucket): Promise<MovedSpace> {
  assertPlace(from)
  assertPlace(to)
  if (isDatabaseAddress(from) === isDatabaseAddress(to)) {
    throw invalid(
      isDatabaseAddress(from)
        ? 'Expected a file and a database to move a space between, found two databases; move it to a file first, and from there to the other.'
        : 'Expected a file and a database to move a space between, found two files; copy a file with backup.',
    )
  }
  if (isDatabaseAddress(from)) {
    for (const path of [to, `${to}.files`, `${to}.sign-in`]) {
      if (existsSync(path)) throw invalid(`Expected a file that is not there yet, found ${path}; name another.`)
    }
    return (await import('./move-to-file.ts')).moveToFile(from, to, bucket)
  }
  if (statSync(from, { throwIfNoEntry: false })?.isFile() !== true) {
    throw invalid(`Expected the file of a space, found none at ${from}; name one that Scriptorium made.`)
  }
  return (await import('./move-to-database.ts')).moveToDatabase(from, to, bucket)
}

/** @throws VALIDATION_ERROR for the address of a database that names no space, and for a space in memory */
function assertPlace(place: string): void {
  if (place === ':memory:') throw invalid('Expected the file of a space, found :memory:; name a file.')
  if (!isDatabaseAddress(place)) return
  const { space, shown } = parseAddress(place)
  if (space === undefined) {
    throw invalid(
      `Expected the name of a space behind a #, as in ${shown.replace('#', '')}#notes, found none; name the space.`,
    )
  }
}

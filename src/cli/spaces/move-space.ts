/** Moves a space with all its data from a file into a database, or from a database into a file. */
import { existsSync, statSync } from 'node:fs'
import type { Bucket } from '../../../storage/bucket/bucket.ts'
import { isDatabaseAddress, parseAddress } from '../../../storage/postgres/address.ts'
import { invalid } from '../../base/errors.ts'
import type { MovedSpace } from './moved-space.ts'

/**
 * The source stays unchanged. On failure, nothing is left at the target.
 *
 * @param from  the file of a space, or its address in a database
 * @param to  the other of the two, which must not exist yet
 * @param bucket  the bucket for the files of the space in the database; without it, files are in the database
 * @throws VALIDATION_ERROR, NOT_FOUND_ERROR or CONFLICT for two places of the same kind, an invalid source, and an
 *   existing target
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

/** @throws VALIDATION_ERROR for the address of a database without a space, and for a space in memory */
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

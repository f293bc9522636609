/** `scriptorium spaces`: manages the spaces of a database, and moves spaces between files and databases. */

import { basename } from 'node:path'
import type { Bucket } from '../../../storage/bucket/bucket.ts'
import { isDatabaseAddress, parseAddress, spaceAddress } from '../../../storage/postgres/address.ts'
import { releaseDatabase, useDatabase } from '../../../storage/postgres/database.ts'
import { removeSpace } from '../../../storage/postgres/remove-space.ts'
import { findSpace, listSpaces, validateSpaceName } from '../../../storage/postgres/spaces.ts'
import { readSpaceId } from '../../../storage/sqlite/diagnosis/diagnose.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { askOnTerminal } from '../ask-on-terminal.ts'
import { notServed, sortFolder } from '../backup/backup-schedule.ts'
import { openFilesBucket } from '../files-bucket.ts'
import type { Options } from '../options.ts'
import { type CommandResult, log } from '../printing.ts'
import { moveSpace } from './move-space.ts'

export type SpacesAction = 'add' | 'list' | 'move' | 'remove'

/** The result, and whether everything was done. */
type SpacesResult = CommandResult & { isComplete: boolean }

/** @param add  opens and closes the space of an address, creating it if necessary; returns true if it was created */
export function runSpaces(
  action: SpacesAction,
  { database, spaces: folder, operand, secondOperand, yes, filesBucket }: Options,
  add: (address: string) => Promise<boolean>,
): Promise<SpacesResult> {
  switch (action) {
    case 'move':
      return runMove(operand, secondOperand, filesBucket)
    case 'add':
      return runAdd(requireDatabase(database, action), operand, add)
    case 'list':
      return folder === undefined ? runList(requireDatabase(database, action)) : listFolder(folder)
    case 'remove':
      return runRemove(requireDatabase(database, action), operand, yes, filesBucket)
  }
}

function requireDatabase(database: string | undefined, action: SpacesAction): string {
  if (database !== undefined) return database
  throw invalid(
    `Expected --database with spaces ${action}, found none; name the database, as in postgres://user@host/database${action === 'list' ? ', or a folder with --spaces' : ''}.`,
  )
}

async function runAdd(
  database: string,
  name: string,
  add: (address: string) => Promise<boolean>,
): Promise<SpacesResult> {
  validateSpaceName(name)
  const { shown } = parseAddress(spaceAddress(database, name))
  if (!(await add(spaceAddress(database, name)))) {
    throw new ScriptoriumError(
      'CONFLICT',
      `Expected a name that no space of the database has, found ${name}; choose another.`,
    )
  }
  return {
    value: { name, address: shown },
    lines: [[`Added ${name} as ${shown}; links add --space makes a link of it.`]],
    isComplete: true,
  }
}

async function runList(address: string): Promise<SpacesResult> {
  const database = await useDatabase(address)
  try {
    const names = (await listSpaces(database)).map(({ name }) => name)
    const value = names.map((name) => ({ name, address: parseAddress(spaceAddress(address, name)).shown }))
    if (names.length === 0) return { value, lines: [['There are no spaces; spaces add makes one.']], isComplete: true }
    const rows = value.map((space) => [space.name, space.address])
    return {
      value,
      lines: names.map((name) => [name]),
      table: { columns: ['Name', 'Address'], rows },
      isComplete: true,
    }
  } finally {
    await releaseDatabase(database)
  }
}

/** The spaces of a folder, as `serve --spaces` serves them. */
async function listFolder(folder: string): Promise<SpacesResult> {
  const { spaces, others } = sortFolder(folder)
  const found = spaces.map((file) => ({ file, spaceId: readSpaceId(file) ?? '' }))
  const notes = others.map(notServed)
  for (const note of notes) log(note)
  const isComplete = others.length === 0
  if (found.length === 0) return { value: found, lines: [['There are no spaces in that folder.']], isComplete }
  const rows = found.map(({ file, spaceId }) => [basename(file), spaceId])
  return { value: found, lines: rows, table: { columns: ['File', 'ID'], rows }, isComplete }
}

async function runMove(from: string, to: string, filesBucket: string | undefined): Promise<SpacesResult> {
  const bucket = filesBucket === undefined ? undefined : await openFilesBucket(filesBucket)
  const moved = await moveSpace(from, to, bucket)
  const { documents, blocks, files, damagedFiles } = moved
  const [source, target] = [from, to].map((place) => (isDatabaseAddress(place) ? parseAddress(place).shown : place))
  const lines = [
    `Moved ${source} to ${target}: ${formatCount(documents, 'document')}, ${formatCount(blocks, 'block')}, ${formatCount(files, 'file')}, with links, sign-ins and history.`,
    isDatabaseAddress(from)
      ? `${source} is as it was, and what is written to it from now on is not in the file. Remove it with spaces remove once the file is served.`
      : `${source} is as it was, and what is written to it from now on is not in the database. Delete it with its files next to it once the database is served.`,
  ]
  if (damagedFiles.length > 0) {
    lines.push(
      `The bytes of these files are missing or altered in ${source}, and so are not in ${target}: ${damagedFiles.join(', ')}.`,
    )
  }
  return {
    value: { from: source, to: target, ...moved },
    lines: lines.map((line) => [line]),
    isComplete: damagedFiles.length === 0,
  }
}

async function runRemove(
  address: string,
  name: string,
  yes: boolean,
  filesBucket: string | undefined,
): Promise<SpacesResult> {
  const bucket = filesBucket === undefined ? undefined : await openFilesBucket(filesBucket)
  const database = await useDatabase(address)
  try {
    const found = await findSpace(database, name)
    if (found === undefined) {
      throw new ScriptoriumError(
        'NOT_FOUND_ERROR',
        `Expected a space of the database, found none that is called ${name}; run spaces list to see which exist.`,
      )
    }
    const { shown } = parseAddress(spaceAddress(address, name))
    const what = `${shown} will be deleted for good, with its documents, files, history and links.`
    if (!yes && !(await askOnTerminal([what], 'Delete it?', 'Add --yes to delete it without a question.'))) {
      return { value: { name, isRemoved: false }, lines: [['Nothing was changed.']], isComplete: false }
    }
    const objects = await removeSpace(database, found, bucket !== undefined)
    const left = bucket === undefined ? [] : await deleteObjects(bucket, objects)
    const lines = [`Deleted ${shown}. Backups of the database still have it.`]
    if (left.length > 0)
      lines.push(`These objects of the bucket could not be deleted; delete them: ${left.join(', ')}.`)
    return { value: { name, isRemoved: true, left }, lines: lines.map((line) => [line]), isComplete: left.length === 0 }
  } finally {
    await releaseDatabase(database)
  }
}

/** Number of concurrent deletions. */
const DELETIONS_AT_ONCE = 8

/** @returns the objects that could not be deleted */
async function deleteObjects(bucket: Bucket, objects: readonly string[]): Promise<string[]> {
  const left: string[] = []
  for (let from = 0; from < objects.length; from += DELETIONS_AT_ONCE) {
    const part = objects.slice(from, from + DELETIONS_AT_ONCE)
    const outcomes = await Promise.allSettled(part.map((object) => bucket.delete(object)))
    left.push(...part.filter((_, index) => outcomes[index]?.status === 'rejected'))
  }
  return left
}

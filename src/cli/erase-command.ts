/** `scriptorium participants erase`: takes the name of a person out of the past, and does so again after a restore. */
import { closeSync, existsSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { invalid } from '../base/errors.ts'
import { formatCount, formatNumber } from '../base/format-number.ts'
import { unpackSource } from '../import/markdown/packed-source.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import {
  type ErasureReport,
  eraseParticipant,
  planAgain,
  planErasure,
  recountBytes,
} from '../space/participants/erase-participant.ts'
import { type Erased, readErasures } from '../space/participants/erasure-list.ts'
import { listParticipants, removeParticipant } from '../space/participants/participants.ts'
import { askForText } from './ask-on-terminal.ts'
import { deleteTraces } from './delete-for-good-commands.ts'
import type { Options } from './options.ts'
import type { CommandResult } from './printing.ts'
import { readTextFile } from './read-text-file.ts'

/** Where the erasures of a space are listed: beside its file, and not in a backup. */
export const erasureList = (file: string): string => `${file}.erased.jsonl`

const UNREACHED =
  'Not reached: backups and exports from before, what other programs have read, and texts in which people or agents wrote the name.'

/** @throws VALIDATION_ERROR without a terminal or --yes, and for a participant who cannot be erased */
export async function runErase(
  space: OpenSpace,
  { operand, yes, list }: Options,
  ask = askForText,
): Promise<CommandResult & { isComplete: boolean }> {
  if (list === undefined && isDatabaseAddress(space.file)) {
    throw invalid(
      'Expected --list with a space in a database, found none; name a file that is kept outside of the database, which the erasure is added to.',
    )
  }
  const path = list ?? erasureList(space.file)
  refuseSpaceAsList(path, space.file)
  // Nothing is added to a file that is something else.
  if (existsSync(path)) readErasures(readTextFile(path), path)
  const { names, replacement } = await space.read(OPERATOR_LINK, (view) => planErasure(view, operand))
  const quoted = [...names.keys()].map((name) => JSON.stringify(name)).join(', ')
  const lines = [`${quoted} will be replaced by ${JSON.stringify(replacement)} everywhere, for good.`, UNREACHED]
  if (!yes && !(await ask(lines, operand, 'Add --yes to erase the name without a question.'))) {
    return { value: { isErased: false }, lines: [['Nothing was changed.']], isComplete: false }
  }
  const report = await space.write(OPERATOR_LINK, async (view) => {
    const done = await eraseParticipant(view, await planErasure(view, operand), unpackSource)
    // Before the space has it: an erasure that is not on the list would be undone by a restore.
    appendErasure(path, done.erased)
    return done
  })
  await space.write(OPERATOR_LINK, recountBytes)
  const { lines: traces, value } = await deleteTraces(space, {}, `Erased the name: ${countsOf(report.changed)}.`)
  return {
    value: { ...report, list: path, ...(value as object) },
    lines: [...traces, ...leftLines(report), [UNREACHED], [`The erasure is listed in ${path}, without the name.`]],
    isComplete: true,
  }
}

/**
 * A list in the database would damage it, and closing it would drop the locks of SQLite.
 *
 * @throws VALIDATION_ERROR if the path leads to the file of the space or to its log
 */
function refuseSpaceAsList(path: string, file: string): void {
  const idOf = (name: string) => {
    const stats = statSync(name, { throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  }
  const id = idOf(path)
  if (id === undefined || !['', '-wal', '-shm'].some((end) => idOf(`${file}${end}`) === id)) return
  throw invalid(`Expected a file of its own as --list, found ${path}, which is of the space; name another file.`)
}

function appendErasure(path: string, erased: Erased): void {
  const descriptor = openSync(path, 'a', 0o600)
  try {
    writeSync(descriptor, `${JSON.stringify(erased)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${formatNumber(count)} in ${kind}`)
    .join(', ') || 'nothing had it'

function leftLines({ left }: Pick<ErasureReport, 'left'>): string[][] {
  if (Object.keys(left).length === 0) return [['No table of the space has the name any more.']]
  return [[`Texts that have the name, since somebody wrote it there: ${countsOf(left)}. documents_search finds them.`]]
}

/** Applies the erasures of a list to a space that a backup brought back. @param path  the list */
export async function runEraseAgain(
  space: OpenSpace,
  path: string,
): Promise<CommandResult & { isComplete: boolean; count: number }> {
  if (!existsSync(path)) throw invalid(`Expected a list of erasures, found no file at ${path}; name it.`)
  refuseSpaceAsList(path, space.file)
  const listed = readErasures(readTextFile(path), path)
  const own = listed.filter(({ space: id }) => id === space.info.id)
  const reports: ErasureReport[] = []
  for (const erased of own) {
    const report = await space.write(OPERATOR_LINK, async (view) => {
      const plan = await planAgain(view, erased)
      if (plan === undefined) return undefined
      const done = await eraseParticipant(view, plan, unpackSource)
      // As of the backup they take part again. A space is never without a participant.
      for (const { id, removedAt } of plan.participants) {
        if (removedAt === null && (await listParticipants(view)).length > 1) await removeParticipant(view, id)
      }
      return done
    })
    if (report !== undefined) reports.push(report)
  }
  const line = `Erased ${formatCount(reports.length, 'name')} again, of ${formatCount(own.length, 'erasure')} in ${path}.`
  const others = listed.length - own.length
  const more = others === 0 ? [] : [[`${formatCount(others, 'erasure')} of other spaces left out.`]]
  const value = { erased: reports.map(({ erased }) => erased), left: reports.map(({ left }) => left) }
  if (reports.length === 0) return { value, lines: [[line], ...more], isComplete: true, count: 0 }
  await space.write(OPERATOR_LINK, recountBytes)
  const { lines } = await deleteTraces(space, {}, line)
  const left = reports.filter(({ left }) => Object.keys(left).length > 0)
  return { value, lines: [...lines, ...left.flatMap(leftLines), ...more], isComplete: true, count: reports.length }
}

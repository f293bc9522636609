/** Imports a folder twice while it keeps making other calls, and sends the measurements to its parent. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findFormat } from '../../src/import/import-formats.ts'
import type { ImportReport } from '../../src/import/import-report.ts'
import { openSource } from '../../src/import/open-source.ts'
import { runImport } from '../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../src/import/spaces/leave-out-spaces.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { countIdentical, type IdenticalNotes } from './identical-notes.ts'
import { countUnnamed, type UnnamedLosses } from './unnamed-losses.ts'
import { checkLinks, type LinkFigures } from './vault-links.ts'
import { callerOf } from './workbench.ts'

export interface ImportFigures {
  seconds: number
  /** The maximum memory during the import, and the memory before it, in bytes. */
  memory: number
  memoryBefore: number
  /** The longest other call during the import, and the longest of some calls before it, in milliseconds. */
  longest: number
  longestBefore: number
  /** Seconds for only reading all files. */
  reading: number
  /** Seconds of the second import. */
  again: number
  /** The number of imported documents and items, and of blocks that the second import wrote. */
  documents: number
  writtenAgain: number
  /** The number of files of the source. */
  files: number
  /** How often each kind of problem was reported. */
  problems: Record<string, number>
  /** Only for a folder: words that are neither in a document nor in the report. */
  unnamed?: UnnamedLosses
  /** Only for a vault in a folder. */
  links?: LinkFigures
  /** Only for a folder with notes. */
  identical?: IdenticalNotes
}

const [, , given = '', file = ''] = process.argv
const path = realpathSync(given)
const space = await openSpace(file)
const call = callerOf(space, await space.createAccessLink('full', []))
await call('documents_add', { documents: [{ title: 'Beside', markdown: 'Words.' }] })
const CALLS_BEFORE = 50

/** Makes calls until the import has ended, and returns the milliseconds of the longest. */
async function longestCall(isOver: () => boolean): Promise<number> {
  await call('documents_list', { limit: 10 })
  let longest = 0
  while (!isOver()) {
    const started = performance.now()
    await call('documents_list', { limit: 10 })
    longest = Math.max(longest, performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return longest
}

const memoryNow = (): number => process.resourceUsage().maxRSS * 1024

async function readAll(): Promise<{ seconds: number; files: number }> {
  const started = performance.now()
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [{ parentPath: dirname(path), name: basename(path) }]
  for (const { parentPath, name } of files) readFileSync(join(parentPath, name))
  return { seconds: (performance.now() - started) / 1000, files: files.length }
}

async function importOnce(): Promise<ImportReport & { seconds: number }> {
  const started = performance.now()
  const source = await leaveOutSpaces(await openSource(path, file))
  const format = await findFormat(source, undefined)
  const report = await runImport(space, source, { format, into: null, isDryRun: false })
  await source.close()
  if (report.counts.failed > 0)
    throw new Error(`Expected all notes to come in, found ${report.counts.failed} that failed.`)
  return { ...report, seconds: (performance.now() - started) / 1000 }
}

let calls = 0
const longestBefore = await longestCall(() => calls++ >= CALLS_BEFORE)
const reading = await readAll()
const memoryBefore = memoryNow()
let isOver = false
const longestMeanwhile = longestCall(() => isOver)
const first = await importOnce()
const memory = memoryNow()
isOver = true
const longest = await longestMeanwhile
const second = await importOnce()
const isFolder = statSync(path).isDirectory()
const isVault = first.format === 'obsidian' && isFolder
const links = isVault ? await checkLinks(space, path, call) : undefined
const unnamed = isFolder ? await countUnnamed(space, path, first.problems, call) : undefined
const identical = isFolder ? await countIdentical(space, path) : undefined
await space.close()
const problems: Record<string, number> = {}
for (const { kind } of first.problems) problems[kind] = (problems[kind] ?? 0) + 1
const figures: ImportFigures = {
  ...{ memory, memoryBefore, longest, longestBefore, problems },
  reading: reading.seconds,
  files: reading.files,
  ...(unnamed !== undefined && { unnamed }),
  seconds: first.seconds,
  again: second.seconds,
  documents: first.counts.added,
  writtenAgain: second.counts.blocks,
  ...(links !== undefined && { links }),
  ...(identical !== undefined && { identical }),
}
process.send?.(figures, () => process.exit(0))

/** Checks everything that a start depends on, with advice about problems. */
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ByteCounts } from '../../../storage/byte-counts.ts'
import { FileStore } from '../../../storage/bytes/file-store.ts'
import { OPEN_EARLIER_FIRST } from '../../../storage/earlier-schemas.ts'
import type { HistorySize } from '../../../storage/history-retention.ts'
import { checksumsPath, compareChecksum } from '../../../storage/sqlite/copies/checksums.ts'
import { brokenReferencesText } from '../../../storage/sqlite/diagnosis/broken-references.ts'
import { countIndexMismatches } from '../../../storage/sqlite/diagnosis/check-index.ts'
import {
  type Diagnosis,
  diagnose,
  diagnoseSideFile,
  SIDE_FILES,
  sqliteVersion,
} from '../../../storage/sqlite/diagnosis/diagnose.ts'
import { BASE_SCHEMA, SCHEMA_VERSION } from '../../../storage/sqlite/migrations.ts'
import { APPLICATION_ID } from '../../../storage/sqlite/open-database.ts'
import { canWriteTo, isInWalMode } from '../../../storage/sqlite/open-read-only.ts'
import { pathsReadableByOthers } from '../../../storage/sqlite/private-files.ts'
import { spaceOfFiles } from '../../../storage/sqlite/schema-copies.ts'
import { findWalProblem } from '../../../storage/sqlite/wal.ts'
import { formatBytes } from '../../base/byte-sizes.ts'
import { escapeForTerminal } from '../../base/control-characters.ts'
import { messageOf } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'

/** Faults that `--repair` can fix without loss, and faults that it cannot. */
export type FaultKind = 'repairable' | 'damaged'

/** The result of one check. */
export interface Finding {
  what: string
  found: string
  /** Present if there is a problem. */
  fault?: FaultKind
  /** Advice about the problem. */
  advice?: string
}

/** Exit codes of the command. 1 means a bug of the program, 2 an invalid flag. */
export const EXIT_CODES = { sound: 0, repairable: 3, damaged: 4 } as const

/** The worst state among the findings. */
export function overallState(findings: readonly Finding[]): keyof typeof EXIT_CODES {
  if (findings.some(({ fault }) => fault === 'damaged')) return 'damaged'
  return findings.some(({ fault }) => fault === 'repairable') ? 'repairable' : 'sound'
}

/** The sentence about a repair of the counts of bytes. */
export const RECOUNTED_BYTES = 'Counted the stored bytes again.'
const REPAIR_ADVICE = 'Run doctor again with --repair.'
const RESTORE_ADVICE = 'Copy the file with the files next to it, and restore a backup.'
const OTHER_FILE_ADVICE = 'Name another file with --space.'

/** Disk statistics, which tests replace. */
export interface DiskProbe {
  /** Free bytes on the disk of a folder. */
  freeBytes(folder: string): number
  canWrite(path: string): boolean
}

const SYSTEM_DISK: DiskProbe = {
  freeBytes(folder) {
    const { bavail, bsize, blocks } = statfsSync(folder)
    // Some network file systems report 0 for everything.
    return blocks === 0 ? Infinity : bavail * bsize
  },
  canWrite: canWriteTo,
}

/**
 * Diagnoses a space without changing anything: it creates neither a missing file nor temporary files next to it. The
 * WAL is read as a file, so the process must not have the space open.
 */
export async function diagnoseSpace(file: string, disk: DiskProbe = SYSTEM_DISK): Promise<Finding[]> {
  const findings: Finding[] = [
    { what: 'Node', found: process.versions.node },
    { what: 'SQLite', found: sqliteVersion() },
  ]
  const walLog = walFinding(file)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) {
    return walLog === undefined
      ? [...findings, { what: 'Space', found: `${file} (not there yet; the first start makes it)` }]
      : [...findings, { what: 'Space', found: `${file} (not there)` }, walLog]
  }
  findings.push({ what: 'Space', found: file }, { what: 'Size', found: formatBytes(stats.size) })
  findings.push(...accessFindings(file, disk), freeSpaceFinding(file, stats.size, disk))
  if (walLog !== undefined) findings.push(walLog)
  // Opening a damaged file would make SQLite hide what was lost.
  if (walLog?.fault === 'damaged' || stats.isDirectory()) return findings
  try {
    const diagnosis = diagnose(file, disk.canWrite)
    if (diagnosis.application !== APPLICATION_ID) {
      return [
        ...findings,
        { what: 'Kind', found: 'the database of another program', fault: 'damaged', advice: OTHER_FILE_ADVICE },
      ]
    }
    findings.push(...contentFindings(diagnosis))
    if (diagnosis.schema === SCHEMA_VERSION && !findings.some(({ what, fault }) => what === 'Integrity' && fault)) {
      findings.push(await indexFinding(file, diagnosis, disk))
    }
    findings.push(...(await checksumFindings(file)))
    findings.push(...(await fileFindings(file, diagnosis)))
  } catch (error) {
    findings.push(openErrorFinding(error))
  }
  return [...findings, ...companionFindings(file, disk)]
}

function walFinding(file: string): Finding | undefined {
  try {
    const walDamage = findWalProblem(file)
    if (walDamage === undefined) return undefined
    return walDamage.lost
      ? {
          what: 'Log',
          found: `${walDamage.found}; changes are lost`,
          fault: 'damaged',
          advice: `${RESTORE_ADVICE} Nothing else was looked at, since to open the file covers this up.`,
        }
      : { what: 'Log', found: `${walDamage.found}; nothing is lost`, fault: 'repairable', advice: REPAIR_ADVICE }
  } catch (error) {
    return openErrorFinding(error)
  }
}

function accessFindings(file: string, { canWrite }: DiskProbe): Finding[] {
  if (statSync(file).isDirectory()) {
    return [{ what: 'Kind', found: 'a folder', fault: 'damaged', advice: 'Name a file in it with --space.' }]
  }
  const inaccessible = [dirname(file), file, `${file}-wal`, `${file}-shm`, `${file}.files`].filter(
    (path) => existsSync(path) && !canWrite(path),
  )
  const exposed = [file, ...Object.keys(SIDE_FILES).map((name) => `${file}${name}`)].flatMap((one, index) =>
    pathsReadableByOthers(one, index === 0 ? `${file}.files` : undefined),
  )
  return [
    ...inaccessible.map((path): Finding => {
      const advice = 'Let the user who runs Scriptorium read and write it, as with chown and chmod u+rwX.'
      return { what: 'Access', found: `${path} cannot be read and written`, fault: 'damaged', advice }
    }),
    ...exposed.map((path): Finding => {
      return { what: 'Access', found: `${path} is open to other users`, fault: 'repairable', advice: REPAIR_ADVICE }
    }),
  ]
}

/** A new version may rewrite the tables, which takes as much space as the file, and again for the WAL. */
const FREE_SPACE_FACTOR = 2
const MIN_FREE_BYTES = 64 * 1024 * 1024

function freeSpaceFinding(file: string, size: number, { freeBytes }: DiskProbe): Finding {
  const free = freeBytes(dirname(file))
  const needed = Math.max(MIN_FREE_BYTES, size * FREE_SPACE_FACTOR)
  const finding = { what: 'Free', found: free === Infinity ? 'not known' : formatBytes(free) }
  if (free >= needed) return finding
  return { ...finding, fault: 'damaged', advice: `Free some of the disk: expected ${formatBytes(needed)}.` }
}

function contentFindings(diagnosis: Diagnosis): Finding[] {
  const { schema, schemaDifferences, integrity, brokenReferences, wrongCounts, space, documents, blocks } = diagnosis
  const { history, bytes } = diagnosis
  const findings = [schemaFinding(schema)]
  for (const difference of schemaDifferences) {
    const advice = 'Another program has changed the file: undo that there, or restore a backup.'
    findings.push({ what: 'Schema', found: difference, fault: 'damaged', advice })
  }
  findings.push(integrityFinding(integrity))
  if (brokenReferences.length > 0) {
    const found = brokenReferencesText(brokenReferences)
    findings.push({ what: 'References', found, fault: 'damaged', advice: RESTORE_ADVICE })
  }
  if (wrongCounts > 0) {
    const found = `documents are counted wrong in ${formatCount(wrongCounts, 'place')}`
    findings.push({ what: 'Counts', found, fault: 'repairable', advice: REPAIR_ADVICE })
  }
  if (space !== undefined) {
    findings.push(
      { what: 'Name', found: space.name },
      { what: 'Time zone', found: space.timezone },
      { what: 'Holds', found: `${formatCount(documents, 'document')}, ${formatCount(blocks, 'block')}` },
    )
  }
  if (history !== undefined) findings.push(historyFinding(history))
  if (bytes !== undefined) findings.push(...byteFindings(bytes.space, bytes.wrong))
  return findings
}

/** @param wrong  the number of counts that are wrong */
export function byteFindings({ documents, history, files }: ByteCounts, wrong: number): Finding[] {
  const found = `documents ${formatBytes(documents)}, history ${formatBytes(history)}, files ${formatBytes(files)}`
  const line: Finding = { what: 'Bytes', found }
  if (wrong === 0) return [line]
  const fault = `stored bytes are counted wrong in ${formatCount(wrong, 'place')}`
  return [line, { what: 'Bytes', found: fault, fault: 'repairable', advice: REPAIR_ADVICE }]
}

function historyFinding({ calls, bytes, oldest }: HistorySize): Finding {
  if (oldest === null) return { what: 'History', found: 'empty' }
  const since = new Date(oldest).toISOString().slice(0, 10)
  const found = `${formatCount(calls, 'call')} since ${since} can be taken back, ${formatBytes(bytes)}`
  return { what: 'History', found }
}

function schemaFinding(schema: number): Finding {
  const finding = { what: 'Schema', found: `version ${schema} of ${SCHEMA_VERSION}` }
  if (schema > SCHEMA_VERSION) {
    return { ...finding, fault: 'damaged', advice: 'The file is of a newer Scriptorium: update this one.' }
  }
  if (schema > 0 && schema < BASE_SCHEMA) {
    return { ...finding, fault: 'damaged', advice: `The file is of an earlier Scriptorium: ${OPEN_EARLIER_FIRST}.` }
  }
  return schema < SCHEMA_VERSION
    ? { ...finding, found: `${finding.found} (the next start brings it up to date)` }
    : finding
}

/** SQLite's error messages about table indexes, which REINDEX rebuilds, and about the full-text index. */
const INDEX_FAULT =
  /^(?:row \d+ missing from index |wrong # of entries in index |malformed inverted index for FTS5 table )/

function integrityFinding(integrity: readonly string[]): Finding {
  const [first] = integrity
  if (first === undefined) return { what: 'Integrity', found: 'ok' }
  const found = integrity.length === 1 ? first : `${first} (${integrity.length} faults)`
  return integrity.every((line) => INDEX_FAULT.test(line))
    ? { what: 'Integrity', found, fault: 'repairable', advice: REPAIR_ADVICE }
    : { what: 'Integrity', found, fault: 'damaged', advice: RESTORE_ADVICE }
}

async function indexFinding(file: string, { unindexed }: Diagnosis, { canWrite }: DiskProbe): Promise<Finding> {
  if (unindexed > 0) {
    return { what: 'Search', found: `${formatCount(unindexed, 'block')} to index at the next start` }
  }
  const { indexedText } = await import('../../space/search/indexed-text.ts')
  const count = await countIndexMismatches(file, indexedText, canWrite)
  if (count === 0) return { what: 'Search', found: 'ok' }
  const found = `the search index is wrong for ${formatCount(count, 'block')}`
  return { what: 'Search', found, fault: 'repairable', advice: REPAIR_ADVICE }
}

/** For a backup: whether it is as it was made. */
async function checksumFindings(file: string): Promise<Finding[]> {
  const result = await compareChecksum(file)
  if (result === 'none') return []
  if (result === 'equal') return [{ what: 'Checksum', found: 'ok' }]
  if (isInWalMode(file)) {
    return [{ what: 'Checksum', found: 'of the backup that this space was; it is in use since, so it may differ' }]
  }
  const found = `the backup differs from its SHA-256 in ${checksumsPath(file)}`
  return [{ what: 'Checksum', found, fault: 'damaged', advice: 'Restore another backup.' }]
}

async function fileFindings(file: string, { files }: Diagnosis): Promise<Finding[]> {
  const owner = spaceOfFiles(file)
  const store = new FileStore(owner)
  const findings: Finding[] = []
  for (const { hash, name } of files) {
    const damage = await store.findDamage(hash)
    if (damage === undefined) continue
    const found = `${name} (SHA-256 ${hash}) ${damage === 'missing' ? 'is missing' : 'was changed on the disk'}`
    findings.push({ what: 'File', found, fault: 'damaged', advice: 'Add it again, or restore a backup.' })
  }
  // Files that a copy does not reference may be referenced by the original space.
  const unneeded = owner === file ? await store.listUnreferenced(new Set(files.map(({ hash }) => hash))) : []
  for (const path of unneeded) {
    findings.push({ what: 'File', found: `${path} is of no block`, fault: 'repairable', advice: REPAIR_ADVICE })
  }
  return findings.length > 0 ? findings : [{ what: 'Files', found: `${files.length}` }]
}

function companionFindings(file: string, { canWrite }: DiskProbe): Finding[] {
  const advice = {
    '.usage': 'Unless it belongs to another program, delete it: limits are then counted from zero.',
    '.sign-in': 'Unless it is of another program, move it away: everybody signs in again.',
  }
  return (Object.keys(SIDE_FILES) as (keyof typeof SIDE_FILES)[]).flatMap((name): Finding[] => {
    const path = `${file}${name}`
    const fault = existsSync(path) ? diagnoseSideFile(path, SIDE_FILES[name], canWrite) : undefined
    return fault === undefined
      ? []
      : [{ what: 'Adjacent', found: `${path}: ${fault}`, fault: 'damaged', advice: advice[name] }]
  })
}

/** Describes an error that prevents reading, by the error code of SQLite or the system. */
function openErrorFinding(error: unknown): Finding {
  const found = messageOf(error)
  const code = String((error as { code?: unknown }).code)
  const finding = { what: 'Opening', found, fault: 'damaged' } as const
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|AUTH)|EACCES|EPERM|EROFS)/.test(code)) {
    return { ...finding, advice: 'Let the user who runs Scriptorium read and write the file and its folder.' }
  }
  if (/^(SQLITE_IOERR|EIO)/.test(code)) {
    return { ...finding, advice: 'Check the disk, copy what can be read of the file, and restore a backup elsewhere.' }
  }
  if (/^(SQLITE_FULL|ENOSPC)/.test(code)) {
    return { ...finding, advice: 'Free some of the disk for temporary files, or name another folder as TMPDIR.' }
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return { ...finding, advice: 'Another program holds the file: end it, or try again.' }
  }
  return { ...finding, advice: 'Restore a backup, or name another file with --space.' }
}

export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const lines = findings.map(({ what, found, advice }) => {
    const line = `${advice === undefined ? '  ' : '! '}${what.padEnd(width)}  ${escapeForTerminal(found)}`
    return advice === undefined ? line : `${line}\n  ${' '.repeat(width)}  ${escapeForTerminal(advice)}`
  })
  return `${lines.join('\n')}\n`
}

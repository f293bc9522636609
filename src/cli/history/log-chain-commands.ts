/** `scriptorium log verify`, `log head` and `log export`: the log as evidence. */
import { auditRowsAfter } from '../../../storage/audit-log.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { compareHeads, type HeadComparison, readKeptHashes, readKey, signHead } from '../../space/log/log-heads.ts'
import { type LogProblem, type LogReport, verifyLog } from '../../space/log/verify-log.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { CommandResult } from '../printing.ts'
import { readTextFile } from '../read-text-file.ts'
import { parsePastTime } from './past-time.ts'

interface KeptFiles {
  /** A file with heads, or an exported log. */
  head?: string
  /** A file with a key. */
  key?: string
}

/** @returns the report, and whether nothing is wrong */
export async function runLogVerify(
  space: OpenSpace,
  { head, key: keyFile }: KeptFiles,
): Promise<CommandResult & { isComplete: boolean }> {
  const kept = head === undefined ? undefined : readKeptHashes(readTextFile(head), head)
  const key = keyFile === undefined ? undefined : readKey(readTextFile(keyFile), keyFile)
  if (kept === undefined && key !== undefined) {
    throw invalid('Expected --head with --key, whose signature it checks, found none; name the file of a head.')
  }
  const asked = new Set(kept?.map(({ n }) => n))
  const hashes = new Map<number, string | null>()
  const report = await space.read(OPERATOR_LINK, (view) =>
    verifyLog(view, ({ n, hash }) => {
      if (hashes.size === 0 || asked.has(n)) hashes.set(n, hash)
    }),
  )
  if (report.last !== undefined && !hashes.has(report.last)) hashes.set(report.last, report.hash ?? null)
  const comparison = kept && compareHeads(kept, hashes, { space: space.info.id, key })
  const problems = [...report.problems, ...(comparison?.problems ?? [])]
  return {
    value: { ...report, problems, ...(comparison && { heads: { ...comparison, problems: undefined } }) },
    lines: [...linesOf(report), ...(comparison ? headLines(comparison) : [NO_HEAD]), ...problems.map(problemLine)],
    isComplete: problems.length === 0,
  }
}

const NO_HEAD = [
  'A person who can write the space can compute all hashes again: only a head that was kept elsewhere (log head) shows that. Name it with --head.',
]

function linesOf({ entries, unhashed, first, last, erased, problems }: LogReport): string[][] {
  if (first === undefined || last === undefined) return [['The log has no entries.']]
  const state = problems.length === 0 ? 'each follows the one before' : formatCount(problems.length, 'problem')
  return [
    [`${formatCount(entries, 'entry')}, ${first} to ${last}: ${state}.`],
    ...(unhashed > 0 ? [[`${formatCount(unhashed, 'entry')} from before the log had hashes.`]] : []),
    ...(erased > 0 ? [[`${formatCount(erased, 'entry')} without their content or names, as later entries say.`]] : []),
  ]
}

const headLines = ({ equal, removed, signedBy }: HeadComparison): string[][] => [
  [`${formatCount(equal, 'kept head')} found in the log, unchanged.`],
  ...(removed > 0 ? [[`${formatCount(removed, 'kept head')} of entries that retention has removed.`]] : []),
  ...signedBy.map((key) => [`Signed by ${key}`]),
]

const problemLine = ({ entry, problem }: LogProblem): string[] => [`Entry ${entry}`, problem]

/** @throws VALIDATION_ERROR without a key */
export async function runLogHead(space: OpenSpace, { key }: KeptFiles): Promise<CommandResult> {
  if (key === undefined) {
    throw invalid(
      'Expected a private key as --key, found none; openssl genpkey -algorithm ed25519 -out FILE makes one. Keep it out of reach of those who can write the space.',
    )
  }
  const privateKey = readKey(readTextFile(key), key)
  if (privateKey.type !== 'private') throw invalid(`Expected a private key as --key, found a public one in ${key}.`)
  const head = await space.read(OPERATOR_LINK, (view) => signHead(view, privateKey))
  return { value: head, lines: [[JSON.stringify(head)]] }
}

const ROWS_PER_READ = 500

/** Prints each entry with its hashes as a line of JSON. @param since  a time, as typed */
export async function runLogExport(
  space: OpenSpace,
  since: string | undefined,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const from =
    since === undefined
      ? -Infinity
      : await space.read(OPERATOR_LINK, async (view) => parsePastTime(view, since, 'since'))
  for (let after = 0, hasMore = true; hasMore && !signal.aborted; ) {
    const rows = await space.read(OPERATOR_LINK, ({ tx }) => auditRowsAfter(tx, after, ROWS_PER_READ))
    for (const row of rows) if (row.at >= from && !signal.aborted) print(exportedLine(row))
    hasMore = rows.length === ROWS_PER_READ
    after = rows.at(-1)?.n ?? after
  }
}

/** What the hash of an entry is made of, in its order, and the hashes. Without the size of what history keeps. */
function exportedLine(row: AuditRow): string {
  const { hasChanges: _, changeBytes: __, ...entry } = row
  return JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)))
}

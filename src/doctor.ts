/** Looks at everything a start depends on, and says what to do about what is wrong. */
import { statSync } from 'node:fs'
import { examine, sqliteVersion } from '../storage/examine.ts'
import { SCHEMA_VERSION } from '../storage/migrations.ts'
import { APPLICATION_ID, UnusableFile } from '../storage/open.ts'
import { escapeForTerminal } from './control-characters.ts'

/** One thing that was looked at. */
export interface Finding {
  what: string
  found: string
  /** What to do, when it is not as it should be. */
  advice?: string
}

/** Look, and change nothing: a file that is not there is not made. */
export function examineSpace(file: string): Finding[] {
  const findings: Finding[] = [
    { what: 'Node', found: process.versions.node },
    { what: 'SQLite', found: sqliteVersion() },
  ]
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) {
    return [...findings, { what: 'Space', found: `${file} (not there yet; the first start makes it)` }]
  }
  findings.push({ what: 'Space', found: file }, { what: 'Size', found: megabytes(found.size) })
  try {
    const { application, schema, integrity, foreignKeys, space, documents, blocks } = examine(file)
    if (application !== APPLICATION_ID) {
      return [
        ...findings,
        { what: 'Kind', found: 'the database of another program', advice: 'Name another file with --space.' },
      ]
    }
    findings.push(schemaFinding(schema), integrityFinding(integrity, foreignKeys))
    if (space !== undefined) {
      findings.push(
        { what: 'Name', found: space.name },
        { what: 'Time zone', found: space.timezone },
        { what: 'Holds', found: `${documents} documents, ${blocks} blocks` },
      )
    }
    return findings
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const advice =
      error instanceof UnusableFile
        ? 'Name another file with --space.'
        : 'Restore a backup, or name another file with --space.'
    return [...findings, { what: 'Opening', found: message, advice }]
  }
}

function schemaFinding(schema: number): Finding {
  const finding = { what: 'Schema', found: `version ${schema} of ${SCHEMA_VERSION}` }
  if (schema > SCHEMA_VERSION) return { ...finding, advice: 'The file is of a newer Scriptorium: update this one.' }
  return schema < SCHEMA_VERSION
    ? { ...finding, found: `${finding.found} (the next start brings it up to date)` }
    : finding
}

function integrityFinding(integrity: readonly string[], foreignKeys: number): Finding {
  const [first = 'ok'] = integrity
  if (first === 'ok' && foreignKeys === 0) return { what: 'Integrity', found: 'ok' }
  const found = first === 'ok' ? `${foreignKeys} rows refer to none` : `${first} (${integrity.length} faults)`
  return { what: 'Integrity', found, advice: 'Copy the file with what stands beside it, and restore a backup.' }
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const lines = findings.map(({ what, found, advice }) => {
    const line = `${advice === undefined ? '  ' : '! '}${what.padEnd(width)}  ${escapeForTerminal(found)}`
    return advice === undefined ? line : `${line}\n  ${' '.repeat(width)}  ${escapeForTerminal(advice)}`
  })
  return `${lines.join('\n')}\n`
}

/** Reads the query parameters of imports and exports. */
import { invalid } from '../../base/errors.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { nearestName } from '../../call/input/validation-errors.ts'
import { IMPORT_FORMATS, type ImportFormatName } from '../../import/format-names.ts'

export interface ImportQuery {
  /** Identifies the source, so that a later import recognizes it. */
  name: string
  as: ImportFormatName | undefined
  into: string | undefined
  collections: boolean
  dryRun: boolean
}

/** @throws VALIDATION_ERROR */
export function readImportQuery(query: URLSearchParams): ImportQuery {
  assertKnown(query, ['name', 'as', 'into', 'collections', 'dryRun'])
  const name = query.get('name') ?? ''
  if (name.trim() === '' || name.length > TITLE_LENGTH) {
    throw invalid(
      `Expected name in the query, of 1 to ${TITLE_LENGTH.toLocaleString('en-US')} characters, found ${name === '' ? 'none' : name.length.toLocaleString('en-US')}; a later import of the same name changes what changed.`,
    )
  }
  const as = query.get('as') ?? undefined
  if (as !== undefined && !isFormat(as)) {
    throw invalid(`Expected one of ${IMPORT_FORMATS.join(', ')} as as, found ${as.slice(0, 100)}.`)
  }
  const into = query.get('into') ?? undefined
  return { name, as, into, collections: readFlag(query, 'collections'), dryRun: readFlag(query, 'dryRun') }
}

const isFormat = (name: string): name is ImportFormatName => (IMPORT_FORMATS as readonly string[]).includes(name)

/** The IDs of the documents to export; empty for all. @throws VALIDATION_ERROR */
export function readExportQuery(query: URLSearchParams): string[] {
  assertKnown(query, ['as', 'documents'])
  const as = query.get('as') ?? 'obsidian'
  if (as === 'json') {
    throw invalid(
      'Expected markdown or obsidian as as, found json, which holds all links and sign-ins of the space; run `scriptorium export --as json` where the space is.',
    )
  }
  if (as !== 'markdown' && as !== 'obsidian') {
    throw invalid(`Expected markdown or obsidian as as, found ${as.slice(0, 100)}.`)
  }
  return (query.get('documents') ?? '').split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]))
}

function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? 'false'
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalid(`Expected true or false as ${name}, found ${text.slice(0, 100)}.`)
}

function assertKnown(query: URLSearchParams, names: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => !names.includes(name))
  if (unknown === undefined) return
  const near = nearestName(unknown, names)
  const next = near === undefined ? 'leave it out' : `did you mean ${near}?`
  throw invalid(`Expected ${names.join(', ')} in the query, found ${unknown.slice(0, 100)}; ${next}`)
}

/** Reads the query parameters of imports and exports. */

import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { didYouMean } from '../../base/nearest-name.ts'
import { readBoolean } from '../../base/read-boolean.ts'
import { LINK_STYLES, type LinkStyle } from '../../export/export-formats.ts'
import { IMPORT_FORMATS, type ImportFormatName } from '../../import/format-names.ts'

export interface ImportQuery {
  /** Identifies the source, so that a later import recognizes it. */
  name: string
  as: ImportFormatName | undefined
  into: string | undefined
  collections: boolean
  dryRun: boolean
  /** Whether to move documents to the trash whose files are not in the zip any more. */
  delete: boolean
}

/** @throws VALIDATION_ERROR */
export function readImportQuery(query: URLSearchParams): ImportQuery {
  checkQuery(query, ['name', 'as', 'into', 'collections', 'dryRun', 'delete'])
  const name = query.get('name') ?? ''
  if (name.trim() === '' || name.length > TITLE_LENGTH) {
    throw invalid(
      `Expected name in the query, of 1 to ${formatNumber(TITLE_LENGTH)} characters, found ${name === '' ? 'none' : formatNumber(name.length)}; a later import of the same name changes what changed.`,
    )
  }
  const as = query.get('as') ?? undefined
  if (as !== undefined && !isFormat(as)) {
    throw invalid(
      `Expected the parameter as to be one of ${IMPORT_FORMATS.join(', ')}, found ${as.slice(0, 100)}; use one of these.`,
    )
  }
  const into = query.get('into') ?? undefined
  const flags = { collections: readFlag(query, 'collections'), dryRun: readFlag(query, 'dryRun') }
  return { name, as, into, ...flags, delete: readFlag(query, 'delete') }
}

const isFormat = (name: string): name is ImportFormatName => (IMPORT_FORMATS as readonly string[]).includes(name)

export interface ExportQuery {
  /** IDs; empty for all documents. */
  documents: string[]
  links: LinkStyle | undefined
  hasIds: boolean
}

/** @throws VALIDATION_ERROR */
export function readExportQuery(query: URLSearchParams): ExportQuery {
  checkQuery(query, ['as', 'documents', 'links', 'ids'])
  const as = query.get('as') ?? 'obsidian'
  if (as === 'json') {
    throw invalid(
      'Expected the parameter as to be markdown or obsidian, found json, which holds all links and sign-ins of the space; run `scriptorium export --as json` where the space is.',
    )
  }
  if (as !== 'markdown' && as !== 'obsidian') {
    throw invalid(`Expected the parameter as to be markdown or obsidian, found ${as.slice(0, 100)}; use one of these.`)
  }
  const links = query.get('links') || undefined
  if (links !== undefined && links !== 'relative' && links !== 'wiki') {
    throw invalid(`Expected one of ${LINK_STYLES.join(', ')} as links, found ${links.slice(0, 100)}.`)
  }
  const documents = (query.get('documents') ?? '').split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]))
  return { documents, links, hasIds: readFlag(query, 'ids', true) }
}

function readFlag(query: URLSearchParams, name: string, fallback = false): boolean {
  const text = query.get(name) || String(fallback)
  const flag = readBoolean(text)
  if (typeof flag === 'boolean') return flag
  throw invalid(`Expected true or false as ${name}, found ${text.slice(0, 100)}.`)
}

/** @throws VALIDATION_ERROR for unknown parameters, and for NUL, which not every database can store */
function checkQuery(query: URLSearchParams, names: readonly string[]): void {
  for (const [name, text] of query) {
    if (!names.includes(name)) {
      const next = didYouMean(name, names, 'leave it out.')
      throw invalid(`Expected ${names.join(', ')} in the query, found ${name.slice(0, 100)}; ${next}`)
    }
    if (text.includes('\0')) {
      throw invalid(`Expected text as ${name}, found the character NUL at ${text.indexOf('\0')}; leave it out.`)
    }
  }
}

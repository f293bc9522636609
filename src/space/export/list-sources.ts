/** What is known of the files that documents were imported from. */
import { aliasBlocks } from '../../../storage/blocks.ts'
import type { DocumentRecord } from '../../../storage/documents.ts'
import { type ShownFile, shownFiles } from '../../../storage/files.ts'
import type { SourceTextRow } from '../../../storage/schema.ts'
import { sourceTextOf, sourceTextPlaces } from '../../../storage/source-texts.ts'
import type { Space } from '../model/space.ts'
import { ROWS_PER_BATCH, readAll } from './read-all.ts'

/** Where the file of a document was in its source. */
export interface SourcePlace {
  path: string
  /** The title that the document had then. */
  title: string
  /** The revision of the document when it was imported. */
  revision: number
  /** The paths of the files that it shows, by their IDs. */
  files: ReadonlyMap<number, string>
}

/**
 * Returns the places by document number. A link that does not reach the whole space gets none, since the text of a
 * source may name what the link does not reach.
 */
export async function listSourcePlaces(space: Space): Promise<Map<number, SourcePlace>> {
  const rows = hasSources(space)
    ? await readAll(
        (after) => sourceTextPlaces(space.tx, after, ROWS_PER_BATCH),
        ({ document }) => document,
      )
    : []
  return new Map(
    rows.map(({ document, path, title, files, revision }) => {
      const paths = Object.entries(JSON.parse(files) as Record<string, string>)
      return [document, { path, title, revision, files: new Map(paths.map(([id, file]) => [Number(id), file])) }]
    }),
  )
}

/** The text that a document was imported from; undefined if there is none. */
export const readSourceText = async (space: Space, { n }: DocumentRecord): Promise<SourceTextRow | undefined> =>
  hasSources(space) ? sourceTextOf(space.tx, n) : undefined

const hasSources = ({ kind }: Space): boolean => kind === 'full'

/** The properties of documents that may have other names for links, as YAML, by document number. */
export async function listAliases(space: Space): Promise<Map<number, string>> {
  const blocks = await readAll(
    (after) => aliasBlocks(space.tx, after, ROWS_PER_BATCH),
    ({ n }) => n,
  )
  return new Map(blocks.map(({ document, text }) => [document, text]))
}

/** The files that blocks show, by document number, in the order of the blocks. */
export async function listShownFiles(space: Space): Promise<Map<number, ShownFile[]>> {
  const shown = await readAll(
    (after) => shownFiles(space.tx, after, ROWS_PER_BATCH),
    ({ block }) => block,
  )
  return Map.groupBy(shown, ({ document }) => document)
}

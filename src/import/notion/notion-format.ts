/** Imports Notion exports: HTML, or Markdown with CSV. */
import { createHash } from 'node:crypto'
import type { ConvertedDocument, ImportFormat, ImportPlan, LinkTargets, PlannedDocument } from '../import-format.ts'
import { folderParts, type ImportSource, type SourceFile } from '../import-source.ts'
import { convertDatabase } from './notion-database.ts'
import { type NotionDatabase, NotionIndex, type NotionPage, parseName } from './notion-index.ts'
import { COLLECTION_ANCHOR, itemAnchor, NotionConversion, rowAnchors } from './notion-page.ts'

export const notionFormat: ImportFormat = {
  name: 'notion',
  detects: ({ files }) => files.some(({ path }) => /[ -][0-9a-f]{32}\.(?:html|md|csv)$/.test(path)),
  plan: planPages,
}

/** Must be changed whenever the code reads pages differently than before, so that they are imported again. */
const READER_VERSION = '1'

async function planPages({ files }: ImportSource): Promise<ImportPlan> {
  const index = await NotionIndex.read(files)
  const pages = index.pages.filter(({ database }) => database === undefined).map((page) => plannedPage(page, index))
  const databases = index.databases.map((database) => plannedDatabase(database, index))
  return { documents: [...pages, ...databases], problems: [] }
}

/**
 * Folders are named after the parent pages, with an ID at the end. The outermost folder may be that of the export
 * itself.
 */
const placeOf = (path: string): { folder: string[] } => ({
  folder: folderParts(path)
    .filter((part, depth) => !(depth === 0 && /^Export-[0-9a-f-]{8,}$/i.test(part)))
    .map((part) => parseName(part).title || part),
})

const timesOf = ({ createdAt, modifiedAt }: SourceFile) => ({
  ...(createdAt !== undefined && { createdAt }),
  ...(modifiedAt !== undefined && { modifiedAt }),
})

const hashOf = (...stamps: string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([READER_VERSION, ...stamps]))
    .digest('base64')

function plannedPage(page: NotionPage, index: NotionIndex): PlannedDocument {
  const { path, stamp } = page.file
  return {
    ...{ path, anchors: [], fingerprint: () => hashOf(path, stamp) },
    async convert(targets: LinkTargets): Promise<ConvertedDocument> {
      const conversion = new NotionConversion(index, targets)
      const { title, content } = await conversion.convert(page)
      const { problems, links } = conversion
      return { ...content, title, place: placeOf(path), problems, links, ...timesOf(page.file) }
    },
  }
}

function plannedDatabase(database: NotionDatabase, index: NotionIndex): PlannedDocument {
  const { path, items, files } = database
  const stamps = [...files, ...items.map(({ file }) => file)].map(({ stamp }) => stamp)
  return {
    path,
    anchors: [COLLECTION_ANCHOR, ...items.map(itemAnchor), ...rowAnchors(database)],
    fingerprint: () => hashOf(path, ...stamps),
    async convert(targets: LinkTargets): Promise<ConvertedDocument> {
      const conversion = new NotionConversion(index, targets)
      const { content, relations } = await convertDatabase(database, index, targets, conversion)
      const { problems, links } = conversion
      const [first] = files
      const title = database.title || 'Database'
      return { ...content, title, place: placeOf(path), relations, problems, links, ...(first && timesOf(first)) }
    },
  }
}

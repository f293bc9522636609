/** Formats for sources without notes: tables, Word documents and outlines, in a folder, a zip or a single file. */
import type { ImportFormat } from '../import-format.ts'
import { planNotes } from './markdown-format.ts'
import { type PageKind, pageKind } from './page-kinds.ts'
import { isMarkdown } from './source-entries.ts'

export const csvFormat = formatOf('csv', 'table', 'it has tables and no Markdown')
export const docxFormat = formatOf('docx', 'docx', 'it has Word documents and no Markdown')
export const opmlFormat = formatOf('opml', 'outline', 'it has outlines and no Markdown')

function formatOf(name: string, kind: PageKind, why: string): ImportFormat {
  return {
    name,
    detects: ({ files }) => {
      if (files.some(({ path }) => isMarkdown(path))) return undefined
      return files.some(({ path }) => pageKind(path) === kind) ? why : undefined
    },
    plan: (source, options) => planNotes(source, undefined, options),
  }
}

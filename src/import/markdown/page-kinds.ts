/** Which files beside notes become documents of their own. */
import { extensionOf } from '../import-source.ts'

/** `markup` is a plain text in a markup language that is not read. */
export type PageKind = 'html' | 'text' | 'markup' | 'table' | 'outline' | 'docx'

const KINDS: ReadonlyMap<string, PageKind> = new Map(
  Object.entries({
    ...{ html: 'html', htm: 'html', xhtml: 'html', txt: 'text', text: 'text' },
    ...{ csv: 'table', tsv: 'table', opml: 'outline', docx: 'docx' },
    ...{ org: 'markup', rst: 'markup', adoc: 'markup', asciidoc: 'markup', textile: 'markup', wiki: 'markup' },
  }),
)

/**
 * Folders whose files belong to notes, or make pages out of notes: attachments, the parts of a saved page, and templates
 * of a site.
 */
const NO_PAGES =
  /(?:^|\/)(?:assets|attachments|_?resources|_?layouts|_?includes|partials|themes|[^/]+_files|[^/]+\.textbundle)\//i

/** @returns undefined for a file that becomes no document */
export const pageKind = (path: string): PageKind | undefined =>
  NO_PAGES.test(path) ? undefined : KINDS.get(extensionOf(path))

const PAGE_KINDS: ReadonlySet<string> = new Set(KINDS.values())

export const isPageKind = (kind: string): kind is PageKind => PAGE_KINDS.has(kind)

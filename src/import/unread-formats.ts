/** Formats that are not read, and which export of their program is. */
import { extensionOf } from './import-source.ts'

const ONENOTE =
  'OneNote files are not read: in OneNote, export the section or page as Word (.docx), or as a web page, and import that.'
const PAGES = 'Pages files are not read: in Pages, export the document as Word (.docx), and import that.'
const WORD = 'Old Word files (.doc) are not read: save the document as Word (.docx), and import that.'
const APPLE_NOTES =
  'The database of Apple Notes is not read: in Notes, export notes as Markdown (File > Export as), or import them to Obsidian with its Importer, and import that folder.'

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ one: ONENOTE, onepkg: ONENOTE, onetoc2: ONENOTE },
    ...{ pages: PAGES, doc: WORD, dot: WORD },
    odt: 'OpenDocument texts (.odt) are not read: save the document as Word (.docx), and import that.',
    rtf: 'Rich Text (.rtf) is not read: save the document as Word (.docx), or as HTML, and import that.',
    epub: 'E-books (.epub) are not read: convert the book to HTML or Markdown, and import that.',
    xlsx: 'Excel files (.xlsx) are not read: save each sheet as CSV, and import that.',
    xls: 'Excel files (.xls) are not read: save each sheet as CSV, and import that.',
    numbers: 'Numbers files are not read: export each table as CSV, and import that.',
  }),
)

/** @returns a sentence with the export to use instead; undefined for other files */
export function unreadFormat(path: string): string | undefined {
  if (/(?:^|\/)NoteStore\.sqlite(?:-(?:wal|shm))?$/i.test(path)) return APPLE_NOTES
  return BY_EXTENSION.get(extensionOf(path))
}

/** Files beside notes that become documents of their own: pages of HTML, texts, tables, outlines and Word documents. */
import { createHash } from 'node:crypto'
import { IMPORT_CSV_BYTES, IMPORT_DOCX_BYTES, IMPORT_HTML_BYTES, IMPORT_TEXT_BYTES } from '../../base/limits.ts'
import { type ImportContent, plainContent } from '../../space/import/imported-content.ts'
import { readDocx } from '../docx/docx-page.ts'
import { convertPage, type PageContext, readPageHead } from '../html/html-page.ts'
import { folderParts, readSourceFile, type SourceFile, stem } from '../import-source.ts'
import { readOpml } from '../opml/opml-blocks.ts'
import { readCsv } from '../tables/read-csv.ts'
import { TABLE_ANCHOR, tableAnchors, tableCollection } from '../tables/table-collection.ts'
import { plainTextBlocks } from '../text/plain-text.ts'
import { type DecodedText, readText } from '../text-decoding.ts'
import { type NoteLink, parseAddressLink } from './note-links.ts'
import type { PageKind } from './page-kinds.ts'
import { NoText, type NoteFacts, type NoteHead } from './source-entries.ts'

export interface FileContext extends PageContext {
  title: string
  idOf(anchor: string): number | undefined
}

/** What is found in a file in the first pass. */
interface PageHead {
  title?: string
  links?: NoteLink[]
  /** Blocks that a later import recognizes. */
  anchors?: string[]
}

interface PageReader {
  headOf?(text: string): PageHead
  convert(text: string, context: FileContext): ImportContent
}

const READERS: Readonly<Record<Exclude<PageKind, 'docx'>, PageReader>> = {
  html: {
    headOf: (html) => {
      const { title, links } = readPageHead(html)
      return { title, links: links.flatMap(({ address, isShown }) => parseAddressLink(address, isShown) ?? []) }
    },
    convert: convertPage,
  },
  text: { convert: (text) => plainContent(plainTextBlocks(text)) },
  markup: {
    convert: (text, { report }) => {
      report('Its markup is kept as text, since this language is not read.')
      return plainContent(plainTextBlocks(text))
    },
  },
  table: {
    headOf: (text) => ({ anchors: [TABLE_ANCHOR, ...tableAnchors(readCsv(text))] }),
    convert: (text, context) => tableCollection(readCsv(text), context),
  },
  outline: {
    headOf: (text) => ({ title: readOpml(text, SILENT).title }),
    convert: (text, context) => plainContent(readOpml(text, context).blocks),
  },
}

/** For the first pass, which reports nothing. */
const SILENT: PageContext = { targetOf: () => undefined, newId: () => 0, report: () => {} }

/** The facts of the first pass. @throws NoText; Error if the file is too long or cannot be read */
export async function pageFacts(
  file: SourceFile,
  kind: PageKind,
  isVault: boolean,
  head?: NoteHead,
): Promise<NoteFacts> {
  const { hash, title = '', links = [], anchors = [] } = await firstPass(file, kind)
  return {
    ...{ kind, hash, links, offered: new Set(anchors), wanted: new Set(anchors), hasProperties: false },
    title: head?.title ?? ((isVault ? '' : title) || stem(file.path)),
    place: head?.place ?? { folder: folderParts(file.path) },
    ...(file.createdAt !== undefined && { createdAt: file.createdAt }),
    ...(file.modifiedAt !== undefined && { modifiedAt: file.modifiedAt }),
  }
}

async function firstPass(file: SourceFile, kind: PageKind): Promise<PageHead & { hash: string }> {
  if (kind === 'docx') {
    const bytes = await readSourceFile(file, IMPORT_DOCX_BYTES)
    return { hash: createHash('sha256').update(bytes).digest('base64') }
  }
  const { text, bytes } = await readPage(file, kind)
  return { ...READERS[kind].headOf?.(text), hash: createHash('sha256').update(bytes).digest('base64') }
}

/** @throws NoText; Error if the file cannot be read or converted */
export async function convertFile(file: SourceFile, kind: PageKind, context: FileContext): Promise<ImportContent> {
  if (kind === 'docx') {
    const { html, warnings } = await readDocx(file)
    for (const warning of warnings) context.report('A part of the document is not converted.', warning)
    return convertPage(html, context)
  }
  const { text, note } = await readPage(file, kind)
  if (note !== undefined) context.report(note)
  return READERS[kind].convert(text, context)
}

const BYTES: Readonly<Record<Exclude<PageKind, 'docx'>, number>> = {
  ...{ html: IMPORT_HTML_BYTES, outline: IMPORT_HTML_BYTES, table: IMPORT_CSV_BYTES },
  ...{ text: IMPORT_TEXT_BYTES, markup: IMPORT_TEXT_BYTES },
}

async function readPage(
  file: SourceFile,
  kind: Exclude<PageKind, 'docx'>,
): Promise<DecodedText & { bytes: Uint8Array }> {
  const bytes = await readSourceFile(file, BYTES[kind])
  const decoded = readText(bytes)
  if (decoded === undefined) throw new NoText()
  return { ...decoded, bytes }
}

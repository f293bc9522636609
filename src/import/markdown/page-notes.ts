/** Files beside notes that become documents of their own: pages of HTML, and plain texts. */
import { createHash } from 'node:crypto'
import { IMPORT_HTML_BYTES, IMPORT_TEXT_BYTES } from '../../base/limits.ts'
import type { ImportContent } from '../../space/import/imported-content.ts'
import { plainContent } from '../../space/import/imported-content.ts'
import { convertPage, type PageContext, readPageHead } from '../html/html-page.ts'
import { folderParts, readSourceFile, type SourceFile, stem } from '../import-source.ts'
import { plainTextBlocks } from '../text/plain-text.ts'
import { type DecodedText, readText } from '../text-decoding.ts'
import { parseAddressLink } from './note-links.ts'
import type { PageKind } from './page-kinds.ts'
import { NoText, type NoteFacts } from './source-entries.ts'

/** The facts of the first pass. @throws Error if the file is too long or cannot be read */
export async function pageFacts(file: SourceFile, kind: PageKind, isVault: boolean): Promise<NoteFacts> {
  const { text, bytes } = await readPage(file, kind)
  const head = kind === 'html' ? readPageHead(text) : { title: '', links: [] }
  const links = head.links.flatMap(({ address, isShown }) => parseAddressLink(address, isShown) ?? [])
  return {
    ...{ kind, links, title: isVault ? stem(file.path) : head.title || stem(file.path) },
    hash: createHash('sha256').update(bytes).digest('base64'),
    ...{ offered: new Set(), wanted: new Set(), hasProperties: false },
    place: { folder: folderParts(file.path) },
    ...(file.createdAt !== undefined && { createdAt: file.createdAt }),
    ...(file.modifiedAt !== undefined && { modifiedAt: file.modifiedAt }),
  }
}

export async function convertTextOrPage(
  file: SourceFile,
  kind: PageKind,
  context: PageContext,
): Promise<ImportContent> {
  const { text, note } = await readPage(file, kind)
  if (note !== undefined) context.report(note)
  if (kind === 'html') return convertPage(text, context)
  if (kind === 'markup') context.report('Its markup is kept as text, since this language is not read.')
  return plainContent(plainTextBlocks(text))
}

async function readPage(file: SourceFile, kind: PageKind): Promise<DecodedText & { bytes: Uint8Array }> {
  const bytes = await readSourceFile(file, kind === 'html' ? IMPORT_HTML_BYTES : IMPORT_TEXT_BYTES)
  const decoded = readText(bytes)
  if (decoded === undefined) throw new NoText()
  return { ...decoded, bytes }
}

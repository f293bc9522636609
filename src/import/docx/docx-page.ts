/** Converts a Word document (.docx) to HTML, within limits that are checked before anything is unpacked. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IMPORT_DOCX_BYTES, IMPORT_DOCX_ENTRIES, IMPORT_DOCX_UNPACKED_BYTES } from '../../base/limits.ts'
import { readSourceFile, type SourceFile } from '../import-source.ts'
import { openZip } from '../zip-source.ts'

export interface DocxPage {
  html: string
  /** What could not be converted, each once. */
  warnings: string[]
}

/** @throws Error if it is no Word document, or one with too much in it */
export async function readDocx(file: SourceFile): Promise<DocxPage> {
  const bytes = await readSourceFile(file, IMPORT_DOCX_BYTES)
  await assertBounded(bytes)
  const { default: mammoth } = await import('mammoth')
  const { value: html, messages } = await mammoth.convertToHtml({ buffer: bytes }, { styleMap: STYLES })
  const warnings = messages.map(({ message }) => message.replace(/\s+/g, ' ').slice(0, 200).replace(/\.?$/, ''))
  return { html, warnings: [...new Set(warnings)] }
}

/** Styles of Word that have a meaning here, besides those that mammoth knows. */
const STYLES = [
  'u => u',
  'strike => s',
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "p[style-name='Quote'] => blockquote:fresh",
  "p[style-name='Intense Quote'] => blockquote:fresh",
  "p[style-name='Code'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
]

/**
 * Reads all entries of the zip once: each must have the size and checksum that it states, and all together may not be
 * larger than what is converted.
 */
async function assertBounded(bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-docx-'))
  try {
    const path = join(folder, 'document.docx')
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
    const zip = await openZip(path, { maxBytes: IMPORT_DOCX_UNPACKED_BYTES, maxFiles: IMPORT_DOCX_ENTRIES })
    try {
      if (!zip.files.some(({ path: inner }) => inner === 'word/document.xml' || inner === '[Content_Types].xml')) {
        throw new Error('Expected a Word document, found another zip.')
      }
      for (const entry of zip.files) for await (const _ of entry.open());
    } finally {
      await zip.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

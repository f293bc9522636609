/** Lists the import formats, and detects the format of a source. */
import { invalid } from '../base/errors.ts'
import { conversationsFormat } from './conversations/conversations-format.ts'
import { enexFormat } from './enex/enex-format.ts'
import type { ImportFormatName } from './format-names.ts'
import { IMPORT_FORMATS } from './format-names.ts'
import type { ImportFormat } from './import-format.ts'
import type { ImportSource } from './import-source.ts'
import { joplinFormat } from './joplin/joplin-format.ts'
import { keepFormat } from './keep/keep-format.ts'
import { logseqFormat } from './logseq/logseq-format.ts'
import { markdownFormat, obsidianFormat } from './markdown/markdown-format.ts'
import { csvFormat, docxFormat, opmlFormat } from './markdown/page-formats.ts'
import { notionFormat } from './notion/notion-format.ts'
import { roamFormat } from './roam/roam-format.ts'
import { standardnotesFormat } from './standardnotes/standardnotes-format.ts'
import { craftFormat, textbundleFormat } from './textbundle/textbundle-format.ts'
import { unreadFormat } from './unread-formats.ts'

/** In the order in which detection tries them: more specific formats first. */
const FORMATS: Readonly<Record<ImportFormatName, ImportFormat>> = {
  notion: notionFormat,
  conversations: conversationsFormat,
  enex: enexFormat,
  textbundle: textbundleFormat,
  logseq: logseqFormat,
  joplin: joplinFormat,
  keep: keepFormat,
  standardnotes: standardnotesFormat,
  roam: roamFormat,
  craft: craftFormat,
  obsidian: obsidianFormat,
  csv: csvFormat,
  docx: docxFormat,
  opml: opmlFormat,
  markdown: markdownFormat,
}

/**
 * Returns the format with this name, or the first one that matches the source.
 *
 * @throws VALIDATION_ERROR if there is no format with this name, or none matches the source; it says which export is read
 * where the source has a known format that is not
 */
export async function findFormat(source: ImportSource, name?: string): Promise<ImportFormat> {
  if (name !== undefined) {
    const named = IMPORT_FORMATS.find((one) => one === name)
    if (named !== undefined) return FORMATS[named]
    throw invalid(`Expected one of ${IMPORT_FORMATS.join(', ')} as the format, found ${name}.`)
  }
  for (const format of Object.values(FORMATS)) {
    const why = await format.detects(source)
    if (why) return { ...format, ...(typeof why === 'string' && { detected: `${format.name}, since ${why}` }) }
  }
  const [advice] = source.files.flatMap(({ path }) => unreadFormat(path) ?? [])
  if (advice !== undefined) throw invalid(advice)
  throw invalid(
    `Expected files of a known format (${IMPORT_FORMATS.join(', ')}), found none in ${source.title}; name its format with --as.`,
  )
}

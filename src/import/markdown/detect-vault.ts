/**
 * Finds out whether a folder of notes is a vault, where the name of a file is the title of its note and `[[…]]` are
 * links, or a plain folder or site, where titles stand in front matter.
 */
import { IMPORT_TEXT_BYTES } from '../../base/limits.ts'
import { readFrontMatter } from '../../markdown/front-matter.ts'
import { type ImportSource, readSourceFile, type SourceFile } from '../import-source.ts'
import { decodeBytes } from '../text-decoding.ts'
import { readNoteLines, replaceText } from './note-lines.ts'
import { WIKI_LINK } from './note-links.ts'
import { pageKind } from './page-kinds.ts'
import { isHidden, isMarkdown } from './source-entries.ts'
import { specialKind } from './special-notes.ts'
import { EXPORT_MANIFEST } from './vault-settings.ts'

/** How many notes are looked into, evenly spread over all of them. */
const NOTES_LOOKED_INTO = 200

/** @returns why it is a vault; undefined if it is none */
export async function whyVault(source: ImportSource): Promise<string | undefined> {
  const { files } = source
  if (files.some(({ path }) => path.startsWith('.obsidian/'))) return 'it has the folder .obsidian'
  if (files.some(({ path }) => path === EXPORT_MANIFEST)) return 'it is an export of Scriptorium'
  const shown = files.filter(({ path }) => !isHidden(path))
  const special = shown.find(({ path }) => ['canvas', 'base'].includes(specialKind(path) ?? ''))
  if (special !== undefined) return `it has ${special.path}`
  const counts = await countMarks(shown.filter(({ path }) => isMarkdown(path)))
  const { notes, linking, links, titled, dated } = counts
  const tool = files.find(({ path }) => VAULT_FILE.test(path))
  if (tool !== undefined && links > 0) return `it has ${tool.path}, and ${linksText(counts)}`
  const site = siteFile(files)
  // In a site, or where front matter has the titles, some links in double brackets may be words.
  const isRare = linking < RARE_SHARE * notes || links < 3
  if ((site !== undefined || titled > notes / 2) && isRare) return undefined
  if (links > 0) return linksText(counts)
  return dated > 0 && site === undefined && titled <= notes / 2
    ? 'it has tasks with dates of the Tasks plugin'
    : undefined
}

/** @returns why it is a folder of Markdown; undefined if it has none */
export function whyMarkdown({ files }: ImportSource): string | undefined {
  if (!files.some(({ path }) => isMarkdown(path))) {
    const isRead = files.some(({ path }) => !isHidden(path) && pageKind(path) !== undefined)
    return isRead ? 'it has pages or texts, and no Markdown' : undefined
  }
  const site = siteFile(files)
  return site === undefined ? 'it has Markdown files and few or no links in double brackets' : `it has ${site}`
}

/** A share of notes with links in double brackets below which they do not make a vault of a site. */
const RARE_SHARE = 0.1

/** Files of programs whose notes are linked as in vaults. */
const VAULT_FILE = /^(?:\.foam\/|\.vscode\/foam\.json$|foam\.json$|dendron\.ya?ml$|quartz\.config\.ts$)/
/** Files of generators of sites. */
const SITE_FILE =
  /^(?:(?:docusaurus|astro|eleventy|gatsby|vuepress|nextra)\.config\.[cm]?[jt]s|\.eleventy\.js|hugo\.(?:toml|ya?ml|json)|mkdocs\.ya?ml|_config\.ya?ml|book\.toml|zensical\.toml|\.vitepress\/config\.[cm]?[jt]s)$/

const siteFile = (files: readonly SourceFile[]): string | undefined =>
  files.find(({ path }) => SITE_FILE.test(path) || /(?:^|\/)_index(?:\.[\w-]+)?\.md$/.test(path))?.path

interface MarkCounts {
  /** Notes that were looked into; those with wiki links, with a title in front matter, and with dates of tasks. */
  notes: number
  linking: number
  titled: number
  dated: number
  links: number
}

const linksText = ({ links, linking, notes }: MarkCounts): string =>
  `${linking} of ${notes} notes have links in double brackets, ${links} together`

async function countMarks(notes: readonly SourceFile[]): Promise<MarkCounts> {
  const counts: MarkCounts = { notes: 0, linking: 0, titled: 0, dated: 0, links: 0 }
  const most = Math.min(notes.length, NOTES_LOOKED_INTO)
  for (let at = 0; at < most; at++) {
    const note = notes[Math.floor((at * notes.length) / most)]
    if (note === undefined) break
    const text = await readSourceFile(note, IMPORT_TEXT_BYTES).then(
      (bytes) => decodeBytes(bytes).text,
      () => '',
    )
    const { values, body } = readFrontMatter(text.replace(/\r\n?/g, '\n'))
    const lines = readNoteLines(body, 0, false).filter(({ kind }) => kind === 'text')
    const links = lines.reduce((sum, line) => sum + wikiLinks(line.text), 0)
    counts.notes++
    counts.links += links
    if (links > 0) counts.linking++
    if (typeof values.title === 'string') counts.titled++
    if (lines.some((line) => TASK_DATE.test(line.text))) counts.dated++
  }
  return counts
}

const TASK_DATE = /^[ \t>]*[-*+][ \t]+\[.\][ \t].*[📅⏳🛫✅]\uFE0F?[ \t]*\d{4}-\d\d-\d\d/u

function wikiLinks(line: string): number {
  if (!line.includes('[[')) return 0
  let count = 0
  replaceText(line, (text) => {
    count += text.match(WIKI_LINK)?.length ?? 0
    return text
  })
  return count
}

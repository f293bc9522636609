/** Translates links within the words of Logseq: to pages, days and blocks, and its macros. */
import { escapeLabel } from '../../markdown/blocks/media.ts'
import { linkTo, type TranslationProblem } from '../translated-notes.ts'

export interface LogseqLinks {
  /** Returns the path of the page with a name, in any letter case, or of the journal of a day. */
  pageOf(name: string): string | undefined
  /** Returns the day that a name stands for. */
  dayOf(name: string): string | undefined
  /** Whether a text between double parentheses is the ID of a block. */
  isBlockId(text: string): boolean
  blockOf(id: string): { path: string; label: string } | undefined
}

const EMBED = /\{{2,3}embed\s+(?:\(\(([\w-]{1,64})\)\)|\[\[([^[\]\n]{1,500})\]\])\s*\}{2,3}/gi
const WORDED = /\[([^[\]\n]{1,500})\]\((?:\(\(([\w-]{1,64})\)\)|\[\[([^[\]\n]{1,500})\]\])\)/g
const REFERENCE = /\(\(([\w-]{1,64})\)\)/g
const PAGE = /(#?)\[\[([^[\]\n]{1,500})\]\]/g
const FILM = /\{\{(?:video|youtube|vimeo|bilibili|tweet|twitter)\s+(https?:\/\/[^\s{}]{1,2000})\s*\}\}/gi
const MACRO = /\{\{[a-z][\w-]*:?(?:\s(?:[^{}\n]|\{[^{}\n]*\})*)?\}\}/gi
/** The size of an image. */
const SIZE = /(?<=\))\{:[^{}\n]{0,200}\}/g

const LOST_BLOCK = 'A link to a block that is not there is kept as text.'

export function translateText(
  written: string,
  links: LogseqLinks,
  isInTable: boolean,
  report: (kind: TranslationProblem['kind'], message: string, detail?: string) => void,
): string {
  // Two percent signs begin a comment in our notes, but not in these.
  let text = written.replaceAll('%%', '%\\%')
  if (text.includes('^^')) text = text.replace(/\^\^(?=\S)([^^\n]{1,2000}?)(?<=\S)\^\^/g, '==$1==')
  if (!/[[({]/.test(text)) return text
  // New links are put in at the end, so that nothing in them is read once more.
  const made: string[] = []
  const placeholder = (link: string) => `\uFDD2${made.push(link) - 1}\uFDD3`
  const block = (written: string, id: string, shown: string | undefined, isEmbed: boolean): string => {
    const found = links.blockOf(id.toLowerCase())
    if (found === undefined) {
      report('not found', LOST_BLOCK, id)
      return placeholder(written.replace(/[()]/g, '\\$&'))
    }
    return placeholder(
      linkTo(found.path, `#^${id.toLowerCase()}`, shown ?? (found.label || 'Block'), { isEmbed, isInTable }),
    )
  }
  const page = (written: string, name: string, shown: string, isEmbed: boolean): string => {
    const path = links.pageOf(name)
    if (path !== undefined) return placeholder(linkTo(path, '', shown, { isEmbed, isInTable }))
    const day = links.dayOf(name)
    return day === undefined ? written : placeholder(`[${escapeLabel(shown)}](date://${day})`)
  }
  text = text.replace(/[\uFDD2\uFDD3]/g, '\uFFFD')
  text = text.replace(EMBED, (written, id?: string, name = '') =>
    id === undefined ? page(written, name, name, true) : block(written, id, undefined, true),
  )
  text = text.replace(WORDED, (written, shown: string, id?: string, name = '') =>
    id === undefined ? page(written, name, shown, false) : block(written, id, shown, false),
  )
  text = text.replace(REFERENCE, (written, id: string) =>
    links.isBlockId(id) ? block(written, id, undefined, false) : written,
  )
  text = text.replace(PAGE, (written, hash: string, name: string) => page(written, name, `${hash}${name}`, false))
  text = text.replace(FILM, (_, url: string) => placeholder(`<${url}>`))
  for (const [macro] of text.matchAll(MACRO)) report('changed', 'A macro is kept as text.', macro.slice(0, 100))
  text = text.replace(SIZE, '')
  return text.replace(/\uFDD2(\d+)\uFDD3/g, (_, index: string) => made[Number(index)] ?? '')
}

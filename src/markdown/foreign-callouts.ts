/** Callouts as Notion, Obsidian and GitHub write them, rewritten with our tag. Code stays unchanged. */
import { calloutStart } from './blocks/callout-tag.ts'
import { ICON_LENGTH } from './callout-levels.ts'

const FENCE = /^[ \t>]*(`{3,}|~{3,})/
//   > [!tip]- Title
const QUOTED_CALLOUT = /^([ \t]*)>[ \t]?\[!([A-Za-z][\w-]*)\]([+-]?)[ \t]*(.*)$/
const QUOTED = /^[ \t]*>[ ]?/
//   <aside>text</aside>   <aside>text   text</aside>
const NOTION_START = /^([ \t]*)<aside>(.*)$/i
const NOTION_END = /^(.*)<\/aside>[ \t]*$/i
/** Marks, links and code, which the title of a callout does not have. */
const MARKED = /[*_`[\]<>~=$\\]/

/** Rewrites `<aside>` and quotes that begin with `[!kind]`, in linear time. */
export function withCallouts(text: string): string {
  return /<aside>|\[!/i.test(text) ? rewrite(text.split('\n')).join('\n') : text
}

function rewrite(lines: readonly string[]): string[] {
  const written: string[] = []
  const code = new FenceReader()
  let asides = 0
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (code.includes(line)) written.push(line)
    else if (QUOTED_CALLOUT.test(line)) {
      const start = index
      while (QUOTED.test(lines[index + 1] ?? '')) index++
      written.push(...quotedCallout(lines.slice(start, index + 1)))
    } else {
      const rewritten = rewriteTags(line, asides)
      written.push(...rewritten.lines)
      asides = rewritten.open
    }
  }
  return written
}

/** Follows fenced code through the lines of a text. */
class FenceReader {
  #open: string | undefined

  /** True for the next line if it is code or a fence. */
  includes(line: string): boolean {
    const [, mark] = FENCE.exec(line) ?? []
    const isChange = mark !== undefined && (this.#open === undefined || mark.startsWith(this.#open))
    if (isChange) this.#open = this.#open === undefined ? mark : undefined
    return this.#open !== undefined || mark !== undefined
  }
}

/**
 * Rewrites the tags of Notion's callouts in a line.
 *
 * @param asides  how many of them are open before the line
 * @returns the lines to write, and how many are open after it
 */
function rewriteTags(line: string, asides: number): { lines: string[]; open: number } {
  const [, indent = '', rest] = NOTION_START.exec(line) ?? []
  const inside = rest === undefined ? asides : asides + 1
  const [, before] = inside > 0 ? (NOTION_END.exec(rest ?? line) ?? []) : []
  if (rest === undefined && before === undefined) return { lines: [line], open: inside }
  const text = (before ?? rest ?? line).trim()
  const lines = [
    ...(rest === undefined ? [] : [`${indent}<callout>`]),
    ...(text === '' ? [] : [indent + text]),
    ...(before === undefined ? [] : [`${indent}</callout>`]),
  ]
  return { lines, open: before === undefined ? inside : inside - 1 }
}

/** A title with marks or links is the first line of the callout, in bold. */
function quotedCallout(lines: readonly string[]): string[] {
  const [, indent = '', kind = '', fold = '', given = ''] = QUOTED_CALLOUT.exec(lines[0] ?? '') ?? []
  const title = given.trim()
  const inner = rewrite(lines.slice(1).map((line) => line.replace(QUOTED, '')))
  if (title === '' && inner.every((line) => line.trim() === '')) return [...lines]
  const isMarked = MARKED.test(title)
  const start = calloutStart({
    ...(title !== '' && !isMarked && { title }),
    ...(kind.toLowerCase() !== 'note' && { icon: kind.slice(0, ICON_LENGTH) }),
    ...(fold === '-' && { folded: true }),
  })
  const head = isMarked ? [`**${title.replaceAll('**', '')}**`, ''] : []
  // A callout with a title alone holds an empty line, which has to be text.
  return ['', start, ...head, ...inner, '</callout>', ''].map((line) => (line === '' ? line : indent + line))
}

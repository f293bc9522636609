/** Callouts as Notion, Obsidian and GitHub write them, rewritten with our tag. Code stays unchanged. */
import { calloutStart } from './blocks/callout-tag.ts'
import { ICON_LENGTH } from './callout-levels.ts'

const FENCE = /^[ \t>]*(`{3,}|~{3,})/
//   > [!tip]- Title
const QUOTED_CALLOUT = /^([ \t]*)>[ \t]?\[!([A-Za-z][\w-]*)\]([+-]?)[ \t]*(.*)$/
const QUOTED = /^[ \t]*>[ ]?/
//   <aside>words</aside>   <aside>words   words</aside>
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
  let fence: string | undefined
  let asides = 0
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, mark] = FENCE.exec(line) ?? []
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    if (fence !== undefined || mark !== undefined) {
      written.push(line)
      continue
    }
    if (QUOTED_CALLOUT.test(line)) {
      const start = index
      while (QUOTED.test(lines[index + 1] ?? '')) index++
      written.push(...quotedCallout(lines.slice(start, index + 1)))
      continue
    }
    const [, indent = '', rest] = NOTION_START.exec(line) ?? []
    if (rest !== undefined) {
      asides += 1
      written.push(`${indent}<callout>`)
    }
    const [, before] = asides > 0 ? (NOTION_END.exec(rest ?? line) ?? []) : []
    const words = before ?? rest ?? line
    if (rest === undefined && before === undefined) written.push(line)
    else if (words.trim() !== '') written.push(indent + words.trim())
    if (before === undefined) continue
    asides -= 1
    written.push(`${indent}</callout>`)
  }
  return written
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

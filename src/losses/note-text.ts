/** What stands in the text of a note beside CommonMark: links in double brackets, and dates of tasks. */
import { type VisibleItem, visibleWords } from './visible-item.ts'

/** `note`: also what Obsidian reads in a note. `export`: a note of our own export, which has no indented code, and Markdown within tags. `mdx`: a note with components, whose names begin with a capital letter. */
export type Dialect = 'markdown' | 'note' | 'export' | 'mdx'

const WIKI_LINK = /(!?)\[\[([^[\]\n]+?)\]\]/g
/** An ID at the end of a line, which is not shown. */
const BLOCK_ID = /(?:^|[ \t]|(?<=\]\]|\)))\^[A-Za-z0-9-]+[ \t]*$/gm
/** The kind of a callout that has no name of its own here, with the signs of quotes before it as they are written. */
const PLAIN_CALLOUT = /^([ \t]*>[ \t>]*)?\[!note(?:\|[^\]]*)?\]/gim
const TASK_DATE =
  /[📅📆🗓⏳⌛🛫✅❌]\uFE0F?[ \t]*(\d{4}-\d\d-\d\d)(?![\d-])|[[(](?:due|scheduled|start|completion|cancelled)::[ \t]*(\d{4}-\d\d-\d\d)[\])]/gu
const TASK_REPEAT = /(?:🔁\uFE0F?[ \t]*|[[(]repeat::[ \t]*)every [^📅📆🗓⏳⌛🛫✅❌➕🔺⏫🔼🔽⏬#[\]()\n]+[\])]?/gu

/**
 * The words of a text, as those of all pieces that stand beside each other. Dates of tasks are items of their own, since
 * a task has them beside its text.
 */
export function* readText(text: string, line: number, dialect: Dialect): Generator<VisibleItem> {
  const found: VisibleItem[] = []
  const lineAt = (at: number) => line + text.slice(0, at).split('\n').length - 1
  let rest = text
  if (dialect !== 'markdown' && /\[\[|\^|\[!/.test(text)) {
    rest = rest.replace(WIKI_LINK, (written: string, bang: string, inner: string, at: number) => {
      found.push({ kind: bang === '!' ? 'image' : 'link', value: written, line: lineAt(at) })
      return shownText(inner, bang === '!')
    })
    rest = rest.replace(BLOCK_ID, '').replace(PLAIN_CALLOUT, '$1')
  }
  if (/\d{4}-\d\d-\d\d|every /.test(rest)) {
    const extract = (value: string, at: number, written: string): string => {
      found.push({ kind: 'date', value, line: lineAt(at) })
      // What was made of a text may have the date in its words as well as in a task.
      return dialect === 'markdown' ? written : ' '
    }
    rest = rest.replace(TASK_DATE, (written, signed: string, field: string, at: number) =>
      extract(signed ?? field, at, written),
    )
    rest = rest.replace(TASK_REPEAT, (written, at: number) => extract('repeat', at, written))
  }
  yield* visibleWords(rest, line)
  yield* found
}

/** What is shown of a link: its own words, or its target. Of an image, the words are its description or its width. */
function shownText(inner: string, isEmbed: boolean): string {
  const [, target = '', label] = /^(.*?)(?:\|(.*))?$/s.exec(inner) ?? []
  if (isEmbed) return ` ${label ?? ''} `
  if (label !== undefined && label.trim() !== '') return label
  const [note = '', ...anchors] = target.split('#')
  return [note, ...anchors.filter((anchor) => note === '' || !anchor.startsWith('^'))].join(' > ')
}

/**
 * Text with simple formatting, and blocks of it, in which the input is already the normal form: `plain`, `**bold**`,
 * `*italic*`, `` `code` `` and `[link](https://…)`, joined by single spaces.
 */
import { Id } from './ids.ts'
import type { Block, Draft } from './world.ts'

const TOKEN = /\*\*(?<bold>\w+)\*\*|\*(?<italic>\w+)\*|`(?<code>\w+)`|\[(?<link>\w+)\]\((?<url>\S+?)\)/g

/** The plain text without formatting. */
export const plain = (text: string): string =>
  text.replace(TOKEN, (...found) => {
    const { bold, italic, code, link } = found.at(-1) as Record<string, string>
    return bold ?? italic ?? code ?? link ?? ''
  })

/** The title of a page: its plain text, and the formatting as ranges. */
export function title({ text, isTagged, comments }: Block): object {
  const value = plain(text)
  const attributes: object[] = []
  if (isTagged) {
    attributes.push({ start: 0, end: value.length, type: 'commentMarker', markerId: comments[0]?.id.value })
  }
  let start = 0
  for (const word of text.split(' ')) {
    const end = start + plain(word).length
    const [found] = [...word.matchAll(TOKEN)]
    const { bold, italic, code, url } = found?.groups ?? {}
    if (bold !== undefined) attributes.push({ start, end, type: 'bold' })
    if (italic !== undefined) attributes.push({ start, end, type: 'italic' })
    if (code !== undefined) attributes.push({ start, end, type: 'code' })
    if (url !== undefined) attributes.push({ start, end, type: 'link', url })
    start = end + 1
  }
  return { value, attributes }
}

const STATES: Record<string, string> = { todo: '- [ ] ', done: '- [x] ', canceled: '- [-] ' }
const MARKERS: Record<string, string> = { bullet: '- ', numbered: '1. ', toggle: '+ ' }
export const LINES: Record<string, string> = {
  ...{ extraLight: '***', light: '****', regular: '*****', strong: '******', pageBreak: '*******' },
}

/** A block as Markdown in its document. */
export function markdown(block: Block): string {
  const { type, text, indentation, listStyle, fields } = block
  if (type === 'page' || type === 'collectionItem' || type === 'collection') return plain(text)
  let body = type === 'text' ? words(block) : other(block)
  const { callout, quote } = (fields.decorations ?? {}) as { callout?: true; quote?: true }
  if (fields.textStyle === 'caption' && type === 'text') body = `<caption>${body}</caption>`
  if (callout) body = `<callout>${body}</callout>`
  if (listStyle === 'task') body = `${STATES[block.task?.state ?? 'todo']}${body}`
  else if (listStyle !== undefined) body = `${MARKERS[listStyle]}${body}`
  if (quote) body = `> ${body}`
  return '  '.repeat(indentation) + body
}

/** A task as Markdown in lists of tasks. */
export const taskMarkdown = (block: Block): string =>
  markdown({ ...block, type: block.type === 'page' ? 'text' : block.type, indentation: 0 })

function words({ text, isTagged, comments, fields: { textStyle } }: Block): string {
  const inline = isTagged ? `<comment id="${comments[0]?.id.value}">${text}</comment>` : text
  if (textStyle === 'card' || textStyle === 'page') return `<${textStyle}>${inline}</${textStyle}>`
  const level = /^h([1-4])$/.exec(String(textStyle))?.[1]
  return level === undefined ? inline : `${'#'.repeat(Number(level))} ${inline}`
}

function other({ type, text, fields }: Block): string {
  const { language, lineStyle, altText, fileName, title } = fields as Record<string, string | undefined>
  // The address of a file is learned from a response.
  const url = fields.url instanceof Id ? fields.url.value : fields.url
  if (type === 'code') return `\`\`\`${language ?? ''}\n${text}\n\`\`\``
  if (type === 'line') return LINES[lineStyle ?? 'regular'] ?? ''
  if (type === 'image') return `![${altText ?? ''}](${url})`
  if (type === 'richUrl') return `[${title ?? url}](${url})`
  if (type === 'file') return `[${fileName}](${url})`
  return type === 'whiteboard' ? '<whiteboard/>' : text
}

const STARTS: [RegExp, (draft: Draft, found: RegExpExecArray) => void][] = [
  [/^- \[([ x-])\] /, (draft, [, mark]) => asTask(draft, mark)],
  [/^- /, (draft) => Object.assign(draft, { listStyle: 'bullet' })],
  [/^1\. /, (draft) => Object.assign(draft, { listStyle: 'numbered' })],
  [/^\+ /, (draft) => Object.assign(draft, { listStyle: 'toggle' })],
  [/^> /, (draft) => Object.assign(draft.fields, { decorations: { quote: true } })],
  [/^(#{1,4}) /, (draft, [, mark = '']) => Object.assign(draft.fields, { textStyle: `h${mark.length}` })],
]

function asTask(draft: Draft, mark: string | undefined): void {
  draft.listStyle = 'task'
  draft.task = { state: mark === 'x' ? 'done' : mark === '-' ? 'canceled' : 'todo' }
}

export const draft = (type: string, text: string, fields: Draft['fields'] = {}): Draft => {
  return { type, text, indentation: 0, listStyle: undefined, task: undefined, fields, content: [] }
}

/** Parses a text into blocks, one per paragraph, each with the prefix of its kind. */
export const read = (text: string): Draft[] => (text === '' ? [] : text.split('\n\n').map(readOne))

function readOne(part: string): Draft {
  const line = Object.entries(LINES).find(([, written]) => written === part)
  if (line !== undefined) return draft('line', '', line[0] === 'regular' ? {} : { lineStyle: line[0] })
  const made = draft('text', part)
  for (const [start, phrase] of STARTS) {
    const found = start.exec(part)
    if (found === null) continue
    made.text = part.slice(found[0].length)
    phrase(made, found)
    break
  }
  return made
}

/** Markdown and code that are proposed, as they are written. */
import { markUnseen } from '../../base/unseen-characters.ts'
import { editsBetween } from '../../difference/text-edits.ts'
import { type Html, html, joinHtml, trusted } from '../html.ts'
import { markedHtml } from '../shown-text.ts'

export const sourceHtml = (source: string): Html =>
  html`<pre class="source">${joinHtml(
    source.split('\n').map((line, index) => (index === 0 ? lineHtml(line) : html`${trusted('\n')}${lineHtml(line)}`)),
  )}</pre>`

const lineHtml = (line: string): Html => markedHtml(markUnseen(line))

/** Both, line by line. */
export function linesHtml(before: string, after: string): Html {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const edits = editsBetween(old, now) ?? [{ from: 0, to: old.length, tokens: now }]
  const parts: Html[] = []
  let from = 0
  const add = (lines: readonly string[], tag: '' | 'del' | 'ins') => {
    if (lines.length === 0) return
    const content = sourceHtml(lines.join('\n'))
    parts.push(
      tag === ''
        ? content
        : tag === 'del'
          ? html`<del class="old change">${content}</del>`
          : html`<ins class="new change">${content}</ins>`,
    )
  }
  for (const edit of edits) {
    add(old.slice(from, edit.from), '')
    add(old.slice(edit.from, edit.to), 'del')
    add(edit.tokens, 'ins')
    from = edit.to
  }
  add(old.slice(from), '')
  return html`<div class="lines">${parts}</div>`
}

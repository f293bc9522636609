/** Commands for marks. */
import { toggleMark } from 'prosemirror-commands'
import type { Attrs, Mark, MarkType } from 'prosemirror-model'
import type { Command, EditorState, Transaction } from 'prosemirror-state'
import type { HighlightColor } from '../../../markdown/block.ts'
import { schema } from '../model/editor-schema.ts'

const { marks } = schema

/** Marks the whole selection, unless all of it is marked. */
const toggle = (type: MarkType, attributes: Attrs | null = null): Command =>
  toggleMark(type, attributes, { includeWhitespace: type === marks.code, removeWhenPresent: false })

export const toggleBold = toggle(marks.bold)
export const toggleItalic = toggle(marks.italic)
export const toggleStrike = toggle(marks.strike)
export const toggleCode = toggle(marks.code)
export const toggleHighlight = toggle(marks.highlight, { color: 'yellow', isPair: true })

/** Highlights the selection in a color; undefined takes the highlight away. */
export const setHighlight =
  (color: HighlightColor | undefined): Command =>
  ({ tr, selection }, dispatch) => {
    if (selection.empty) return false
    for (const { $from, $to } of selection.ranges) {
      tr.removeMark($from.pos, $to.pos, marks.highlight)
      if (color !== undefined)
        tr.addMark($from.pos, $to.pos, marks.highlight.create({ color, isPair: color === 'yellow' }))
    }
    dispatch?.(tr)
    return true
  }

/** True if all of the selected words have the mark, or the next letter will have it. */
export function isMarked({ doc, selection, storedMarks }: EditorState, type: MarkType): boolean {
  const { from, to, $from, empty } = selection
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined
  let isAll = doc.rangeHasMark(from, to, type)
  doc.nodesBetween(from, to, (node, position) => {
    const { text = '' } = node
    const marked = text.slice(Math.max(0, from - position), to - position)
    if (marked.trim() !== '' && !type.isInSet(node.marks)) isAll = false
    return isAll
  })
  return isAll
}

/** Addresses that a link may have: those of pages, and of the space itself. None can run a script. */
export const isSafeAddress = (address: string): boolean =>
  /^(?:https?:|mailto:|tel:|[a-z][a-z0-9+.-]*:\/\/|\/(?!\/)|#)/i.test(address) &&
  !/^(?:javascript|data|vbscript):/i.test(address)

/** The address that somebody typed, such as `example.org`; undefined if it cannot be one. */
export function addressOf(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return undefined
  if (isSafeAddress(text)) return text
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`
  return /^[^\s/:]+\.[^\s/:]{2,}(?:[/:?#].*)?$/.test(text) ? `https://${text}` : undefined
}

/** The link around the caret or at the start of the selection, with its range. */
export function linkAround({ doc, selection }: EditorState): { mark: Mark; from: number; to: number } | undefined {
  const { $from } = selection
  const mark = marks.link.isInSet($from.marks()) ?? ($from.nodeAfter && marks.link.isInSet($from.nodeAfter.marks))
  if (!mark) return undefined
  let [from, to] = [$from.pos, $from.pos]
  const holds = (position: number) => {
    const node = doc.nodeAt(position)
    return node !== null && mark.isInSet(node.marks)
  }
  while (from > $from.start() && holds(from - 1)) from--
  while (to < $from.end() && holds(to)) to++
  return { mark, from, to }
}

/** Links the selection, or changes the link around the caret. @param url  empty to remove the link */
export function setLink(state: EditorState, url: string): Transaction {
  const { tr, selection } = state
  const { from, to } = selection.empty ? (linkAround(state) ?? selection) : selection
  tr.removeMark(from, to, marks.link)
  return url === '' ? tr : tr.addMark(from, to, marks.link.create({ url }))
}

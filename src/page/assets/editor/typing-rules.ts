/** What is typed as Markdown: kinds of blocks by their first characters, and marks around words. */
import { InputRule, inputRules } from 'prosemirror-inputrules'
import type { Attrs, MarkType } from 'prosemirror-model'
import type { EditorState, Plugin, Transaction } from 'prosemirror-state'
import { shortcutFor } from '../model/block-shortcuts.ts'
import { schema } from '../model/editor-schema.ts'
import { fieldsOfNode, isTextNode } from '../model/page-block.ts'
import { changeFields } from './block-fields.ts'
import { blockAround, numberAbove } from './block-place.ts'
import { isSafeAddress } from './text-marks.ts'

const { marks, nodes } = schema
/** Not within code. Undone by Backspace. */
const OPTIONS = { inCodeMark: false }

/** Typing `# ` at the start of a text makes it a heading. */
const kindRule = new InputRule(
  /^(?:#{1,4}|[-*+>]|\d{1,9}[.)]|\[[ xX]?\]) $/,
  (state, [typed], start, end) => {
    const place = blockAround(state.doc.resolve(start))
    if (!isTextNode(place.node) || place.pos + 1 !== start) return null
    const fields = fieldsOfNode(place.node)
    const { listStyle, textStyle, decorations } = fields
    const isBullet = listStyle === 'bullet'
    if (textStyle !== undefined || decorations?.quote || (listStyle !== undefined && !isBullet)) return null
    const found = shortcutFor(typed, numberAbove(state.doc, place), isBullet)
    if (found === undefined) return null
    const { indentationLevel, ...others } = fields
    const level = found.textStyle === undefined && indentationLevel ? { indentationLevel } : {}
    return changeFields(state.tr.delete(start, end), place, { ...others, ...level, ...found })
  },
  OPTIONS,
)

/** True if a backtick before a position waits for its partner. */
function isInTypedCode({ doc }: EditorState, position: number): boolean {
  const $position = doc.resolve(position)
  return $position.parent.textBetween(0, $position.parentOffset, '', '\ufffc').split('`').length % 2 === 0
}

/** Deletes the signs around what was matched. The last sign is typed right now, and not in the document yet. */
function unwrap(state: EditorState, inner: string, offset: number, start: number, end: number) {
  const from = start + offset
  // Several letters came at once, of which some are not in the document.
  if (from + inner.length > end) return undefined
  const tr = state.tr.delete(from + inner.length, end)
  if (from > start) tr.delete(start, from)
  return { tr, from: start, to: start + inner.length }
}

function markRule(pattern: RegExp, sign: string, type: MarkType, attributes: Attrs | null = null): InputRule {
  return new InputRule(
    pattern,
    (state, [, inner = ''], start, end) => {
      if (!state.doc.resolve(start).parent.type.allowsMarkType(type)) return null
      if (type !== marks.code && isInTypedCode(state, start)) return null
      const found = unwrap(state, inner, sign.length, start, end)
      if (found === undefined) return null
      const { tr, from, to } = found
      return tr.addMark(from, to, type.create(attributes)).removeStoredMark(type)
    },
    OPTIONS,
  )
}

const linkRule = new InputRule(
  /(?<!!)\[([^[\]]+)\]\(([^()\s]+)\)$/,
  (state, [, label = '', url = ''], start, end): Transaction | null => {
    if (!isSafeAddress(url) || !state.doc.resolve(start).parent.type.allowsMarkType(marks.link)) return null
    const found = unwrap(state, label, 1, start, end)
    if (found === undefined) return null
    const { tr, from, to } = found
    return tr.addMark(from, to, marks.link.create({ url })).removeStoredMark(marks.link)
  },
  OPTIONS,
)

const formulaRule = new InputRule(
  /(?<![$\\\w])\$([^\s$](?:[^$]*[^\s$\\])?)\$$/,
  (state, [, text = ''], start, end) => {
    const { parent } = state.doc.resolve(start)
    // An amount of money is no formula.
    if (parent.type.spec.code || /^\d[\d.,]*(?:\s|$)/.test(text) || text.includes('\ufffc')) return null
    return state.tr.replaceWith(start, end, nodes.formula.create({ text }))
  },
  OPTIONS,
)

const RULES: readonly InputRule[] = [
  kindRule,
  markRule(/(?<![*\\])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, '**', marks.bold),
  markRule(/(?<![*\\])\*([^\s*](?:[^*]*[^\s*])?)\*$/, '*', marks.italic),
  markRule(/(?<![_\\\p{L}\p{N}])_([^\s_](?:[^_]*[^\s_])?)_$/u, '_', marks.italic),
  markRule(/(?<![`\\])`([^`]+)`$/, '`', marks.code),
  markRule(/(?<![~\\])~~([^\s~](?:[^~]*[^\s~])?)~~$/, '~~', marks.strike),
  markRule(/(?<![=\\])==([^\s=](?:[^=]*[^\s=])?)==$/, '==', marks.highlight, { color: 'yellow', isPair: true }),
  linkRule,
  formulaRule,
]

export const typingRules = (): Plugin => inputRules({ rules: RULES })

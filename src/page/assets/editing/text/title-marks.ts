/**
 * The marks of a title while its plain text is edited. Marks follow the letters that they apply to. Text typed at their
 * edges has no marks, unless a key has turned them on.
 */
import {
  type ChangeDesc,
  ChangeSet,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import type { Title, TitleAttribute } from '../../../../markdown/inline-title.ts'

/** Marks that keys can turn on and off. */
export type KeyMark = 'bold' | 'italic' | 'code'

/** A mark that was added to letters, or removed from them. */
interface Marking {
  type: KeyMark
  isOn: boolean
  from: number
  to: number
}

interface Marks {
  decorations: DecorationSet
  /** What was typed and marked since the server's version of the title. */
  typed: ChangeSet
  marked: readonly Marking[]
  /** The marks to add to or remove from the letters that are typed next. */
  next: readonly Omit<Marking, 'from' | 'to'>[]
}

/** Sets the marks of the server's version of the title. Later typing and marking is kept. */
const setMarks = StateEffect.define<readonly TitleAttribute[]>()
/** Declares the current text to be the server's version. */
const setBase = StateEffect.define<null>()
/** Declares the current marks to be the server's version. */
const setSaved = StateEffect.define<null>()
const mark = StateEffect.define<Marking>()
const markNext = StateEffect.define<Marks['next']>()

const marks = StateField.define<Marks>({
  create: ({ doc }) => marksOf([], doc.length),
  update(before, transaction) {
    const { changes, effects, newDoc, docChanged, selection } = transaction
    let marks = { ...before, decorations: before.decorations.map(changes), typed: before.typed.compose(changes) }
    if (docChanged) marks.marked = marks.marked.flatMap((one) => movedMarking(one, changes))
    else if (selection !== undefined) marks.next = []
    for (const one of newMarkings(transaction, marks.next)) marks = withMarking(marks, one, newDoc.length)
    for (const effect of effects) {
      if (effect.is(setBase)) marks.typed = ChangeSet.empty(newDoc.length)
      if (effect.is(setSaved)) marks.marked = []
      if (effect.is(markNext)) marks.next = effect.value
      if (effect.is(setMarks)) {
        const { marked } = marks
        marks = { ...marks, marked: [], decorations: decorationsOf(effect.value).map(marks.typed) }
        for (const one of marked) marks = withMarking(marks, one, newDoc.length)
      }
    }
    return marks
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
})

const marksOf = (attributes: readonly TitleAttribute[], length: number): Marks => ({
  decorations: decorationsOf(attributes),
  typed: ChangeSet.empty(length),
  marked: [],
  next: [],
})

/** Sets up the marks of a title before anything is typed. */
export const titleMarks = (attributes: readonly TitleAttribute[]): Extension =>
  marks.init(({ doc }) => marksOf(attributes, doc.length))

/** Applies the server's version of a title: its marks, and its text if that replaces the current one. */
export const titleEffects = (attributes: readonly TitleAttribute[], isText: boolean): StateEffect<unknown>[] => [
  ...(isText ? [setBase.of(null)] : []),
  setMarks.of(attributes),
]

/** Records that the current title has been queued. */
export const titleSaved = (): StateEffect<unknown>[] => [setBase.of(null), setSaved.of(null)]

/**
 * Marks the selection, or removes the mark if all of it is marked. Without a selection, this applies to the text that
 * is typed next.
 */
export function toggleTitleMark(state: EditorState, type: KeyMark): TransactionSpec {
  const { from, to, empty } = state.selection.main
  const { attributes } = titleIn(state)
  if (!empty) return { effects: mark.of({ type, isOn: !isMarked(attributes, { type, from, to }), from, to }) }
  const { next } = state.field(marks)
  const isOn =
    next.find((one) => one.type === type)?.isOn ?? isMarked(attributes, { type, from: from - 1, to: from + 1 })
  return { effects: markNext.of([...next.filter((one) => one.type !== type), { type, isOn: !isOn }]) }
}

/** True if the whole range has a mark. */
function isMarked(attributes: readonly TitleAttribute[], { type, from, to }: Omit<Marking, 'isOn'>): boolean {
  let reached = from
  for (const { start, end } of attributes.filter((one) => one.type === type).sort((a, b) => a.start - b.start)) {
    if (start <= reached) reached = Math.max(reached, end)
  }
  return reached >= to
}

/** The marks that a transaction adds, including those that were turned on for typed letters. */
function newMarkings(transaction: Transaction, next: Marks['next']): Marking[] {
  const markings = transaction.effects.flatMap((effect) => (effect.is(mark) ? [effect.value] : []))
  if (!transaction.docChanged || !transaction.isUserEvent('input')) return markings
  transaction.changes.iterChangedRanges((_from, _to, from, to) => {
    if (from < to) markings.push(...next.map((one) => ({ ...one, from, to })))
  })
  return markings
}

function movedMarking(marking: Marking, changes: ChangeDesc): Marking[] {
  const [from, to] = [changes.mapPos(marking.from, 1), changes.mapPos(marking.to, -1)]
  return from < to ? [{ ...marking, from, to }] : []
}

function withMarking(marks: Marks, marking: Marking, length: number): Marks {
  const decorations = decorationsOf(markedAttributes(attributesIn(marks.decorations, length), marking))
  const last = marks.marked.at(-1)
  // Merge adjacent markings, as they arise while typing.
  const isNext = last?.type === marking.type && last.isOn === marking.isOn && last.to === marking.from
  const marked = isNext ? [...marks.marked.slice(0, -1), { ...last, to: marking.to }] : [...marks.marked, marking]
  return { ...marks, decorations, marked }
}

function markedAttributes(
  attributes: readonly TitleAttribute[],
  { type, isOn, from, to }: Marking,
): readonly TitleAttribute[] {
  const [same, others] = [true, false].map((is) => attributes.filter((one) => (one.type === type) === is))
  const apart = (same ?? []).flatMap((one) =>
    isOn && one.start <= to && from <= one.end
      ? []
      : [
          { ...one, end: Math.min(one.end, from) },
          { ...one, start: Math.max(one.start, to) },
        ].filter(({ start, end }) => start < end),
  )
  if (!isOn) return [...(others ?? []), ...apart]
  const joined = (same ?? []).filter(({ start, end }) => start <= to && from <= end)
  const start = Math.min(from, ...joined.map((one) => one.start))
  const end = Math.max(to, ...joined.map((one) => one.end))
  return [...(others ?? []), ...apart, { type, start, end }]
}

/** The title that the editor contains. */
export const titleIn = (state: EditorState): Title => ({
  value: state.doc.toString(),
  attributes: attributesIn(state.field(marks).decorations, state.doc.length),
})

function attributesIn(decorations: DecorationSet, length: number): TitleAttribute[] {
  const attributes: TitleAttribute[] = []
  decorations.between(0, length, (start, end, { spec }) => {
    if (start < end) attributes.push({ ...(spec.attribute as TitleAttribute), start, end })
  })
  return attributes
}

/** True if two titles look the same. */
export const isSameTitle = (one: Title, other: Title): boolean =>
  one.value === other.value && marksText(one) === marksText(other)

const marksText = ({ attributes }: Title): string =>
  attributes
    .map((attribute) => JSON.stringify(Object.entries(attribute).sort()))
    .sort()
    .join()

/** The changes that put a text on one line and trim it. */
export function onOneLine(text: string): { from: number; to: number; insert: string }[] {
  return [...text.matchAll(/\s+/g)].flatMap(({ 0: space, index }) => {
    const [from, to] = [index, index + space.length]
    const insert = from === 0 || to === text.length ? '' : ' '
    return space === insert ? [] : [{ from, to, insert }]
  })
}

const decorationsOf = (attributes: readonly TitleAttribute[]): DecorationSet =>
  Decoration.set(
    attributes.map((attribute) => {
      const { tag, className } = appearanceOf(attribute)
      const look = tag === undefined ? { class: className ?? '' } : { tagName: tag }
      return Decoration.mark({ ...look, attribute }).range(attribute.start, attribute.end)
    }),
    true,
  )

const APPEARANCES: Readonly<Record<TitleAttribute['type'], { tag?: string; className?: string }>> = {
  bold: { tag: 'strong' },
  italic: { tag: 'em' },
  strikethrough: { tag: 's' },
  code: { tag: 'code' },
  highlight: { tag: 'mark' },
  formula: { className: 'md-formula' },
  commentMarker: { className: 'commented' },
  link: { className: 'md-link' },
  blockLink: { className: 'md-link' },
  dateLink: { className: 'md-link' },
}

/** The element or class that renders a mark. */
export const appearanceOf = ({ type }: TitleAttribute): { tag?: string; className?: string } => APPEARANCES[type]

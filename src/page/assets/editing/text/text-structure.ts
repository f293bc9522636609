/** Splits, joins, indents and outdents blocks of text. */

import type { EditorView } from '@codemirror/view'
import { continueDecorations } from '../../../../markdown/callout-levels.ts'
import { nestedLevels, placeOf } from '../../model/block-levels.ts'
import { type Fields, markdownFor } from '../../model/block-text.ts'
import type { BlockPosition } from '../../model/page-step.ts'
import {
  applyFields,
  blockId,
  blocksIn,
  editableTextOf,
  fieldsOf,
  hasEditableText,
  isLineOfText,
  levelOf,
  nextBlock,
  previousBlock,
  renumber,
  runsOf,
  textHost,
  withNested,
} from '../blocks/block-element.ts'
import { announce } from '../blocks/edited-page.ts'
import { textNodes } from '../blocks/inline-styles.ts'
import { deleteSteps } from '../changes/delete-steps.ts'
import type { PageWriter } from '../changes/page-writer.ts'
import type { CaretPlace } from './inline-editor.ts'

/** The edited text, and operations on it. */
export interface OpenText {
  readonly writer: PageWriter
  readonly element: HTMLElement | undefined
  /** The current text, and the text that was sent last. */
  readonly words: string
  readonly sentText: string | undefined
  open(element: HTMLElement, place: CaretPlace): void
  close(): void
  flush(): void
  /** Removes the caret without rendering the block. */
  stopEditing(): void
  /** Records that this text of the edited block has been queued. */
  markQueued(words: string): void
  setFields(fields: Fields, words?: string): void
  /** Adds an empty block at a position, and moves the caret there. */
  add(position: BlockPosition, fields?: Fields): void
  onLeave: (element: HTMLElement) => void
}

/** Enter: moves the text after the caret to a new block. */
export function splitBlock(editor: OpenText, view: EditorView): void {
  const element = editor.element
  if (element === undefined) return
  const fields = fieldsOf(element)
  const { from, to } = view.state.selection.main
  const text = editor.words
  if (text === '' && (fields.listStyle !== undefined || fields.decorations !== undefined)) {
    // An empty list item ends its list.
    if (fields.indentationLevel) {
      nestBlocks(editor, [element], -1)
      return
    }
    editor.setFields({ type: 'text' })
    return
  }
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const { textStyle, taskInfo, number: _number, ...others } = fields
  const isHeading = textStyle !== undefined
  const next: Fields = {
    ...(isHeading ? { type: 'text' } : others),
    ...(others.decorations && { decorations: continueDecorations(others.decorations) }),
    ...(taskInfo && { taskInfo: { state: 'todo' } }),
  }
  if (before === '' && after !== '') {
    // Above the beginning of a callout is outside of it.
    if (JSON.stringify(fields).includes('"starts"')) delete next.decorations?.callout
    addBefore(editor, element, next)
    return
  }
  const change = before === editor.sentText ? [] : [editor.writer.textStep(element, fields, before)]
  editor.markQueued(before)
  const { step, element: added } = editor.writer.addStep(
    { position: 'after', siblingId: blockId(element) },
    next,
    after,
  )
  editor.writer.write(...change, step)
  editor.open(added, { offset: 0 })
}

/** Adds an empty block above a text with the caret at its start. */
function addBefore(editor: OpenText, element: HTMLElement, fields: Fields): void {
  editor.flush()
  editor.writer.write(editor.writer.addStep({ position: 'before', siblingId: blockId(element) }, fields, '').step)
}

/**
 * Backspace at the start of a block: first resets its kind, then outdents it, then joins it with the previous block.
 */
export function joinBefore(editor: OpenText): boolean {
  const element = editor.element
  if (element === undefined) return false
  const fields = fieldsOf(element)
  if (fields.listStyle !== undefined || fields.textStyle !== undefined || fields.decorations !== undefined) {
    const { indentationLevel } = fields
    editor.setFields({ type: 'text', ...(indentationLevel && { indentationLevel }) })
    return true
  }
  if (fields.indentationLevel) {
    nestBlocks(editor, [element], -1)
    return true
  }
  const before = previousBlock(element)
  if (before === undefined) return true
  if (isLineOfText(before)) join(editor, before, element)
  else if (editor.words === '') {
    remove(editor, element)
    editor.onLeave(before)
  } else {
    editor.close()
    editor.onLeave(before)
  }
  return true
}

/** Delete at the end of a block. */
export function joinAfter(editor: OpenText): boolean {
  const element = editor.element
  const after = element && nextBlock(element)
  if (element === undefined || after === undefined || !isLineOfText(after)) return false
  join(editor, element, after)
  return true
}

/**
 * Joins two blocks. If others have changed the second one in the meantime, the call is refused, so that nothing is
 * lost.
 */
function join(editor: OpenText, first: HTMLElement, second: HTMLElement): void {
  if ([first, second].some((element) => editor.writer.store.conflict(blockId(element)) !== undefined)) {
    announce('This block has two versions. Choose one first.')
    return
  }
  const textOf = (element: HTMLElement) => (element === editor.element ? editor.words : editableTextOf(element))
  const [one, other] = [textOf(first), textOf(second)]
  editor.flush()
  editor.stopEditing()
  const step = editor.writer.textStep(first, fieldsOf(first), one + other)
  const steps = other === '' && one !== '' ? [] : [step]
  if (steps.length === 0) first.dataset.markdown = markdownFor(fieldsOf(first), one)
  editor.writer.write(...steps, ...deleteSteps([second]))
  second.remove()
  renumber(editor.writer.page.article)
  const host = textHost(first)
  if (one + other !== one) host?.replaceChildren(...textNodes(one + other))
  editor.open(first, { offset: one.length })
}

function remove(editor: OpenText, element: HTMLElement): void {
  editor.stopEditing()
  editor.writer.write(...deleteSteps([element]))
  element.remove()
  renumber(editor.writer.page.article)
}

/** Indents or outdents blocks with everything nested below them. They need not be consecutive. */
export function nestBlocks(editor: OpenText, elements: readonly HTMLElement[], by: -1 | 1): void {
  editor.flush()
  const blocks = runsOf([...new Set(elements.flatMap(withNested))]).flatMap((run) => {
    const [first] = run
    const before = first && previousBlock(first)
    const levels = run.map(levelOf)
    const nested = nestedLevels({ before: before && levelOf(before), levels }, by)
    return run.flatMap((element, index) => {
      const indentationLevel = nested[index] ?? 0
      if (indentationLevel === levels[index]) return []
      const words = element === editor.element ? editor.words : editableTextOf(element)
      const fields = { ...fieldsOf(element), indentationLevel }
      applyFields(element, fields)
      element.dataset.markdown = markdownFor(fields, words)
      return [{ id: blockId(element), ...placeOf(fields) }]
    })
  })
  if (blocks.length === 0) return
  editor.writer.write({ tool: 'blocks_update', arguments: { blocks, answer: 'ids' } })
  renumber(editor.writer.page.article)
}

/** Adds a block again that others deleted while someone was typing in it, with its current text. */
export function reviveBlock(editor: OpenText): void {
  const { element, words, writer } = editor
  if (element === undefined) return
  const before = previousBlock(element)
  editor.markQueued(words)
  writer.addAgain(
    element,
    words,
    before === undefined
      ? { position: 'start', pageId: writer.page.pageId }
      : { position: 'after', siblingId: blockId(before) },
  )
}

/** The edited block was deleted. */
export function discardBlock(editor: OpenText): void {
  const before = editor.element && previousBlock(editor.element)
  editor.stopEditing()
  if (before !== undefined && hasEditableText(before)) editor.open(before, { offset: Number.MAX_SAFE_INTEGER })
}

/** Moves the caret to the empty block at the end of the page, which is added if necessary. */
export function addAtEnd(editor: OpenText): void {
  const { article, pageId } = editor.writer.page
  const last = blocksIn(article).at(-1)
  if (last !== undefined && isLineOfText(last) && editableTextOf(last) === '') editor.open(last, { offset: 0 })
  else editor.add(last === undefined ? { position: 'end', pageId } : { position: 'after', siblingId: blockId(last) })
}

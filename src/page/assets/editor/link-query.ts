/** What opens the menu of links in a text. */
import type { EditorState } from 'prosemirror-state'
import { type TypedQuery, typedBefore } from './suggestion-menu.ts'

const BRACKETS = /(\[\[)([^[\]\n\ufffc]{0,60})$/
/** At the start or after a space or bracket, so that addresses of mail open no menu, nor does `@ 5 pm`. */
const AT = /(?:^|(?<=[\s\ufffc([{]))(@)((?!\s)[^[\]@\n\ufffc]{0,40})$/

/** Finds `[[` or `@` before the caret, and what is typed after it. */
export const linkBefore = (state: EditorState): TypedQuery | undefined =>
  typedBefore(state, BRACKETS) ?? typedBefore(state, AT)

/** True if what was typed may be the title of a new document. */
export const makesDocument = (state: EditorState): boolean => typedBefore(state, BRACKETS) !== undefined

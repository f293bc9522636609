/**
 * Replaces `@codemirror/language` in the scripts of the pages (scripts/page-scripts.ts). CodeMirror's commands ask it for
 * the indentation that a grammar gives. Texts of the pages have no grammar, so these are its answers without one. The
 * package itself contains parsers and styles that would never be used.
 */
import { countColumn, type EditorState, Facet } from '@codemirror/state'
import { Tree } from '@lezer/common'

const INDENT_UNIT = '  '

export const indentUnit: Facet<string, string> = Facet.define({ combine: () => INDENT_UNIT })
export const getIndentUnit = (_state: EditorState): number => INDENT_UNIT.length
/** Spaces up to a column. */
export const indentString = (_state: EditorState, columns: number): string => ' '.repeat(columns)
export const syntaxTree = (_state: EditorState): Tree => Tree.empty
/** Null leaves the indentation as it is. An empty tree covers position 0, where it gives none. */
export const getIndentation = (_context: IndentContext, position: number): 0 | null => (position === 0 ? 0 : null)
/** Imported by commands that no key of the pages calls. */
export const matchBrackets = undefined

export class IndentContext {
  readonly #state: EditorState

  constructor(state: EditorState) {
    this.#state = state
  }

  /** The column of the first character in the line of a position that is no space. */
  lineIndent(position: number): number {
    const { text } = this.#state.doc.lineAt(position)
    return countColumn(text, this.#state.tabSize, text.search(/\S|$/))
  }
}

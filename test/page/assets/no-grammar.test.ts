/** What the scripts of the pages have in place of CodeMirror's grammars answers as these do for a text without one. */
import * as language from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as noGrammar from '../../../src/page/assets/editing/text/no-grammar.ts'

const TEXTS = fc.array(fc.constantFrom(' ', '\t', '\n', '{', '}', '(', ')', 'a'), { maxLength: 40 })

test('the answers are those for a text without a grammar', () => {
  fc.assert(
    fc.property(TEXTS, fc.nat(), (parts, number) => {
      const state = EditorState.create({ doc: parts.join('') })
      const position = number % (state.doc.length + 1)
      const line = state.doc.lineAt(position).from
      const answersOf = ({ IndentContext, ...one }: typeof language | typeof noGrammar) => {
        // CodeMirror asks for a line where a break is simulated after a bracket.
        const context = new IndentContext(state, { simulateBreak: position })
        const isAfterText = position > line && state.sliceDoc(line, position).trim() !== ''
        return {
          unit: [one.getIndentUnit(state), state.facet(one.indentUnit)],
          string: one.indentString(state, number % 20),
          indentation: one.getIndentation(context as never, position),
          line: isAfterText ? context.lineIndent(line, -1) : undefined,
          tree: one.syntaxTree(state),
        }
      }
      expect(answersOf(noGrammar)).toEqual(answersOf(language))
    }),
  )
})

/** Decorations of a text with words that a suggestion strikes or inserts. */
import type { Node } from 'prosemirror-model'
import { StepMap } from 'prosemirror-transform'
import { Decoration } from 'prosemirror-view'
import type { DrawnRun } from '../../blocks/drawn-block.ts'
import { readContent } from '../model/inline-nodes.ts'

/**
 * The suggestion of others in a text that is edited: struck words of the text, and inserted ones beside it.
 *
 * @param node  the block @param position  where it begins
 * @param text  the inline Markdown for which the suggestion was made. Where the text of the block is another by now, the
 *   words have moved
 */
export function marksOf(
  node: Node,
  position: number,
  { text, tone, runs }: { text: string; tone: number; runs: readonly DrawnRun[] },
): Decoration[] {
  const moved = changeBetween(text, node)
  const at = (offset: number, side: -1 | 1) => position + 1 + moved.map(offset, side)
  const marks: Decoration[] = []
  let offset = 0
  for (const [index, { sign, size, html }] of runs.entries()) {
    if (sign === '+') {
      const key = `+${tone} ${index} ${html}`
      marks.push(Decoration.widget(at(offset, 1), () => insertedElement(html ?? '', tone), { ...BESIDE, key }))
      continue
    }
    const [from, to] = [at(offset, 1), at(offset + size, -1)]
    if (sign === '-' && from < to) marks.push(Decoration.inline(from, to, { nodeName: 'del', class: `old by-${tone}` }))
    offset += size
  }
  return marks
}

/** After the caret, so that what is typed there stands before it. Nothing in it is text of the editor. */
export const BESIDE = { side: 1, ignoreSelection: true, marks: [], stopEvent: () => true } as const

function insertedElement(html: string, tone: number): HTMLElement {
  const template = document.createElement('template')
  template.innerHTML = html
  const element = template.content.firstElementChild as HTMLElement
  element.classList.add(`by-${tone}`)
  element.contentEditable = 'false'
  return element
}

/** Where positions of a text are in what it has become. */
function changeBetween(text: string, { content }: Node): StepMap {
  const before = readContent(text)
  const start = before.findDiffStart(content)
  const end = start === null ? null : before.findDiffEnd(content)
  if (start === null || end === null) return StepMap.empty
  // Both ends may meet within repeated letters.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  return new StepMap([start, end.a + overlap - start, end.b + overlap - start])
}

/**
 * What the look of a block takes from others: the numbers of list items, the levels of headings, callouts that go on,
 * and what folded toggles hide. None of it is part of the document.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { sharedCallouts } from '../../../markdown/callout-levels.ts'
import { itemLabel, ListNumbers } from '../../../markdown/list-numbers.ts'
import { calloutClasses } from '../../blocks/callout-classes.ts'
import { HeadingLevels } from '../../blocks/heading-levels.ts'
import { fieldsOfNode } from '../model/page-block.ts'
import { levelOfNode } from './block-place.ts'

interface Outline {
  decorations: DecorationSet
  /** The IDs of toggles that are folded. */
  folded: ReadonlySet<string>
}

const key = new PluginKey<Outline>('outline')

export const blockOutline = (): Plugin<Outline> =>
  new Plugin<Outline>({
    key,
    state: {
      init: (_, { doc }) => ({ decorations: decorationsOf(doc, new Set()), folded: new Set() }),
      apply(transaction, outline, { doc: before }, { doc }) {
        const folded: ReadonlySet<string> = transaction.getMeta(key) ?? outline.folded
        if (folded === outline.folded && !transaction.docChanged) return outline
        const isSame = folded === outline.folded && hasSameOutline(before, doc)
        const decorations = isSame ? outline.decorations.map(transaction.mapping, doc) : decorationsOf(doc, folded)
        return { decorations, folded }
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  })

/** Folds a toggle, or unfolds it. */
export function toggleFold(state: EditorState, id: string): Transaction {
  const folded = new Set(key.getState(state)?.folded)
  if (!folded.delete(id)) folded.add(id)
  return state.tr.setMeta(key, folded).setMeta('addToHistory', false)
}

function hasSameOutline(before: Node, after: Node): boolean {
  if (before.childCount !== after.childCount) return false
  for (let index = 0; index < after.childCount; index++) {
    const [old, now] = [before.child(index), after.child(index)]
    if (old === now) continue
    if (old.type !== now.type || old.attrs.id !== now.attrs.id || old.attrs.fields !== now.attrs.fields) return false
  }
  return true
}

/** The tag of a heading, for the view of its block. */
export const headingTagIn = (decorations: readonly Decoration[]): string | undefined =>
  decorations.find(({ spec }) => spec.heading !== undefined)?.spec.heading

function decorationsOf(doc: Node, folded: ReadonlySet<string>): DecorationSet {
  const numbers = new ListNumbers()
  const headings = new HeadingLevels()
  const decorations: Decoration[] = []
  /** The level of the folded toggle that hides the next blocks. */
  let hiddenBelow: number | undefined
  let before: Node | undefined
  doc.forEach((node, position) => {
    const fields = fieldsOfNode(node)
    const level = levelOfNode(node)
    const attributes: Record<string, string> = {}
    const isNumbered = fields.listStyle === 'numbered'
    const item = numbers.next({ level, isNumbered, number: isNumbered ? fields.number : undefined })
    if (item !== undefined) attributes['data-number'] = itemLabel(level, item)
    if (hiddenBelow !== undefined && level > hiddenBelow) attributes.hidden = ''
    else hiddenBelow = undefined
    const isFolded = fields.listStyle === 'toggle' && folded.has(String(node.attrs.id))
    if (isFolded) hiddenBelow ??= level
    const classes = isFolded ? ['folded'] : []
    if (fields.decorations?.callout !== undefined) {
      const above = before && fieldsOfNode(before)
      classes.push(...calloutClasses(above, fields))
      const shared = sharedCallouts(above, fields)
      if (shared > 0) attributes['data-goes-on'] = String(shared)
    }
    if (classes.length > 0) attributes.class = classes.join(' ')
    const style = fields.listStyle === undefined ? /^h([1-4])$/.exec(fields.textStyle ?? '')?.[1] : undefined
    const heading = style === undefined ? undefined : `h${headings.next(Number(style))}`
    if (heading !== undefined || Object.keys(attributes).length > 0)
      decorations.push(Decoration.node(position, position + node.nodeSize, attributes, { heading }))
    before = node
  })
  return DecorationSet.create(doc, decorations)
}

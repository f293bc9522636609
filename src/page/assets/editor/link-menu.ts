/** The menu that `[[` and `@` open in a text: links to documents, days, and blocks of this document. */
import type { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { matchRank } from '../../../base/title-match.ts'
import { BLOCK_SCHEME } from '../../../markdown/addresses.ts'
import type { LinkTarget } from '../../link-target.ts'
import { announce } from '../announcement.ts'
import { calls } from '../calls.ts'
import { schema } from '../model/editor-schema.ts'
import { idOf, isTextNode } from '../model/page-block.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import { isName } from '../unsent/placeholders.ts'
import { linkBefore, makesDocument } from './link-query.ts'
import { type Suggestion, suggestionMenu, type TypedQuery } from './suggestion-menu.ts'

const BLOCKS_SHOWN = 4
/** Characters of a block in the menu, and in the text of a link. */
const BLOCK_LENGTH = 60

/** @param base  the base address of the space's pages */
export const linkMenu = (base: string): Plugin =>
  suggestionMenu({
    id: 'links-to',
    label: text('Link to'),
    match: linkBefore,
    find: (query, view) => find(query, view, base),
  })

async function find(query: string, view: EditorView, base: string): Promise<readonly Suggestion[]> {
  const wanted = query.trim()
  const response = await fetch(`${base}/targets?${new URLSearchParams({ q: wanted })}`)
  if (!response.ok) return []
  const targets = (await response.json()) as LinkTarget[]
  const suggestions = [...targets, ...blocksWith(wanted, view)].map(
    ({ url, title, about }): Suggestion => ({
      name: title,
      hint: about,
      choose: (opened, typed) => insertLink(opened, typed, { url, title }),
    }),
  )
  const isThere = targets.some(({ title }) => title.toLowerCase() === wanted.toLowerCase())
  // After `@` may stand any text, and Enter ends its line.
  if (wanted === '' || isThere || !makesDocument(view.state)) return suggestions
  return [...suggestions, newDocument(wanted)]
}

/** Blocks of this document with the words that were typed, without the one with the caret. */
function blocksWith(query: string, { state }: EditorView): LinkTarget[] {
  if (query === '') return []
  const own = state.selection.$from.node(1)
  return state.doc.content.content
    .filter((node) => node !== own && isTextNode(node) && !isName(idOf(node)))
    .flatMap((node) => {
      const text = node.textContent.trim()
      return text !== '' && matchRank(text, query) !== undefined ? [{ id: idOf(node), text }] : []
    })
    .slice(0, BLOCKS_SHOWN)
    .map(({ id, text: content }) => {
      const title = content.length > BLOCK_LENGTH ? `${content.slice(0, BLOCK_LENGTH - 1)}…` : content
      return { url: `${BLOCK_SCHEME}${id}`, title, about: text('in this document') }
    })
}

const newDocument = (query: string): Suggestion => ({
  name: text('New document “{query}”', { query }),
  choose(view, typed) {
    // More may have been typed since the menu was shown.
    const title = typed.query.trim()
    // The text stays until the document is there.
    view.dispatch(view.state.tr.insertText(title, typed.from, typed.to))
    const { from } = typed
    inBackground(async () => {
      const answer = await calls.make<{ items: { id: string }[] }>({
        tool: 'documents_add',
        arguments: { documents: [{ title }] },
      })
      const [added] = answer.items
      if (added === undefined) return
      linkText(view, from, title, `${BLOCK_SCHEME}${added.id}`)
      announce(text('Made the document “{title}”', { title }))
    })
  },
})

function insertLink(
  view: EditorView,
  { from, to }: TypedQuery,
  { url, title }: Pick<LinkTarget, 'url' | 'title'>,
): void {
  const { tr } = view.state
  const link = schema.text(title, [schema.marks.link.create({ url })])
  view.dispatch(
    tr
      .replaceWith(from, to, [link, schema.text(' ')])
      .removeStoredMark(schema.marks.link)
      .scrollIntoView(),
  )
}

/** Links a text that was inserted before, if it is still there. */
function linkText(view: EditorView, from: number, title: string, url: string): void {
  const { doc, tr } = view.state
  const places = [from]
  doc.descendants((node, position) => {
    const at = node.text?.indexOf(title) ?? -1
    if (at >= 0) places.push(position + at)
  })
  const place = places.find(
    (one) => one + title.length <= doc.content.size && doc.textBetween(one, one + title.length) === title,
  )
  if (place !== undefined) view.dispatch(tr.addMark(place, place + title.length, schema.marks.link.create({ url })))
}

/** The menu that `/` opens in a text: changes the kind of the block, or inserts one. */
import { type EditorState, Plugin, Selection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isTextNode, nodeOf } from '../model/page-block.ts'
import { setKind } from './block-fields.ts'
import { blockAround, endOf } from './block-place.ts'
import { type InsertedKind, kindsFor, type SlashKind } from './slash-kinds.ts'
import { emptyText } from './split-blocks.ts'

/** @param onInsert  adds what the page makes by a call of its own, after the block with this ID */
export function slashMenu(onInsert: (kind: InsertedKind, after: string) => void): Plugin {
  const menu = document.createElement('div')
  menu.className = 'kinds'
  menu.id = 'kinds'
  menu.setAttribute('role', 'listbox')
  menu.setAttribute('aria-label', 'Kinds of blocks')
  menu.hidden = true
  // The arrow keys of the text choose an option. Since the menu may scroll, it must also be reachable by Tab.
  menu.tabIndex = 0
  let shown: SlashKind[] = []
  let chosen = 0
  const close = (view: EditorView) => {
    menu.hidden = true
    view.dom.removeAttribute('aria-activedescendant')
  }
  const choose = (view: EditorView, kind: SlashKind) => {
    close(view)
    const found = slashBefore(view.state)
    if (found === undefined) return
    view.dispatch(view.state.tr.delete(found.from, found.to))
    if (kind.fields !== undefined) setKind(kind.fields)(view.state, view.dispatch)
    else if (kind.block !== undefined) view.dispatch(insertBlock(view.state, kind.block))
    else if (kind.inserts !== undefined)
      onInsert(kind.inserts, String(blockAround(view.state.selection.$from).node.attrs.id))
    view.focus()
  }
  const draw = (view: EditorView) => {
    menu.replaceChildren(
      ...shown.map((kind, index) => optionOf(kind, index, index === chosen, () => choose(view, kind))),
    )
    menu.hidden = false
    menu.children[chosen]?.scrollIntoView({ block: 'nearest' })
    view.dom.setAttribute('aria-activedescendant', `kind-${chosen}`)
    placeAtCaret(view, menu)
  }
  return new Plugin({
    view(view) {
      document.getElementById('main')?.append(menu)
      const hide = () => close(view)
      window.addEventListener('scroll', hide, { passive: true })
      return {
        update(_, before) {
          if (before.doc === view.state.doc && before.selection.eq(view.state.selection)) return
          const found = before.doc === view.state.doc && menu.hidden ? undefined : slashBefore(view.state)
          shown = found === undefined ? [] : kindsFor(found.query)
          chosen = 0
          if (shown.length === 0) close(view)
          else draw(view)
        },
        destroy() {
          window.removeEventListener('scroll', hide)
          menu.remove()
        },
      }
    },
    props: {
      handleKeyDown(view, event) {
        const kind = shown[chosen]
        if (menu.hidden || kind === undefined || view.composing || event.isComposing) return false
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          chosen = (chosen + (event.key === 'ArrowDown' ? 1 : -1) + shown.length) % shown.length
          draw(view)
        } else if (event.key === 'Enter' || event.key === 'Tab') choose(view, kind)
        else if (event.key === 'Escape') close(view)
        else return false
        return true
      },
      handleDOMEvents: {
        blur(view, { relatedTarget }) {
          if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) close(view)
        },
      },
    },
  })
}

function optionOf(
  { name, icon, hint = '', keys = '' }: SlashKind,
  index: number,
  isChosen: boolean,
  choose: () => void,
) {
  const option = document.createElement('div')
  option.id = `kind-${index}`
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', String(isChosen))
  const part = (className: string, textContent: string) =>
    Object.assign(document.createElement('span'), { className, textContent })
  const sign = part('icon', icon)
  sign.setAttribute('aria-hidden', 'true')
  option.append(sign, part('name', name))
  if (hint !== '') option.append(' ', part('hint', hint))
  if (keys !== '') option.append(' ', part('keys', keys))
  // Keeps the caret in the text.
  option.addEventListener('pointerdown', (event) => event.preventDefault())
  option.addEventListener('click', choose)
  return option
}

/** Places a box below the caret, or above it where there is no room. */
export function placeAtCaret(view: EditorView, box: HTMLElement): void {
  const caret = view.coordsAtPos(view.state.selection.head)
  const isBelow = caret.bottom + box.offsetHeight + 8 < innerHeight
  box.style.top = `${isBelow ? caret.bottom + 4 : Math.max(8, caret.top - box.offsetHeight - 4)}px`
  box.style.left = `${Math.max(8, Math.min(caret.left, innerWidth - box.offsetWidth - 8))}px`
}

/** Finds `/` at the start or after a space, and the letters between it and the caret. */
export function slashBefore({ selection }: EditorState): { from: number; to: number; query: string } | undefined {
  const { $from, empty } = selection
  if (!empty || !isTextNode($from.parent)) return undefined
  const before = $from.parent.textBetween(0, $from.parentOffset, '', '\ufffc')
  const query = /(?:^|[\s\ufffc])\/([\p{L}\d ]{0,20})$/u.exec(before)?.[1]
  return query === undefined ? undefined : { from: $from.pos - query.length - 1, to: $from.pos, query }
}

/** Inserts a block below the one with the caret, or in place of an empty one. */
export function insertBlock(state: EditorState, { fields, markdown }: NonNullable<SlashKind['block']>): Transaction {
  const place = blockAround(state.selection.$from)
  const { tr } = state
  const node = nodeOf({ id: '', fields, markdown })
  const isEmpty = place.node.content.size === 0
  const at = isEmpty ? place.pos : endOf(place)
  const added =
    node.isAtom && at + (isEmpty ? place.node.nodeSize : 0) >= state.doc.content.size ? [node, emptyText()] : [node]
  tr.replaceWith(at, isEmpty ? endOf(place) : at, added)
  const inside = node.isAtom ? at + node.nodeSize : at
  return tr.setSelection(Selection.near(tr.doc.resolve(inside + 1), 1)).scrollIntoView()
}

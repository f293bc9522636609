/**
 * Copy, cut and paste. What was copied in this tab is pasted with all that belongs to its blocks. What comes from
 * elsewhere is passed on.
 */
import { Fragment, Slice } from 'prosemirror-model'
import { type EditorState, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { announce } from '../announcement.ts'
import { fieldsOfNode, isEditedHere } from '../model/page-block.ts'
import { text } from '../page-text.ts'
import { randomHex } from '../session-name.ts'
import { copyOf } from './block-element.ts'
import { type BlockPlace, blockAround, endOf, selectedBlocks, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { BlockSerializer, markdownOfSlice } from './copied-blocks.ts'
import { removePlaces } from './split-blocks.ts'

const TOKEN_BYTES = 12

/** What was copied last in this tab. The token in the clipboard says that it is still there. */
let copied: { token: string; slice: Slice } | undefined

/** @param onPaste  takes what comes from elsewhere. @returns false to insert it as plain text */
export function blockClipboard(onPaste: (data: DataTransfer, view: EditorView) => boolean): Plugin {
  const serializer = new BlockSerializer()
  const copy = (view: EditorView, event: ClipboardEvent): boolean => {
    const { clipboardData } = event
    if (clipboardData === null || view.state.selection.empty || isOutside(view, event)) return false
    const slice = selectedSlice(view)
    const host = document.createElement('div')
    host.append(serializer.serializeFragment(partOf(slice)))
    const token = randomHex(TOKEN_BYTES)
    host.firstElementChild?.setAttribute('data-copied', token)
    copied = { token, slice: withDetails(view, slice) }
    clipboardData.setData('text/plain', markdownOfSlice(slice))
    clipboardData.setData('text/html', host.innerHTML)
    event.preventDefault()
    return true
  }
  return new Plugin({
    props: {
      clipboardSerializer: serializer,
      clipboardTextSerializer: markdownOfSlice,
      handleDOMEvents: {
        copy,
        cut(view, event) {
          if (!copy(view, event)) return false
          cutSelection(view)
          return true
        },
      },
      handlePaste(view, event) {
        const { clipboardData } = event
        if (clipboardData === null) return false
        const html = clipboardData.getData('text/html')
        if (copied !== undefined && html.includes(`data-copied="${copied.token}"`)) return pasteOwn(view, copied.slice)
        if (onPaste(clipboardData, view)) return true
        const text = clipboardData.getData('text/plain')
        if (text !== '') view.dispatch(view.state.tr.insertText(text).scrollIntoView().setMeta('paste', true))
        return true
      },
      // What is dragged within the text becomes new blocks, and so do copies.
      transformPasted: withoutIds,
    },
  })
}

/** True if the event is in a field or a collection within the editor. */
const isOutside = (view: EditorView, { target }: Event): boolean =>
  target instanceof Element && view.dom.contains(target) && target.closest('input, textarea, [data-items]') !== null

/** A selection of whole blocks includes what is nested below them. */
export function selectedSlice({ state }: EditorView): Slice {
  if (!(state.selection instanceof BlockRange)) return state.selection.content()
  return new Slice(Fragment.fromArray(selectedPlaces(state).map(({ node }) => node)), 0, 0)
}

const selectedPlaces = (state: EditorState): BlockPlace[] =>
  state.selection instanceof BlockRange ? withNested(state.doc, selectedBlocks(state)) : selectedBlocks(state)

/** Blocks that are selected as a whole keep what stands beside their text. */
function withDetails(view: EditorView, slice: Slice): Slice {
  const { selection } = view.state
  const places = selectedPlaces(view.state)
  const isWhole = ({ pos, node }: BlockPlace) =>
    selection instanceof BlockRange || (selection.from <= pos + 1 && selection.to >= pos + node.nodeSize - 1)
  const nodes = slice.content.content.map((node, index) => {
    const place = places[index]
    return place !== undefined && isWhole(place) ? copyOf(view, place) : node
  })
  return new Slice(Fragment.fromArray(nodes), slice.openStart, slice.openEnd)
}

/** A part of one text is copied without its block. */
const partOf = ({ content, openStart }: Slice): Fragment =>
  content.childCount === 1 && openStart > 0 && content.firstChild?.isTextblock ? content.firstChild.content : content

function cutSelection(view: EditorView): void {
  const { state } = view
  const { selection, tr } = state
  if (!(selection instanceof BlockRange)) {
    view.dispatch(tr.deleteSelection().scrollIntoView())
    return
  }
  const places = selectedPlaces(state)
  const hasOpened = places.some(({ node }) => {
    const fields = fieldsOfNode(node)
    return !isEditedHere(fields) && ['page', 'whiteboard', 'collection', 'text'].includes(fields.type)
  })
  if (hasOpened) announce(text('Copied, but not deleted: pages, whiteboards and collections cannot be pasted.'))
  else view.dispatch(removePlaces(tr, places).scrollIntoView())
}

const OPENED = new Set(['page', 'whiteboard', 'collection', 'collectionItem'])

function pasteOwn(view: EditorView, slice: Slice): boolean {
  // Blocks with content of their own are not copied by their names.
  if (slice.content.content.some((node) => node.attrs.fields && OPENED.has(fieldsOfNode(node).type))) return false
  const { tr, selection } = view.state
  const fresh = withoutIds(slice)
  if (selection instanceof BlockRange || fresh.openStart === 0) {
    const place = blockAround(selection.$to)
    const at = selection instanceof BlockRange ? selection.to : endOf(place)
    view.dispatch(tr.insert(at, fresh.content).scrollIntoView().setMeta('paste', true))
  } else view.dispatch(tr.replaceSelection(fresh).scrollIntoView().setMeta('paste', true))
  return true
}

/** Pasted blocks are new ones. */
function withoutIds({ content, openStart, openEnd }: Slice): Slice {
  const fresh = content.content.map((node) =>
    node.attrs.id === undefined ? node : node.type.create({ ...node.attrs, id: '' }, node.content, node.marks),
  )
  return new Slice(Fragment.fromArray(fresh), openStart, openEnd)
}

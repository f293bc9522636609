/**
 * Selects blocks one by one, for touch: each tap on a block selects or deselects it, and a bar at the edge of the window
 * offers actions. With a keyboard, the arrows move between blocks, and Space selects or deselects one.
 */
import { undo } from 'prosemirror-history'
import { type Command, Plugin, Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { IconName } from '../../icon-names.ts'
import { announce } from '../announcement.ts'
import { drawnIcon } from '../drawn-icon.ts'
import { inBackground } from '../page-background.ts'
import { count, text } from '../page-text.ts'
import { selectedSlice } from './block-clipboard.ts'
import { elementOfPlace, placeOfElement } from './block-element.ts'
import { move, nest } from './block-fields.ts'
import { type BlockPlace, blockAround, blockAtIndex, selectedBlocks, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { markdownOfSlice } from './copied-blocks.ts'
import { deleteBlocks } from './split-blocks.ts'

const starts = new WeakMap<EditorView, (position?: number) => void>()

/** Starts selecting, with or without a first block. If already started, selects or deselects the block. */
export const startTouch = (view: EditorView, position?: number): void => starts.get(view)?.(position)

/** @param onUndo  undo when nothing of this session is left */
export function touchBar(onUndo: (isRedo: boolean) => void = () => {}): Plugin {
  return new Plugin({
    view(view) {
      const bar = document.createElement('section')
      bar.className = 'selection-bar'
      bar.hidden = true
      // Has the focus, so that the text does not open the keyboard of a phone.
      bar.tabIndex = -1
      bar.setAttribute('aria-label', text('Selected blocks'))
      const message = document.createElement('p')
      message.setAttribute('role', 'status')
      bar.append(message)
      const run = (command: Command) => () => command(view.state, view.dispatch, view)
      const onBlocks = (command: Command) => () => view.state.selection instanceof BlockRange && run(command)()
      const button = (label: string, act: () => void, icon?: IconName): HTMLButtonElement => {
        const made = Object.assign(document.createElement('button'), { type: 'button', title: label })
        made.append(icon === undefined ? label : drawnIcon(icon))
        made.setAttribute('aria-label', label)
        made.addEventListener('click', act)
        bar.append(made)
        return made
      }
      button(text('Undo'), () => undo(view.state, view.dispatch) || onUndo(false))
      button(text('Done'), () => end()).classList.add('go')
      const needy = [
        button(text('Move up'), onBlocks(move(-1)), 'arrow-up'),
        button(text('Move down'), onBlocks(move(1)), 'arrow-down'),
        button(text('One level out'), onBlocks(nest(-1)), 'outdent'),
        button(text('One level in'), onBlocks(nest(1)), 'indent'),
        button(
          text('Copy'),
          onBlocks(() => copy(view)),
        ),
        button(text('Delete'), () => {
          onBlocks(deleteBlocks)()
          // A second press must not delete the next block.
          deselect(view)
        }),
      ]
      document.getElementById('main')?.append(bar)
      /** The block that the keys are at. */
      let shown: HTMLElement | undefined
      const goTo = (place: BlockPlace | undefined) => {
        if (place === undefined) return
        shown?.classList.remove('at')
        shown = elementOfPlace(view, place)
        shown?.classList.add('at')
        shown?.scrollIntoView({ block: 'nearest' })
        const isSelected = shown?.matches('.selected, .along')
        message.textContent = `${isSelected ? text('Selected') : text('Not selected')}: ${place.node.textContent.slice(0, 60)}`
      }
      const keys = (event: KeyboardEvent) => {
        const { key } = event
        if (event.altKey || event.ctrlKey || event.metaKey) return
        const at = shown && placeOfElement(view, shown)
        if (key === 'ArrowUp' || key === 'ArrowDown') {
          const step = key === 'ArrowUp' ? -1 : 1
          const { doc, selection } = view.state
          let next = at === undefined ? blockAround(selection.$head) : blockAtIndex(doc, at.index + step)
          while (next !== undefined && elementOfPlace(view, next)?.hidden) next = blockAtIndex(doc, next.index + step)
          goTo(next)
        } else if (key === ' ' && event.target === bar && at !== undefined) start(at.pos)
        else return
        event.preventDefault()
      }
      bar.addEventListener('keydown', keys)
      const draw = () => {
        const isAny = view.state.selection instanceof BlockRange
        const amount = isAny ? withNested(view.state.doc, selectedBlocks(view.state)).length : 0
        const sentence =
          amount === 0
            ? text('Tap blocks to select them')
            : count(amount, { one: '{n} block selected', other: '{n} blocks selected' })
        if (message.textContent !== sentence) message.textContent = sentence
        // Not `disabled`, since a disabled button would lose the focus.
        for (const one of needy) one.setAttribute('aria-disabled', String(!isAny))
      }
      const end = () => {
        bar.hidden = true
        document.documentElement.classList.remove('selects')
        shown?.classList.remove('at')
        shown = undefined
        deselect(view)
      }
      const start = (position?: number) => {
        if (bar.hidden) {
          // It begins with nothing, also where a block was selected by keys.
          deselect(view)
          bar.hidden = false
          document.documentElement.classList.add('selects')
          view.dom.blur()
          bar.focus({ preventScroll: true })
        }
        if (position !== undefined) toggle(view, position)
        draw()
      }
      starts.set(view, start)
      const tap = (event: Event) => {
        if (bar.hidden || !(event.target instanceof Element)) return
        const element = event.target.closest<HTMLElement>('.part > .block')
        if (element === null || !view.dom.contains(element)) return
        event.preventDefault()
        event.stopImmediatePropagation()
        const place = event.type === 'click' ? placeOfElement(view, element) : undefined
        if (place !== undefined) start(place.pos)
      }
      const choose = ({ target }: Event) => target instanceof Element && target.closest('[data-select]') && start()
      const leave = ({ key }: KeyboardEvent) => key === 'Escape' && !bar.hidden && end()
      for (const name of ['click', 'mousedown', 'pointerdown'] as const) document.addEventListener(name, tap, true)
      document.addEventListener('click', choose)
      document.addEventListener('keydown', leave, true)
      return {
        update: () => bar.hidden || draw(),
        destroy() {
          for (const name of ['click', 'mousedown', 'pointerdown'] as const)
            document.removeEventListener(name, tap, true)
          document.removeEventListener('click', choose)
          document.removeEventListener('keydown', leave, true)
          if (!bar.hidden) document.documentElement.classList.remove('selects')
          bar.remove()
        },
      }
    },
  })
}

function copy(view: EditorView): true {
  const copied = withNested(view.state.doc, selectedBlocks(view.state)).length
  inBackground(async () => {
    try {
      await navigator.clipboard.writeText(markdownOfSlice(selectedSlice(view)))
      announce(count(copied, { one: 'Copied', other: '{n} blocks copied' }))
    } catch {
      announce(text('The browser did not allow copying.'))
    }
  })
  return true
}

function deselect(view: EditorView): void {
  const { doc, selection, tr } = view.state
  if (selection instanceof BlockRange) view.dispatch(tr.setSelection(Selection.near(doc.resolve(selection.head))))
}

function toggle(view: EditorView, position: number): void {
  const { doc, selection, tr } = view.state
  const before = selection instanceof BlockRange ? selection.positions : []
  const now = before.includes(position) ? before.filter((one) => one !== position) : [...before, position]
  const next = now.length > 0 ? BlockRange.create(doc, now, now.includes(position) ? position : undefined) : undefined
  view.dispatch(tr.setSelection(next ?? Selection.near(doc.resolve(position))))
}

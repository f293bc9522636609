/** A menu at the caret, whose entries follow what is typed: kinds of blocks, links, and emoji. */
import { type EditorState, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { IconName } from '../../icon-names.ts'
import { drawnIcon } from '../drawn-icon.ts'

export interface Suggestion {
  name: string
  icon?: IconName
  /** A character in place of the icon. */
  sign?: string
  /** What it is for. */
  hint?: string
  /** What can be typed instead. */
  keys?: string
  /** @param typed  the range of what was typed for the menu */
  choose: (view: EditorView, typed: TypedQuery) => void
}

/** What was typed for the menu: its range, and the query without the characters that open it. */
export interface TypedQuery {
  from: number
  to: number
  query: string
}

export interface SuggestionSource {
  /** The ID of the menu. */
  id: string
  label: string
  /** What stands before the caret; undefined if it opens no menu. */
  match: (state: EditorState) => TypedQuery | undefined
  /** The menu is closed while there are none. */
  find: (query: string, view: EditorView) => readonly Suggestion[] | Promise<readonly Suggestion[]>
  /** True if the query is the whole name of the first entry, which is chosen then without a further key. */
  isWhole?: (query: string, first: Suggestion) => boolean
}

export function suggestionMenu(source: SuggestionSource): Plugin {
  const menu = new SuggestionMenu(source)
  return new Plugin({
    view(view) {
      document.getElementById('main')?.append(menu.element)
      // The page may scroll by itself after the last key, so that the menu must not close.
      const move = () => menu.element.hidden || placeAtCaret(view, menu.element)
      window.addEventListener('scroll', move, { passive: true })
      return {
        update(_, before) {
          const isSame = before.doc === view.state.doc
          if (!isSame || !before.selection.eq(view.state.selection)) menu.follow(view, isSame)
        },
        destroy() {
          window.removeEventListener('scroll', move)
          menu.element.remove()
        },
      }
    },
    props: {
      handleKeyDown: (view, event) => menu.handleKey(view, event),
      handleDOMEvents: {
        blur(view, { relatedTarget }) {
          if (!(relatedTarget instanceof Node && menu.element.contains(relatedTarget))) menu.close(view)
        },
      },
    },
  })
}

class SuggestionMenu {
  readonly element = document.createElement('div')
  readonly #source: SuggestionSource
  #shown: readonly Suggestion[] = []
  #chosen = 0
  /** Counts what was asked for: an answer that comes late is not shown. */
  #asked = 0
  /** True while the entries for what was typed last are not known. */
  #isWaiting = false
  /** True if an entry was chosen before they were known: it will be the first one. */
  #isChosenBlindly = false

  constructor(source: SuggestionSource) {
    this.#source = source
    const { element } = this
    element.className = 'kinds'
    element.id = source.id
    element.setAttribute('role', 'listbox')
    element.setAttribute('aria-label', source.label)
    element.hidden = true
    // The arrow keys of the text choose an option. Since the menu may scroll, it must also be reachable by Tab.
    element.tabIndex = 0
  }

  close(view: EditorView): void {
    this.#asked++
    this.#isWaiting = false
    this.#isChosenBlindly = false
    if (this.element.hidden) return
    this.element.hidden = true
    this.#shown = []
    view.dom.removeAttribute('aria-activedescendant')
  }

  /** @param isMoved  true if only the caret was moved, which opens no menu */
  follow(view: EditorView, isMoved: boolean): void {
    const typed = isMoved && this.element.hidden ? undefined : this.#source.match(view.state)
    if (typed === undefined) {
      this.close(view)
      return
    }
    const asked = ++this.#asked
    this.#isChosenBlindly = false
    const found = this.#source.find(typed.query, view)
    this.#isWaiting = found instanceof Promise
    const { query } = typed
    if (!(found instanceof Promise)) this.#show(view, found, query)
    else
      found
        .then((suggestions) => {
          if (asked === this.#asked) this.#show(view, suggestions, query)
        })
        // Without a connection there is nothing to choose from.
        .catch(() => asked === this.#asked && this.close(view))
  }

  handleKey(view: EditorView, event: KeyboardEvent): boolean {
    const suggestion = this.#shown[this.#chosen]
    if (this.element.hidden || suggestion === undefined || view.composing || event.isComposing) return false
    const { length } = this.#shown
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.#chosen = (this.#chosen + (event.key === 'ArrowDown' ? 1 : -1) + length) % length
      this.#draw(view)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      if (this.#isWaiting) this.#isChosenBlindly = true
      else this.#choose(view, suggestion)
    } else if (event.key === 'Escape') this.close(view)
    else return false
    return true
  }

  #show(view: EditorView, suggestions: readonly Suggestion[], query: string): void {
    const [first] = suggestions
    this.#isWaiting = false
    this.#shown = suggestions
    this.#chosen = 0
    if (first === undefined) this.close(view)
    else if (this.#isChosenBlindly || this.#source.isWhole?.(query, first)) this.#choose(view, first)
    else this.#draw(view)
  }

  #choose(view: EditorView, suggestion: Suggestion): void {
    this.close(view)
    const typed = this.#source.match(view.state)
    if (typed === undefined) return
    view.focus()
    suggestion.choose(view, typed)
  }

  #draw(view: EditorView): void {
    const { element } = this
    element.replaceChildren(...this.#shown.map((suggestion, index) => this.#optionOf(view, suggestion, index)))
    element.hidden = false
    element.children[this.#chosen]?.scrollIntoView({ block: 'nearest' })
    view.dom.setAttribute('aria-activedescendant', `${element.id}-${this.#chosen}`)
    placeAtCaret(view, element)
  }

  #optionOf(view: EditorView, suggestion: Suggestion, index: number): HTMLElement {
    const { name, icon, sign = '', hint = '', keys = '' } = suggestion
    const option = document.createElement('div')
    option.id = `${this.element.id}-${index}`
    option.setAttribute('role', 'option')
    option.setAttribute('aria-selected', String(index === this.#chosen))
    const part = (className: string, textContent: string) =>
      Object.assign(document.createElement('span'), { className, textContent })
    if (icon !== undefined) option.append(drawnIcon(icon))
    else if (sign !== '') {
      const shown = part('sign', sign)
      shown.setAttribute('aria-hidden', 'true')
      option.append(shown)
    }
    option.append(part('name', name))
    if (hint !== '') option.append(' ', part('hint', hint))
    if (keys !== '') option.append(' ', part('keys', keys))
    // Keeps the caret in the text.
    option.addEventListener('pointerdown', (event) => event.preventDefault())
    option.addEventListener('click', () => this.#choose(view, suggestion))
    return option
  }
}

/** Places a box below the caret, or above it where there is no room. */
export function placeAtCaret(view: EditorView, box: HTMLElement): void {
  const caret = view.coordsAtPos(view.state.selection.head)
  const isBelow = caret.bottom + box.offsetHeight + 8 < innerHeight
  box.style.top = `${isBelow ? caret.bottom + 4 : Math.max(8, caret.top - box.offsetHeight - 4)}px`
  box.style.left = `${Math.max(8, Math.min(caret.left, innerWidth - box.offsetWidth - 8))}px`
}

/** What a pattern finds before the caret in a text. Its first group is the query. */
export function typedBefore(
  { selection }: EditorState,
  pattern: RegExp,
): (TypedQuery & { match: RegExpExecArray }) | undefined {
  const { $from, empty } = selection
  if (!empty || !$from.parent.inlineContent || $from.parent.type.spec.code) return undefined
  const match = pattern.exec($from.parent.textBetween(0, $from.parentOffset, '', '\ufffc'))
  if (match === null) return undefined
  const [, opening = '', query = ''] = match
  return { from: $from.pos - opening.length - query.length, to: $from.pos, query, match }
}

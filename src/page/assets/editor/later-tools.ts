/** Loads the tools for those who point at a text or have the caret in it: opening a document and typing need none. */
import type { EditorView } from 'prosemirror-view'
import { inBackground } from '../page-background.ts'
import type { PointerActions } from './pointer-tools.ts'

/** @param article  in which the tools stand */
export function loadPointerToolsLater(view: EditorView, article: HTMLElement, actions: PointerActions): void {
  const waiting = new AbortController()
  const { signal } = waiting
  /** @param isSelecting  true to begin selecting blocks, once that is possible */
  const load = (isSelecting: boolean) => {
    waiting.abort()
    inBackground(async () => {
      const { addPointerTools, startTouch } = await import('./pointer-tools.ts')
      addPointerTools(view, article, actions)
      if (isSelecting) startTouch(view)
    })
  }
  for (const type of ['pointerover', 'pointerdown', 'focusin'] as const)
    article.addEventListener(type, () => load(false), { signal })
  document.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('[data-select]') !== null) load(true)
    },
    { signal },
  )
}

/** Loads the tools for those who point at a text or have the caret in it: opening a document and typing need none. */
import type { EditorView } from 'prosemirror-view'
import { inBackground } from '../page-background.ts'
import type { PointerActions } from './pointer-tools.ts'

/** @param article  in which the tools stand */
export function loadPointerToolsLater(view: EditorView, article: HTMLElement, actions: PointerActions): void {
  let isLoading = false
  /** True to begin selecting blocks, once that is possible. */
  let startsSelecting = false
  const waiting = new AbortController()
  const { signal } = waiting
  const load = () => {
    if (isLoading) return
    isLoading = true
    inBackground(async () => {
      try {
        const { addPointerTools, startTouch } = await import('./pointer-tools.ts')
        waiting.abort()
        addPointerTools(view, article, actions)
        if (startsSelecting) startTouch(view)
      } catch (error) {
        // Without a connection they cannot be loaded. The next event tries again.
        console.error(error)
        isLoading = false
      }
    })
  }
  for (const type of ['pointerover', 'pointerdown', 'focusin'] as const)
    article.addEventListener(type, load, { signal })
  document.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element) || target.closest('[data-select]') === null) return
      startsSelecting = true
      load()
    },
    { signal },
  )
}

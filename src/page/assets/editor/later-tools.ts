/** Loads the tools for those who point at a text or have the caret in it: opening a document and typing need none. */
import type { EditorView } from 'prosemirror-view'
import { announce } from '../announcement.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import type { TableTools } from './block-view.ts'
import type { PointerActions } from './pointer-tools.ts'

/**
 * @param article  in which the tools stand
 * @param onLoaded  called once
 */
export function loadPointerToolsLater(
  view: EditorView,
  article: HTMLElement,
  actions: PointerActions,
  onLoaded: (tools: TableTools) => void,
): void {
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
        const tools = await import('./pointer-tools.ts')
        await tools.loadToolStyle(article)
        waiting.abort()
        tools.addPointerTools(view, article, actions)
        if (startsSelecting) tools.startTouch(view)
        onLoaded(tools)
      } catch (error) {
        // Without a connection they cannot be loaded. The next event tries again.
        console.error(error)
        isLoading = false
        if (startsSelecting) announce(text('You are offline. Try again later.'))
        startsSelecting = false
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

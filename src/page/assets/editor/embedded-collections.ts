/** Collections in a document: items are edited in place, and changes of others appear. */
import { inBackground } from '../page-background.ts'

interface Swap {
  text: string
  target: Element
  sourceElement: Element
  swap: string
}

/** True if a block shows items. */
export const isCollection = (block: Element): boolean => block.querySelector('[data-items]') !== null

/** Loads the script for items once a page has any, and initializes new collections. */
export async function prepareCollections(article: Element): Promise<void> {
  if (article.querySelector('[data-items]') === null) return
  const [{ prepareItems }] = await Promise.all([import('../collection.ts'), htmxReady()])
  prepareItems()
}

/**
 * Updates a collection block. Elements that stay keep the focus and their scroll position.
 *
 * @returns false if the block was not updated because something in it is being dragged
 */
export function followCollection(current: Element, fresh: Element): boolean {
  const { htmx } = globalThis as { htmx?: { swap(context: Swap): Promise<void> } }
  let isShown = false
  const note = () => {
    isShown = true
  }
  // The elements change before the promise is available.
  current.addEventListener('htmx:before:settle', note)
  const swap = { text: fresh.outerHTML, target: current, sourceElement: current, swap: 'outerMorph' }
  inBackground(() => htmx?.swap(swap))
  current.removeEventListener('htmx:before:settle', note)
  return isShown
}

/** Adds a collection to the page. htmx only handles forms that it has processed. */
export function addCollection(element: Element): void {
  const { htmx } = globalThis as { htmx?: { process(element: Element): void } }
  htmx?.process(element)
}

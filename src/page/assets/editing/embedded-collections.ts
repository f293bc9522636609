/** Collections in a document: items that are changed where they stand, and follow what others change in them. */

interface Swap {
  text: string
  target: Element
  sourceElement: Element
  swap: string
}

/** Whether a block shows items. */
export const isCollection = (block: Element): boolean => block.querySelector('[data-items]') !== null

/** Loads the script of items once a page has any, and makes those ready that it does not know. */
export async function prepareCollections(article: Element): Promise<void> {
  if (article.querySelector('[data-items]') === null) return
  const { prepareItems } = await import('../collection.ts')
  prepareItems()
}

/**
 * Shows the block of a collection as it is now. Elements that stay keep the focus and the place to which they are
 * scrolled.
 *
 * @returns whether it is shown: not while something in it is dragged
 */
export function followCollection(current: Element, fresh: Element): boolean {
  const { htmx } = globalThis as { htmx?: { swap(context: Swap): Promise<void> } }
  let isShown = false
  const note = () => {
    isShown = true
  }
  // The elements are changed before the promise is there.
  current.addEventListener('htmx:before:settle', note)
  void htmx?.swap({ text: fresh.outerHTML, target: current, sourceElement: current, swap: 'outerMorph' })
  current.removeEventListener('htmx:before:settle', note)
  return isShown
}

/** A collection that comes onto the page: htmx knows the forms only that it has seen. */
export function addCollection(element: Element): void {
  const { htmx } = globalThis as { htmx?: { process(element: Element): void } }
  htmx?.process(element)
}

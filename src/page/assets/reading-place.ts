/** Keeps what somebody reads or edits where it is in the window while the page around it changes. */

/** The block that must not move: the one that is given, or else the first one that is read. */
function heldBlock(article: Element, edited: Element | null): Element | undefined {
  if (edited !== null) return edited
  const left = article.getBoundingClientRect().left + 20
  // There is no block in the gap between two blocks.
  for (let top = Math.max(120, innerHeight / 4); top < innerHeight; top += 12) {
    const block = document.elementFromPoint(left, top)?.closest('.part > .block')
    if (block) return block
  }
  return undefined
}

/**
 * Changes the page, and scrolls by what that has moved the text.
 *
 * @param edited  the block with the caret
 */
export function keepReadingPlace(article: Element, edited: Element | null, change: () => void): void {
  const held = heldBlock(article, edited)
  const top = held?.getBoundingClientRect().top ?? 0
  // The anchor of the browser would be another one. It goes on with what is laid out later.
  const { style } = document.documentElement
  style.overflowAnchor = 'none'
  change()
  if (held?.isConnected) {
    const moved = held.getBoundingClientRect().top - top
    if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
  }
  style.removeProperty('overflow-anchor')
}

/**
 * Moves cards of boards, by mouse, touch, or Ctrl and an arrow key: from group to group, and within a group if the view
 * is not sorted. The order of cards is that of the items in their collection.
 */

import { CallError, calls } from './calls.ts'
import { makeSortable, readAgain, showStatus } from './card-drag.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

const BOARD = '[data-board]'
/** By key: how many groups away a card is moved. */
const STEPS = new Map(Object.entries({ ArrowLeft: -1, ArrowRight: 1 }))
const lists = (within: ParentNode): HTMLElement[] => [...within.querySelectorAll<HTMLElement>(`${BOARD} [data-group]`)]

/** Reloading a board replaces its elements. */
const prepared = new WeakSet<HTMLElement>()

/** The ID of the card with the focus, since reloading may remove its element. */
let focused: string | undefined
document.addEventListener('focusin', ({ target }) => {
  focused = target instanceof Element ? target.closest(`${BOARD} [data-item]`)?.id : undefined
})
// A press elsewhere moves the focus away.
document.addEventListener('pointerdown', ({ target }) => {
  if (target instanceof Element && target.closest(BOARD) === null) focused = undefined
})

export function prepareBoards(): void {
  const card = focused === undefined ? null : document.getElementById(focused)
  if (document.activeElement === document.body) card?.querySelector('a')?.focus()
  for (const list of lists(document)) {
    if (prepared.has(list)) continue
    prepared.add(list)
    const { board, ordered } = list.closest<HTMLElement>(BOARD)?.dataset ?? {}
    const lists = { name: `board-${board}`, isOrdered: ordered !== undefined }
    makeSortable(list, lists, (drop) => inBackground(() => move({ ...drop, isPlaced: true })))
  }
}

document.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  const card = event.target instanceof Element ? event.target.closest<HTMLElement>(`${BOARD} [data-item]`) : null
  const from = card?.closest<HTMLElement>('[data-group]')
  if (card === null || !from) return
  if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    event.preventDefault()
    moveWithin(card, from, event.key === 'ArrowUp')
    return
  }
  const by = STEPS.get(event.key)
  if (by === undefined) return
  event.preventDefault()
  const all = lists(card.closest(BOARD)?.parentElement ?? document)
  const to = all[all.indexOf(from) + by]
  if (to === undefined) return
  to.prepend(card)
  card.querySelector('a')?.focus()
  inBackground(() => move({ card, from, to, isPlaced: false }))
})

/** Moves a card up or down by one place in its group. */
function moveWithin(card: HTMLElement, group: HTMLElement, isUp: boolean): void {
  if (card.closest<HTMLElement>(BOARD)?.dataset.ordered === undefined) {
    showStatus(text('The order of these cards is that of the view. Edit the view to sort them another way.'))
    return
  }
  const other = isUp ? card.previousElementSibling : card.nextElementSibling
  if (other === null) return
  if (isUp) other.before(card)
  else other.after(card)
  card.querySelector('a')?.focus()
  inBackground(() => move({ card, from: group, to: group, isPlaced: true }))
}

interface Move {
  from: HTMLElement
  to: HTMLElement
  card: HTMLElement
  /** True if the card is already in its new place among the cards of its group. */
  isPlaced: boolean
}

/** Stores a move. The card is in its new group already. */
async function move(moved: Move): Promise<void> {
  const { card, from, to, isPlaced } = moved
  const board = card.closest<HTMLElement>(BOARD)
  const { board: collectionId = '', groupKey = '', groupType = '', ordered } = board?.dataset ?? {}
  const item = card.dataset.item ?? ''
  const position = isPlaced && ordered !== undefined ? placeOf(card) : undefined
  try {
    if (from !== to) {
      const properties = { [groupKey]: valueIn(groupType, moved) }
      await calls.make({
        document: collectionId,
        tool: 'items_update',
        arguments: { collectionId, itemsToUpdate: [{ id: item, properties }] },
      })
    }
    if (position !== undefined)
      await calls.make({ document: collectionId, tool: 'blocks_move', arguments: { blockIds: [item], position } })
    const title = card.querySelector('b')?.textContent ?? text('The card')
    const place = [...to.children].indexOf(card) + 1
    showStatus(
      from === to
        ? text('{title} is number {place} of {all}.', { title, place, all: to.children.length })
        : text('{title} moved to {place}.', { title, place: to.dataset.name ?? '' }),
    )
  } catch (error) {
    if (from !== to) from.prepend(card)
    showStatus(error instanceof CallError ? error.message : String(error), true)
  }
  readAgain()
}

/** The position of a card relative to a neighbor; undefined for the only card of its group. */
function placeOf(card: HTMLElement): { position: 'before' | 'after'; siblingId: string } | undefined {
  const idOf = (element: Element | null) => (element instanceof HTMLElement ? element.dataset.item : undefined)
  const [before, after] = [idOf(card.previousElementSibling), idOf(card.nextElementSibling)]
  if (after !== undefined) return { position: 'before', siblingId: after }
  return before === undefined ? undefined : { position: 'after', siblingId: before }
}

/** The new value of the card's property. If it holds several options, one is replaced. */
function valueIn(type: string, { from, to, card }: Move): unknown {
  const group = JSON.parse(to.dataset.group ?? 'null')
  if (type === 'relation') return group === null ? null : { relations: [{ blockId: group.blockId }] }
  if (type === 'blockLink') return group === null ? null : { blockId: group.blockId }
  if (type !== 'multiSelect') return group
  const before: string[] = JSON.parse(card.dataset.value ?? '[]')
  const left = JSON.parse(from.dataset.group ?? 'null')
  const kept = group === null ? [] : before.filter((one) => one !== left && one !== group)
  return group === null ? null : [group, ...kept]
}

prepareBoards()
// Cards look movable once this script is ready.
document.documentElement.classList.add('moves')
document.addEventListener('htmx:after:swap', prepareBoards)

/**
 * Cards of boards: dragged by mouse or touch, and moved by Ctrl and an arrow key, from group to group and, where no view
 * sorts them, within a group. Their order is that of the items in their collection.
 */
import { CallError, calls } from './calls.ts'
import { makeSortable, readAgain, say } from './card-drag.ts'

const BOARD = '[data-board]'
const lists = (within: ParentNode): HTMLElement[] => [...within.querySelectorAll<HTMLElement>(`${BOARD} [data-group]`)]

/** Elements are replaced when the board is read again. */
const prepared = new WeakSet<HTMLElement>()

/** The ID of the card that has the focus: what is read again may take its element away. */
let focused: string | undefined
document.addEventListener('focusin', ({ target }) => {
  focused = target instanceof Element ? target.closest(`${BOARD} [data-item]`)?.id : undefined
})
// A press elsewhere leaves it.
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
    makeSortable(list, lists, (drop) => void move({ ...drop, isPlaced: true }))
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
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const all = lists(card.closest(BOARD)?.parentElement ?? document)
  const to = all[all.indexOf(from) + by]
  if (to === undefined) return
  to.prepend(card)
  card.querySelector('a')?.focus()
  void move({ card, from, to, isPlaced: false })
})

/** One place up or down in its group. */
function moveWithin(card: HTMLElement, group: HTMLElement, isUp: boolean): void {
  if (card.closest<HTMLElement>(BOARD)?.dataset.ordered === undefined) {
    say('The order of these cards is that of the view. Edit the view to sort them another way.')
    return
  }
  const other = isUp ? card.previousElementSibling : card.nextElementSibling
  if (other === null) return
  if (isUp) other.before(card)
  else other.after(card)
  card.querySelector('a')?.focus()
  void move({ card, from: group, to: group, isPlaced: true })
}

interface Move {
  from: HTMLElement
  to: HTMLElement
  card: HTMLElement
  /** Whether it stands where it is to stand among the cards of its group. */
  isPlaced: boolean
}

/** The card stands in its new group already. */
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
    const title = card.querySelector('b')?.textContent ?? 'The card'
    const place = [...to.children].indexOf(card) + 1
    say(from === to ? `${title} is number ${place} of ${to.children.length}.` : `${title} moved to ${to.dataset.name}.`)
  } catch (error) {
    if (from !== to) from.prepend(card)
    say(error instanceof CallError ? error.message : String(error), true)
  }
  readAgain()
}

/** Beside which of its neighbors a card stands; nothing for the only one of its group. */
function placeOf(card: HTMLElement): { position: 'before' | 'after'; siblingId: string } | undefined {
  const idOf = (element: Element | null) => (element instanceof HTMLElement ? element.dataset.item : undefined)
  const [before, after] = [idOf(card.previousElementSibling), idOf(card.nextElementSibling)]
  if (after !== undefined) return { position: 'before', siblingId: after }
  return before === undefined ? undefined : { position: 'after', siblingId: before }
}

/** The value of the card's property in the group that it is moved to. Of several options one is exchanged. */
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
// Cards look as if they can be moved once they can be.
document.documentElement.classList.add('moves')
document.addEventListener('htmx:after:swap', prepareBoards)

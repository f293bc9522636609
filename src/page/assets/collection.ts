/**
 * What items of collections do beyond their forms: cells changed where they stand, and cards moved. It is the script of
 * a collection's page, and of documents that hold collections.
 */
import { prepareBoards } from './board.ts'
import { prepareCalendars } from './calendar.ts'
import { calls } from './calls.ts'
import { prepareCells } from './cells.ts'

void calls.resume()

/** Makes items ready that came onto the page by another way than htmx. */
export function prepareItems(): void {
  prepareCells()
  prepareBoards()
  prepareCalendars()
}

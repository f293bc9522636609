/**
 * Interaction with items beyond forms: editing cells in place, adding rows where they will be, moving cards,
 * and arranging columns. Loaded on collection pages, and in
 * documents that contain collections.
 */

import './beside.ts'
import { prepareBoards } from './board.ts'
import { prepareCalendars } from './calendar.ts'
import './cell-range.ts'
import { prepareCells } from './cells.ts'
import { prepareColumns } from './columns.ts'
import './new-rows.ts'
import './unsent.ts'

/** Initializes items that were added to the page without htmx. */
export function prepareItems(): void {
  prepareCells()
  prepareBoards()
  prepareCalendars()
  prepareColumns()
}

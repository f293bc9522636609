/** Reports what was done and what went wrong. */
import type { DragSigns, Place } from './pointer.ts'

export interface Report {
  /** Waits until the value read is the intended one. @returns true if it is */
  expect(what: string, read: () => Promise<unknown>, wanted: unknown): Promise<boolean>
  /** @returns true if the page showed the drag */
  drag(what: string, from: Place, to: Place, signs: DragSigns): Promise<boolean>
  blame(what: string, why: string): void
}

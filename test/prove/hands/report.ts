/** What says what hands did, and what they missed. */
import type { DragSigns, Place } from './pointer.ts'

export interface Report {
  /** Waits until what is read is what was meant. @returns whether it is */
  expect(what: string, read: () => Promise<unknown>, wanted: unknown): Promise<boolean>
  /** @returns whether the page showed the drag */
  drag(what: string, from: Place, to: Place, signs: DragSigns): Promise<boolean>
  blame(what: string, why: string): void
}

/** Responses of claims. */
import type { Conflict } from '../model/conditions.ts'

/** A claimed row with its fence. Items have their title, properties and content; tasks their usual fields. */
export interface ClaimedRow {
  id: string
  fence: number
  [field: string]: unknown
}

export interface ClaimAnswer {
  items: ClaimedRow[]
  /** When the leases end, by the clock of the server. Absent if no row was claimed or renewed. */
  until?: string
  /** The IDs of rows that were freed. */
  released?: string[]
  /** Rows whose fences are outdated, if others were renewed or freed all the same. */
  conflicts?: Conflict[]
}

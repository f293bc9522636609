/** A call that an undo took back, as the audit log stores it: the number of the call alone if nothing was left. */
export type UndoneCall = number | PartlyUndoneCall

/** A call that was taken back only as far as the connection saw it, or was asked to. */
export interface PartlyUndoneCall {
  call: number
  /** The numbers of the documents in which it was taken back. */
  documents: readonly number[]
  /** The numbers of the participants whose reminders were left. */
  participants?: readonly number[]
}

/** The summary of an undo that changes nothing. */
export const NOTHING_UNDONE = 'Nothing: all is as it was before.'

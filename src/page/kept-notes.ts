/** Notes of calls that a form made, until the next page of the same session shows them. */

/** Sessions whose notes are kept, and notes of each. */
const MAX_SESSIONS = 1_000
const MAX_NOTES = 10

const notesBySession = new Map<string, readonly string[]>()

/** @param session  the name of its connection */
export function storeNotes(session: string, notes: readonly string[]): void {
  const kept = [...(notesBySession.get(session) ?? []), ...notes].slice(-MAX_NOTES)
  notesBySession.delete(session)
  notesBySession.set(session, kept)
  for (const oldest of notesBySession.keys()) {
    if (notesBySession.size <= MAX_SESSIONS) return
    notesBySession.delete(oldest)
  }
}

/** Returns the notes of a session, each once. */
export function removeNotes(session: string): readonly string[] {
  const notes = notesBySession.get(session) ?? []
  notesBySession.delete(session)
  return notes
}

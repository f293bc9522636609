/** What is measured side by side: servers that keep notes, each by the tools that suit it best. */
import type { Note } from './notes.ts'

export interface Peer {
  name: string
  /** The package of npm that it comes with; absent for what is of this project, which is built first. */
  from?: { package: string; version: string }
  /** What starts it: its path in the package, or in the project. */
  script: string
  /** What follows the script, for a store in this folder. */
  start(folder: string): { args: string[]; env?: Record<string, string> }
  /** What its documentation wants to be there before it starts. */
  prepare?(folder: string): void
  /** Notes that one call takes, and calls that are sent before the first is answered, when many are written. */
  bulk: { notesPerCall: number; calls: number }
  /** @param ids  the IDs of notes by title, shared by all connections to one store, for who needs them */
  open(call: CallTool, ids: Map<string, string>): Notes
  /** What stands below the table. */
  note: string
}

export type CallTool = (name: string, args: Record<string, unknown>) => Promise<Answer>

export interface Answer {
  /** What a host shows its model: the texts of the answer. */
  text: string
  /** The structured content, or the text as JSON; an empty object where it is neither. */
  object: Record<string, unknown>
}

/** @throws what is refused */
export interface Notes {
  write(notes: readonly Note[]): Promise<Answer>
  read(title: string): Promise<Answer>
  search(word: string): Promise<Answer>
  /** All notes by title, or what comes nearest; every page of it. */
  list(): Promise<Answer>
  /** A line more at the end of a note; absent where there is no tool for it. */
  append?(title: string, line: string): Promise<Answer>
}

/** Asks page after page for as long as an answer names the next. */
export async function allPages(
  ask: (cursor: string | undefined) => Promise<Answer>,
  next: (answer: Answer) => unknown,
): Promise<Answer> {
  const texts: string[] = []
  let cursor: unknown
  do {
    const answer = await ask(typeof cursor === 'string' ? cursor : undefined)
    texts.push(answer.text)
    cursor = next(answer)
  } while (typeof cursor === 'string')
  return { text: texts.join('\n'), object: {} }
}

/** The compared servers: they store notes, each with the tools that suit it best. */
import type { Note } from './notes.ts'

export interface Peer {
  name: string
  /** Its npm package. Absent for this project, which is built first. */
  from?: { package: string; version: string }
  /** The script that starts it, as a path in its package or in this project. */
  script: string
  /** The arguments after the script, for a store in this folder. */
  start(folder: string): { args: string[]; env?: Record<string, string> }
  /** Prepares the folder as its documentation requires. */
  prepare?(folder: string): void
  /** How many notes fit into one call, and how many calls run concurrently when many notes are written. */
  bulk: { notesPerCall: number; calls: number }
  /** @param ids  the IDs of notes by title, shared by all connections to a store, for servers that need them */
  open(call: CallTool, ids: Map<string, string>): Notes
  /** A note for below the table. */
  note: string
}

export type CallTool = (name: string, args: Record<string, unknown>) => Promise<Answer>

export interface Answer {
  /** The texts of the response, which a host shows to its model. */
  text: string
  /** The structured content, or the text parsed as JSON; an empty object if there is neither. */
  object: Record<string, unknown>
}

/** @throws the server's error */
export interface Notes {
  write(notes: readonly Note[]): Promise<Answer>
  read(title: string): Promise<Answer>
  search(word: string): Promise<Answer>
  /** Lists all notes by title, or the closest equivalent, including all pages of the list. */
  list(): Promise<Answer>
  /** Adds a line at the end of a note. Absent if no tool can do that. */
  append?(title: string, line: string): Promise<Answer>
}

/** Fetches pages as long as the response names another one. */
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

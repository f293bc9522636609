/** Exports an imported folder without IDs, and counts the notes that are the same as in the source, byte for byte. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { runExport } from '../../src/export/run-export.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'

export interface IdenticalNotes {
  notes: number
  identical: number
  /** Paths of some that are not. */
  changed: string[]
  /** Seconds of the export. */
  seconds: number
}

/** How many paths are listed. */
const LISTED = 10

/** @param source  a folder that was imported, and nothing else */
export async function countIdentical(space: OpenSpace, source: string): Promise<IdenticalNotes> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-identical-'))
  try {
    const started = performance.now()
    await runExport(space, folder, { format: 'obsidian', documents: [], now: Date.now(), hasIds: false })
    const seconds = (performance.now() - started) / 1000
    const notes = notesIn(source)
    const changed = notes.filter((path) => !isSame(join(source, path), join(folder, path)))
    return { notes: notes.length, identical: notes.length - changed.length, changed: changed.slice(0, LISTED), seconds }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const notesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))

function isSame(one: string, other: string): boolean {
  try {
    return readFileSync(one).equals(readFileSync(other))
  } catch {
    return false
  }
}

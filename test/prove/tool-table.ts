/**
 * Tables with an entry for each tool. A new tool does not compile until each table has an entry for it, or a reason why
 * not.
 */
import type { ToolName } from '../../tools/index.ts'

/** The reason why a proof has no entry for a tool. */
export interface Exempt {
  exempt: string
}

export type ToolTable<Entry> = Record<ToolName, Entry | Exempt>

export const isExempt = <Entry>(entry: Entry | Exempt): entry is Exempt =>
  typeof entry === 'object' && entry !== null && 'exempt' in entry

/** The entry of a tool; undefined if the tool is exempt, or the name is not a tool. */
export function entryOf<Entry>(table: ToolTable<Entry>, tool: string): Entry | undefined {
  const entry = Object.hasOwn(table, tool) ? table[tool as ToolName] : undefined
  return entry === undefined || isExempt(entry) ? undefined : entry
}

/** The tools that have an entry, in the order of the table. */
export const entered = <Entry>(table: ToolTable<Entry>): ToolName[] =>
  (Object.keys(table) as ToolName[]).filter((tool) => !isExempt(table[tool]))

/** A sentence for each tool that has an entry but was never called, so that nothing is proved for it. */
export const neverCalled = <Entry>(table: ToolTable<Entry>, called: ReadonlySet<string>): string[] =>
  entered(table)
    .filter((tool) => !called.has(tool))
    .map((tool) => `Expected calls of ${tool}, which the proof has an entry for, found none that was done.`)

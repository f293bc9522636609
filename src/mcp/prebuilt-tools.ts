/**
 * The prebuilt tool list. The build generates it from the endpoint declarations, so that the program can show it
 * without loading them. A checkout has none, and generates the list at each start.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { ToolEntry } from '../call/catalog/tool-list.ts'
import type { ConnectionKind } from '../space/model/space.ts'

/** The name of the file with the tools of a kind of connection. */
export const prebuiltToolsFile = (kind: ConnectionKind): string => `tools-${kind}.json`

export function readPrebuiltTools(kind: ConnectionKind): readonly ToolEntry[] | undefined {
  const file = new URL(prebuiltToolsFile(kind), import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

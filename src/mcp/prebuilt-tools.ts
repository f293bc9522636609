/**
 * The list of tools, which the build makes of the declarations and writes beside the program: to show it, the program
 * needs none of them. In a checkout there is none, and it is made of the declarations at each start.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { ToolEntry } from '../call/catalog/tool-list.ts'
import type { ConnectionKind } from '../space/model/space.ts'

/** The name of the file with the tools of this kind of connection. */
export const prebuiltToolsFile = (kind: ConnectionKind): string => `tools-${kind}.json`

export function readPrebuiltTools(kind: ConnectionKind): readonly ToolEntry[] | undefined {
  const file = new URL(prebuiltToolsFile(kind), import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

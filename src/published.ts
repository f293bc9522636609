/**
 * The list of tools, which the build makes of the declarations and writes beside the program: to show it, the program
 * needs none of them. In a checkout there is none, and it is made of the declarations at each start.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Published } from './server/tool-list.ts'
import type { Kind } from './space/space.ts'

/** The name of the file with the tools of this kind of connection. */
export const publishedFile = (kind: Kind): string => `tools-${kind}.json`

export function publishedTools(kind: Kind): readonly Published[] | undefined {
  const file = new URL(publishedFile(kind), import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

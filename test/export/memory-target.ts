/** Exports to memory. */
import type { ExportFile, ExportTarget } from '../../src/export/export-target.ts'
import { type ExportOptions, writeExport } from '../../src/export/run-export.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'

class MemoryTarget implements ExportTarget {
  readonly counts = { written: 0, unchanged: 0, removed: 0, kept: 0 }
  readonly problems = []
  readonly files = new Map<string, string>()

  async write({ path }: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    const parts: Uint8Array[] = []
    if (typeof content === 'string') parts.push(Buffer.from(content))
    else for await (const part of content) parts.push(part)
    this.files.set(path, Buffer.concat(parts).toString())
  }

  async retain(): Promise<boolean> {
    return false
  }

  async noteDocument(): Promise<void> {}
  async finish(): Promise<void> {}
  async abort(): Promise<void> {}
}

/** The texts of an export without IDs, by path. */
export async function filesOf(
  space: OpenSpace,
  options: Partial<ExportOptions> = {},
): Promise<ReadonlyMap<string, string>> {
  const target = new MemoryTarget()
  await writeExport(space, target, { format: 'obsidian', documents: [], now: 0, hasIds: false, ...options })
  return target.files
}

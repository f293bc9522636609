/** Compares files of a source with the states that an export wrote. */
import { createHash } from 'node:crypto'
import type { ImportSource, SourceFile } from '../import-source.ts'
import type { FileState, FoundFile, KnownFile } from './export-manifest.ts'

/** Files with the time and size of a single known state are not read. */
export async function compareFiles(
  { files }: Pick<ImportSource, 'files'>,
  known: readonly KnownFile[],
): Promise<FoundFile[]> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const found: FoundFile[] = []
  for (const { path, states } of known) {
    const file = byPath.get(path)
    if (file === undefined) found.push({ path, state: null, isSame: false })
    else {
      const state = await stateOf(file, states)
      found.push({ path, state, isSame: states.some(({ hash }) => hash === state.hash) })
    }
  }
  return found
}

async function stateOf(file: SourceFile, [only, ...more]: readonly FileState[]): Promise<FileState> {
  const { size, modifiedAt: time = 0 } = file
  if (only !== undefined && more.length === 0 && only.size === size && only.time === time) return only
  const hash = createHash('sha256')
  try {
    for await (const chunk of file.open()) hash.update(chunk)
  } catch {
    // The import reports a file that cannot be read when it needs it.
    return { hash: '', size, time }
  }
  return { hash: hash.digest('hex'), size, time }
}

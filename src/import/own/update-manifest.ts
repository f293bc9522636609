/** Brings the manifest of an export up to date after it was imported, so that the next export replaces its files. */
import { join } from 'node:path'
import { type DocumentState, type FileState, formatManifest, MANIFEST, readFolderManifest } from './export-manifest.ts'
import { writePart } from './write-file.ts'

/** What the files of a document are, now that they were imported. */
export interface ManifestChange {
  /** Undefined for one that was deleted. */
  state: DocumentState | undefined
  files: ReadonlyMap<string, FileState>
}

/** @param changes  by the ID of the document */
export async function updateManifest(
  folder: string,
  space: string,
  changes: ReadonlyMap<string, ManifestChange>,
): Promise<void> {
  const manifest = await readFolderManifest(folder)
  if (manifest === undefined || manifest.space !== space) return
  const files = new Map([...manifest.files].flatMap(([path, states]) => states.slice(-1).map((state) => [path, state])))
  for (const [id, { state }] of changes) {
    const before = manifest.documents.get(id)
    const kept = new Set([state?.path, ...Object.keys(state?.parts ?? {})])
    if (before === undefined) continue
    for (const path of [before.path, ...Object.keys(before.parts).filter(isOfCollection)]) {
      if (!kept.has(path)) files.delete(path)
    }
  }
  for (const [id, { state, files: present }] of changes) {
    if (state === undefined) manifest.documents.delete(id)
    else manifest.documents.set(id, state)
    for (const [path, file] of present) files.set(path, file)
  }
  const { documents } = manifest
  const part = await writePart(folder, formatManifest({ space, files, documents }), { file: 0o666, folder: 0o777 })
  await part.moveTo(join(folder, MANIFEST))
}

/** Other files may belong to several documents. */
const isOfCollection = (path: string): boolean => /\.(?:md|base|csv)$/i.test(path)

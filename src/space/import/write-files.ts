/** Adds the files that imported blocks show. */
import type { WrittenFile } from '../../../storage/bytes/file-bytes.ts'
import { fileByHash, insertFile } from '../../../storage/files.ts'
import type { Block } from '../../markdown/block.ts'
import { fileBlock } from '../editing/add-file.ts'
import type { DetectedType } from '../files/detect-type.ts'
import type { Space } from '../model/space.ts'
import type { ImportContent, ImportFile } from './imported-content.ts'

/** Bytes that were written before the transaction, and their detected type. */
export interface AddedFile {
  written: WrittenFile
  detected: DetectedType
}

/** The added files of a document. Files that could not be read are missing. */
export type AddedFiles = ReadonlyMap<ImportFile, AddedFile>

/**
 * Sets the type, address and facts of blocks that show files. Equal bytes with the same name are stored as one file.
 *
 * @returns the IDs of the files that are new
 */
export async function addFiles(space: Space, content: ImportContent, files: AddedFiles): Promise<number[]> {
  const added: number[] = []
  const ids = new Map<AddedFile, number>()
  for (const [block, file] of content.files) {
    const bytes = files.get(file)
    if (bytes === undefined) {
      turnIntoMissingFileText(block, file)
      continue
    }
    let id = ids.get(bytes)
    if (id === undefined) {
      const { hash, size } = bytes.written
      const found = await fileByHash(space.tx, hash, file.name)
      id = found?.id ?? (await space.newId())
      if (found === undefined) {
        await space.keepFile(bytes.written)
        const { mimeType } = bytes.detected
        await insertFile(space.tx, { id, hash, size, mimeType, name: file.name, createdAt: space.now })
        added.push(id)
      }
      space.addedFileIds.add(id)
      ids.set(bytes, id)
    }
    turnIntoFileBlock(block, id, file, bytes)
  }
  return added
}

/** Turns a block into a file block, and keeps its place in a list and its alternative text. */
function turnIntoFileBlock(block: Block, id: number, { name }: ImportFile, { written, detected }: AddedFile): void {
  const { altText } = block
  delete block.altText
  Object.assign(block, fileBlock(id, { written, name, title: name, detected }))
  if (altText !== undefined && block.type !== 'file') block.altText = altText
}

function turnIntoMissingFileText(block: Block, { path }: ImportFile): void {
  delete block.url
  delete block.altText
  Object.assign(block, { type: 'text', text: escapeBrackets(path) })
}

const escapeBrackets = (text: string): string => text.replace(/[\\`*_[\]<>~$=]/g, '\\$&')

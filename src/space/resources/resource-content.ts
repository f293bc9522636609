/** Reads documents, files and whiteboards by their resource addresses. */
import { notFound, ScriptoriumError } from '../../base/errors.ts'
import { BLOCKS_PER_CALL, INLINE_FILE_BYTES } from '../../base/limits.ts'
import { findReachableFile, visibleFileAddress } from '../content/file-references.ts'
import type { Space } from '../model/space.ts'
import { getBlock } from '../reading/get-block.ts'
import { listElements } from '../whiteboards/whiteboard-elements.ts'

export type ResourceContent = { mimeType: string; blocks?: number } & ({ text: string } | { blob: string })

/** @throws NOT_FOUND_ERROR if there is no such document within reach */
export async function readDocumentResource(space: Space, id: string): Promise<ResourceContent> {
  const document = await space.getDocument(await space.readId(id))
  const options = { id: document.id, maxDepth: -1, fetchMetadata: false, maxBlocks: BLOCKS_PER_CALL } as const
  const { body, blocks } = await getBlock(space, { ...options, format: 'markdown' })
  return { mimeType: 'text/markdown', text: body, blocks }
}

/**
 * @throws NOT_FOUND_ERROR; PAYLOAD_TOO_LARGE for a file that is too large for one message, with its address;
 * FILE_DAMAGED
 */
export async function readFileResource(space: Space, id: string): Promise<ResourceContent> {
  const file = await findReachableFile(space, (await space.readId(id)).number)
  if (file === undefined) throw notFound(`Expected the ID of a file within reach, found ${id}.`)
  const { size, mimeType, hash } = file
  if (size > INLINE_FILE_BYTES) {
    const limit = INLINE_FILE_BYTES / 1024 / 1024
    throw new ScriptoriumError(
      'PAYLOAD_TOO_LARGE',
      `Expected a file of at most ${limit} MiB in a message, found one of ${Math.ceil(size / 1024 / 1024)}; read it at ${visibleFileAddress(space, file)}.`,
    )
  }
  const bytes = await space.files.readAll(hash, space.tx, size)
  return mimeType.startsWith('text/')
    ? { mimeType, text: bytes.toString('utf8') }
    : { mimeType, blob: bytes.toString('base64') }
}

/** @throws NOT_FOUND_ERROR if there is no such whiteboard within reach */
export async function readWhiteboardResource(space: Space, id: string): Promise<ResourceContent> {
  return { mimeType: 'application/json', text: JSON.stringify(await listElements(space, await space.readId(id))) }
}

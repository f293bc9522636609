/** Documents, files and whiteboards as clients read them by their addresses. */
import { notFound, ScriptoriumError } from '../errors.ts'
import { BLOCKS_PER_CALL, DATA_BYTES } from '../limits.ts'
import { getBlock } from './blocks/get.ts'
import { readableFile, shownAddress } from './files/shown.ts'
import type { Space } from './space.ts'
import { listElements } from './whiteboards/elements.ts'

export type Content = { mimeType: string; blocks?: number } & ({ text: string } | { blob: string })

/** @throws NOT_FOUND_ERROR when there is no such document within reach */
export async function readDocument(space: Space, id: string): Promise<Content> {
  const document = await space.document(id)
  const whole = { id: document.id, maxDepth: -1, fetchMetadata: false, maxBlocks: BLOCKS_PER_CALL } as const
  const { body, blocks } = await getBlock(space, { ...whole, format: 'markdown' })
  return { mimeType: 'text/markdown', text: body, blocks }
}

/** @throws NOT_FOUND_ERROR; PAYLOAD_TOO_LARGE for a file that is too large for one message, with its address; FILE_DAMAGED */
export async function readFile(space: Space, id: string): Promise<Content> {
  const file = await readableFile(space, id)
  if (file === undefined) throw notFound(`Expected the ID of a file within reach, found ${id}.`)
  const { size, mimeType, hash } = file
  if (size > DATA_BYTES) {
    const limit = DATA_BYTES / 1024 / 1024
    throw new ScriptoriumError(
      'PAYLOAD_TOO_LARGE',
      `Expected a file of at most ${limit} MiB in a message, found one of ${Math.ceil(size / 1024 / 1024)}; read it at ${shownAddress(space, file)}.`,
    )
  }
  const bytes = await space.files.bytes(hash)
  return mimeType.startsWith('text/')
    ? { mimeType, text: bytes.toString('utf8') }
    : { mimeType, blob: bytes.toString('base64') }
}

/** @throws NOT_FOUND_ERROR when there is no such whiteboard within reach */
export async function readBoard(space: Space, id: string): Promise<Content> {
  return { mimeType: 'application/json', text: JSON.stringify(await listElements(space, id)) }
}

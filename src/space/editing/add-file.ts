/** Adds files, or returns the address to which they can be sent. Source: the interface, "Upload", and its shapes, 6. */
import { createHash, randomBytes } from 'node:crypto'
import { deleteUpload, insertFile, insertUpload, uploadByHash } from '../../../storage/files.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { UPLOAD_SECONDS } from '../../base/limits.ts'
import type { Block } from '../../markdown/block.ts'
import { storedFileAddress } from '../content/file-addresses.ts'
import { visibleFileAddress } from '../content/file-references.ts'
import type { FileInput, PreparedFile } from '../files/file-input.ts'
import { formatTimestamp } from '../model/dates.ts'
import { type Position, resolvePosition } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import type { StepFile } from '../model/steps.ts'
import { insertBlockTrees } from './insert-blocks.ts'

export type AddFileResult =
  | { blockId: string; assetUrl: string; documentId?: string; dailyNoteDate?: string }
  | { uploadUrl: string; expiresAt: string }

/** @throws as `resolvePosition` does; NOT_FOUND_ERROR for an upload address that has expired or was used already */
export async function addFile(space: Space, { input, file }: PreparedFile): Promise<AddFileResult> {
  if (file === undefined) return createUpload(space, input)
  await markUploadUsed(space, input)
  const target = await resolvePosition(space, input.position)
  const { written, name, detected } = file
  await space.keepFile(written)
  const { hash, size } = written
  const id = await space.newId()
  const row = await insertFile(space.tx, { id, hash, size, mimeType: detected.mimeType, name, createdAt: space.now })
  space.addedFileIds.add(id)
  const [added] = await insertBlockTrees(space, [fileBlock(id, file)], target)
  if (added === undefined) throw new Error('Expected the block of a new file.')
  return { blockId: space.spellId(added.row.id), assetUrl: visibleFileAddress(space, row), ...target.resolvedDailyNote }
}

/** The block that shows an added file. @param id  of the file */
export function fileBlock(id: number, { written, title, detected }: NonNullable<PreparedFile['file']>): Block {
  const { type, mimeType, aspectRatio } = detected
  const block: Block = { type, text: '', url: storedFileAddress(id), uploaded: true, mimeType, fileSize: written.size }
  // Only blocks of type `file` show a name as their title, and only if the file was sent with one.
  if (type !== 'file') block.width = 'auto'
  else if (title !== undefined) block.fileName = title
  if (aspectRatio !== undefined) block.aspectRatio = aspectRatio
  return block
}

/** Creates an address that accepts one file within {@link UPLOAD_SECONDS} and adds it at the position of this call. */
async function createUpload(space: Space, { position, fileName, mimeType }: FileInput): Promise<AddFileResult> {
  const { files, id: link } = space.link
  if (files === undefined || link === undefined) {
    throw invalid('Expected text, data or path, found none; give the bytes of the file, or the path of one.')
  }
  if (!('date' in position)) await resolvePosition(space, position)
  const token = `${files.key}${randomBytes(32).toString('base64url')}`
  const asked = JSON.stringify({ position: positionInput(position), fileName, mimeType })
  const expiresAt = space.now + UPLOAD_SECONDS * 1000
  await insertUpload(space.tx, hashToken(token), { link, asked, expiresAt }, space.now)
  return { uploadUrl: `${files.origin}/uploads/${token}`, expiresAt: formatTimestamp(expiresAt) }
}

/** The file of a call, and the remaining arguments. */
export function stepFileOf({ input, file }: PreparedFile): StepFile | undefined {
  if (file === undefined) return undefined
  const { written, title, detected } = file
  const fileName = title === undefined ? {} : { fileName: title }
  return { written, mediaType: detected.mimeType, arguments: { position: positionInput(input.position), ...fileName } }
}

/** A position in the form in which callers write it. */
const positionInput = ({ at, ...place }: Position) => ({ position: at, ...place })

/**
 * Marks the upload address of a file as used, if there is one.
 *
 * @throws NOT_FOUND_ERROR for an address that was used already
 */
export async function markUploadUsed(space: Space, { ticket }: FileInput): Promise<void> {
  if (ticket === undefined) return
  const hash = hashToken(ticket)
  const found = await uploadByHash(space.tx, hash)
  if (found === undefined || found.expiresAt <= space.now || found.link !== space.link.id) throw uploadUnavailable()
  await deleteUpload(space.tx, hash)
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const uploadUnavailable = () =>
  notFound(
    'Expected an address that waits for a file, found one that has taken it or has expired; files_add gives another.',
  )

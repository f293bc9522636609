/** Brings files in, or says where they can be sent. Source: the interface, "Upload", and its shapes, 6. */
import { createHash, randomBytes } from 'node:crypto'
import { deleteUpload, insertFile, insertUpload, uploadByHash } from '../../../storage/files.ts'
import { invalid, notFound } from '../../errors.ts'
import { UPLOAD_SECONDS } from '../../limits.ts'
import type { Block } from '../../markdown/block.ts'
import { insertTree } from '../blocks/insert.ts'
import { moment } from '../dates.ts'
import { findTarget, type Position } from '../positions.ts'
import type { Space } from '../space.ts'
import { storedAddress } from './addresses.ts'
import type { FileInput, ReadyFile } from './input.ts'
import { shownAddress } from './shown.ts'

export type AddedFile =
  | { blockId: string; assetUrl: string; documentId?: string; dailyNoteDate?: string }
  | { uploadUrl: string; expiresAt: string }

/** @throws as `findTarget` does; NOT_FOUND_ERROR for an address that has taken its file, or has expired */
export async function addFile(space: Space, { input, file }: ReadyFile): Promise<AddedFile> {
  if (file === undefined) return addressForFile(space, input)
  if (input.ticket !== undefined) await takeTicket(space, input.ticket)
  const target = await findTarget(space, input.position)
  const { written, name, judged } = file
  await space.files.keep(written)
  const { hash, size } = written
  const id = space.newId()
  const row = await insertFile(space.tx, { id, hash, size, mimeType: judged.mimeType, name, createdAt: space.now })
  space.givenFiles.add(id)
  const [added] = await insertTree(space, [blockOf(id, file, input)], target)
  if (added === undefined) throw new Error('Expected the block of a new file.')
  return { blockId: added.row.id, assetUrl: shownAddress(space, row), ...target.landed }
}

function blockOf(
  id: string,
  { written, name, judged }: NonNullable<ReadyFile['file']>,
  { fileName }: FileInput,
): Block {
  const { type, mimeType, aspectRatio } = judged
  const block: Block = { type, text: '', url: storedAddress(id), uploaded: true, mimeType, fileSize: written.size }
  // The name is a file's title alone; of the others nothing is to be read.
  if (type === 'file') block.fileName = fileName ?? name
  else block.width = 'auto'
  if (aspectRatio !== undefined) block.aspectRatio = aspectRatio
  return block
}

/** An address that takes one file within {@link UPLOAD_SECONDS}, and puts it where this call would. */
async function addressForFile(space: Space, { position, fileName, mimeType }: FileInput): Promise<AddedFile> {
  const { files, id: link } = space.link
  if (files === undefined || link === undefined) {
    throw invalid('Expected text, data or path, found none; give the bytes of the file, or the path of one.')
  }
  if (!('date' in position)) await findTarget(space, position)
  const token = `${files.key}${randomBytes(32).toString('base64url')}`
  const asked = JSON.stringify({ position: written(position), fileName, mimeType })
  const expiresAt = space.now + UPLOAD_SECONDS * 1000
  await insertUpload(space.tx, hashOf(token), { link, asked, expiresAt }, space.now)
  return { uploadUrl: `${files.origin}/uploads/${token}`, expiresAt: moment(expiresAt) }
}

/** A position as callers write it. */
const written = ({ at, ...place }: Position) => ({ position: at, ...place })

async function takeTicket(space: Space, token: string): Promise<void> {
  const hash = hashOf(token)
  const found = await uploadByHash(space.tx, hash)
  if (found === undefined || found.expiresAt <= space.now || found.link !== space.link.id) throw spent()
  await deleteUpload(space.tx, hash)
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export const spent = () =>
  notFound(
    'Expected an address that waits for a file, found one that has taken it or has expired; files_add gives another.',
  )

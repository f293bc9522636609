/** Files that a proposal would add, as a person sees them before approving. */
import { filesOfProposal } from '../../../storage/proposals.ts'
import type { FileRow, ProposalRow } from '../../../storage/schema.ts'
import { notFound } from '../../base/errors.ts'
import { PROPOSED_TEXT_BYTES } from '../../base/limits.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { getProposal, type StoredStep } from './proposal.ts'

export interface ProposedFile {
  /** The number of the call that adds it, from 0. */
  step: number
  name: string
  mediaType: string
  /** Bytes. */
  size: number
  /** SHA-256 in hex. */
  hash: string
  /** What a short text file contains. Others are opened from the page. */
  text?: string
}

/** The name of a file that was proposed without one. */
const UNNAMED = 'file'

export async function proposedFiles({ files, tx }: Space, row: ProposalRow): Promise<ProposedFile[]> {
  const steps = JSON.parse(row.steps) as readonly StoredStep[]
  const all: ProposedFile[] = []
  let left = PROPOSED_TEXT_BYTES
  for (const { step, hash, size, mediaType } of await filesOfProposal(tx, row.n)) {
    const name = steps[step]?.arguments.fileName
    const file = { step, name: typeof name === 'string' ? name : UNNAMED, mediaType, size, hash }
    const text = size > left ? undefined : textOf(await files.readAll(hash, tx, size))
    if (size <= left) left -= size
    all.push({ ...file, ...(text !== undefined && { text }) })
  }
  return all
}

/** Returns undefined for bytes that are not a text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** @throws NOT_FOUND_ERROR for a proposal that the connection does not see, or a call that adds no file */
export async function getProposedFile(
  space: Space,
  id: GivenId,
  step: number,
): Promise<Pick<FileRow, 'hash' | 'size' | 'mimeType' | 'name'>> {
  await space.resolveIds([id])
  const row = await getProposal(space, id)
  const found = (await filesOfProposal(space.tx, row.n)).find((file) => file.step === step)
  if (found === undefined) throw notFound('Expected a file of this proposal, found none; open the proposal again.')
  const name = (JSON.parse(row.steps) as readonly StoredStep[])[step]?.arguments.fileName
  return { ...found, mimeType: found.mediaType, name: typeof name === 'string' ? name : UNNAMED }
}

import { z } from 'zod'
import { byKind, endpoint } from '../src/endpoint.ts'
import { addFile, markUploadUsed, stepFileOf } from '../src/space/editing/add-file.ts'
import { type FileInput, prepareFile } from '../src/space/files/file-input.ts'
import type { Position } from '../src/space/model/positions.ts'
import type { ConnectionKind } from '../src/space/model/space.ts'
import { position, positionBrief } from './shapes/positions.ts'

const hidden = z.string().optional().meta({ hidden: true })
const positionText = z.enum(['start', 'end', 'before', 'after'])

/** The further parameters of a position that is given as a word, as in the contract's queries. */
interface FlatPosition {
  pageId?: string | undefined
  date?: string | undefined
  siblingId?: string | undefined
}

function resolvePosition(
  kind: ConnectionKind,
  input: string | Position | undefined,
  flat: FlatPosition,
  addIssue: (message: string) => void,
) {
  if (typeof input === 'object') return input
  const target = Object.fromEntries(Object.entries(flat).filter(([, value]) => value !== undefined))
  if (kind !== 'daily' && Object.keys(target).length === 0) {
    const targets = kind === 'full' ? 'pageId, siblingId or date' : 'pageId or siblingId'
    addIssue(`Expected where the file is to stand: position with ${targets}, found no target; name one.`)
    return undefined
  }
  if (kind !== 'daily' && input === undefined) {
    const named = Object.keys(target).join(' and ')
    addIssue(`Expected position as start, end, before or after beside ${named}, found none; say which.`)
    return undefined
  }
  const parsed = position[kind].safeParse({ position: input ?? 'end', ...target })
  if (parsed.success) return parsed.data
  for (const { message } of parsed.error.issues) addIssue(message)
  return undefined
}

const add = endpoint({
  name: 'files_add',
  title: 'Add a file',
  description:
    'Add an image, video or file: its text, data (base64) or a local path; or none, for an address that takes one PUT.',
  route: 'POST /upload',
  effect: 'add',
  alsoKnownAs: ['files_upload', 'files_create', 'images_add', 'images_upload'],
  rawBody: true,
  input: byKind((kind: ConnectionKind) =>
    z
      .strictObject({
        position: z.union([positionBrief[kind], positionText]).optional(),
        pageId: hidden,
        date: hidden,
        siblingId: hidden,
        fileName: z.string().min(1).optional(),
        mimeType: z.string().optional(),
        text: z.string().optional(),
        data: z.string().meta({ contentEncoding: 'base64' }).optional(),
        path: z.string().optional(),
        ticket: hidden,
      })
      .transform(({ position, pageId, date, siblingId, ...file }, context): FileInput => {
        const found = resolvePosition(kind, position, { pageId, date, siblingId }, (message) =>
          context.addIssue({ code: 'custom', message, input: position }),
        )
        return found === undefined ? z.NEVER : { ...file, position: found }
      }),
  ),
  output: z.strictObject({
    blockId: z.string().optional(),
    assetUrl: z.string().optional(),
    uploadUrl: z.string().optional(),
    expiresAt: z.string().optional(),
    documentId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
  }),
  prepare: prepareFile,
  awaitsUpload: ({ file }) => file === undefined,
  file: stepFileOf,
  whenProposed: ({ space }, { input }) => markUploadUsed(space, input),
  payloadIdentity: ({ file }) => file && [file.written.hash, file.detected.mimeType],
  blocks: { write: () => 1 },
  writtenIds: ({ blockId = [] }) => [blockId].flat(),
  handle: ({ space }, file) => addFile(space, file),
})

export const files = [add]

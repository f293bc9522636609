/** Images of the blocks in an answer: whiteboards are rendered, image blocks are shown. */

import type { BlockRow } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import { IMAGE_BYTES, IMAGES_PER_ANSWER } from '../../base/limits.ts'
import { createImageReader } from '../files/file-images.ts'
import type { Space } from '../model/space.ts'
import { getWhiteboardPreview } from '../whiteboards/whiteboard-images.ts'

/** An image of a block for an answer; `data` is in base64. */
export interface PreviewImage {
  blockId: string
  mimeType: string
  data: string
}

export interface PreviewImages {
  images?: PreviewImage[]
  /** Says which images are omitted. */
  note?: string
}

/** Reasons for which images are omitted, and what to do then. */
const OMISSION_REASONS = {
  more: `too many for one answer, which shows ${IMAGES_PER_ANSWER}; ask for one by its ID`,
  undrawn: 'too long to draw; read its text',
  unfit: `shown are PNG, JPEG, GIF and WebP of at most ${IMAGE_BYTES / 1e6} MB`,
  damaged: 'its bytes are missing or changed on the disk of this server; add the file again, or restore a backup',
  foreign: 'its bytes are elsewhere, and are not fetched',
}

/** The maximum number of IDs in one sentence. */
const IDS_PER_SENTENCE = 20

/** @param rows  in the order of the answer, which is also that of the images */
export async function getPreviewImages(space: Space, rows: readonly BlockRow[]): Promise<PreviewImages> {
  const visible = rows.filter(({ type }) => type === 'whiteboard' || type === 'image')
  const imageOf = await createImageReader(
    space,
    visible.filter(({ type }) => type === 'image'),
  )
  const images: PreviewImage[] = []
  const boxes: string[] = []
  const omitted = new Map<keyof typeof OMISSION_REASONS, string[]>()
  for (const row of visible) {
    const isFull = images.length === IMAGES_PER_ANSWER
    const preview = await (row.type === 'image' ? imageOf(row, isFull) : getWhiteboardPreview(space, row, isFull))
    if (preview === undefined) continue
    const blockId = space.spellId(row.id)
    if (typeof preview === 'object') {
      const { mimeType, data } = preview
      images.push({ blockId, mimeType, data })
      if ('missing' in preview && preview.missing.length > 0) boxes.push(boxesSentence(blockId, preview.missing))
    } else addToGroup(omitted, preview, blockId)
  }
  const sentences = [...omitted].map(([reason, ids]) => `No picture of ${formatIds(ids)}: ${OMISSION_REASONS[reason]}.`)
  const notes = [...sentences, ...boxes]
  return { images, ...(notes.length > 0 && { note: notes.join(' ') }) }
}

/** The maximum number of characters in one sentence. */
const CHARACTERS_PER_SENTENCE = 10

function boxesSentence(blockId: string, missing: readonly string[]): string {
  const shown = missing.slice(0, CHARACTERS_PER_SENTENCE).join('')
  const more = missing.length > CHARACTERS_PER_SENTENCE ? ` and ${missing.length - CHARACTERS_PER_SENTENCE} more` : ''
  return `The picture of ${blockId} has boxes in place of ${shown}${more}: this server has no font with these characters; install one, or start it with --fonts FOLDER.`
}

function formatIds(ids: readonly string[]): string {
  const shownIds = ids.slice(0, IDS_PER_SENTENCE).join(', ')
  return ids.length > IDS_PER_SENTENCE ? `${shownIds} and ${ids.length - IDS_PER_SENTENCE} more` : shownIds
}

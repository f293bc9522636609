/**
 * Images of the blocks in an answer: image blocks are shown, and whiteboards rendered. They are read in the transaction of
 * the answer, and rendered after it.
 */
import type { BlockRow } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import { IMAGE_BYTES, IMAGES_PER_ANSWER, RENDER_JSON_LENGTH } from '../../base/limits.ts'
import { createImageReader } from '../files/file-images.ts'
import type { Space } from '../model/space.ts'
import {
  lengthOfDrawing,
  readDrawing,
  renderDrawing,
  type WhiteboardDrawing,
} from '../whiteboards/whiteboard-images.ts'

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

/** What a response shows of a block: an image, a whiteboard that is not rendered yet, or the reason why there is none. */
type Shown = { mimeType: string; data: string; missing?: undefined } | WhiteboardDrawing | keyof typeof OMISSION_REASONS

/** By block, in the order of the answer. */
export type UnfinishedImages = readonly { blockId: string; shown: Shown }[]

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

/**
 * Reads the images of blocks. One that cannot be rendered counts as shown, so that a page of slow boards takes no longer
 * than others.
 *
 * @param rows  in the order of the answer, which is also that of the images
 */
export async function readPreviewImages(space: Space, rows: readonly BlockRow[]): Promise<UnfinishedImages> {
  const visible = rows.filter(({ type }) => type === 'whiteboard' || type === 'image')
  const imageOf = await createImageReader(
    space,
    visible.filter(({ type }) => type === 'image'),
  )
  const found: { blockId: string; shown: Shown }[] = []
  let [count, length] = [0, 0]
  for (const row of visible) {
    const isFull = count === IMAGES_PER_ANSWER || length >= RENDER_JSON_LENGTH
    const shown = await (row.type === 'image' ? imageOf(row, isFull) : readDrawing(space, row, isFull))
    if (shown === undefined) continue
    if (typeof shown === 'object') count++
    if (typeof shown === 'object' && 'input' in shown) length += lengthOfDrawing(shown)
    found.push({ blockId: space.spellId(row.id), shown })
  }
  return found
}

/** Renders whiteboards. Call it outside of transactions. */
export async function finishPreviewImages(found: UnfinishedImages): Promise<PreviewImages> {
  const images: PreviewImage[] = []
  const boxes: string[] = []
  const omitted = new Map<keyof typeof OMISSION_REASONS, string[]>()
  for (const { blockId, shown } of found) {
    const preview = typeof shown === 'object' && 'input' in shown ? await renderDrawing(shown) : shown
    if (typeof preview === 'object') {
      const { mimeType, data, missing = [] } = preview
      images.push({ blockId, mimeType, data })
      if (missing.length > 0) boxes.push(boxesSentence(blockId, missing))
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

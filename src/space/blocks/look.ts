/** What of an answer's blocks can be seen: whiteboards are drawn, image blocks are shown. */
import type { BlockRow } from '../../../storage/schema.ts'
import { IMAGE_BYTES, PICTURES_PER_ANSWER } from '../../limits.ts'
import { imagesOf } from '../files/pictures.ts'
import type { Space } from '../space.ts'
import { drawingOf } from '../whiteboards/pictures.ts'

/** A picture of a block, as an answer shows it; `data` in base64. */
export interface Picture {
  blockId: string
  mimeType: string
  data: string
}

export interface Seen {
  images?: Picture[]
  /** Sentences on what is not shown. */
  note?: string
}

/** Why a picture is left out, and what to do then. */
const REASONS = {
  more: `too many for one answer, which shows ${PICTURES_PER_ANSWER}; ask for one by its ID`,
  undrawn: 'too long to draw; read its text',
  unfit: `shown are PNG, JPEG, GIF and WebP of at most ${IMAGE_BYTES / 1e6} MB`,
  damaged: 'its bytes are missing or changed on the disk of this server; add the file again, or restore a backup',
  foreign: 'its bytes are elsewhere, and are not fetched',
}

/** IDs that one sentence names. */
const NAMED = 20

/** @param rows  in the order of the answer, which is that of the pictures */
export async function look(space: Space, rows: readonly BlockRow[]): Promise<Seen> {
  const visible = rows.filter(({ type }) => type === 'whiteboard' || type === 'image')
  const imageOf = await imagesOf(
    space,
    visible.filter(({ type }) => type === 'image'),
  )
  const images: Picture[] = []
  const without = new Map<keyof typeof REASONS, string[]>()
  for (const row of visible) {
    const isFull = images.length === PICTURES_PER_ANSWER
    const seen = await (row.type === 'image' ? imageOf(row, isFull) : drawingOf(space, row, isFull))
    if (seen === undefined) continue
    if (typeof seen === 'object') images.push({ blockId: row.id, ...seen })
    else without.set(seen, [...(without.get(seen) ?? []), row.id])
  }
  const sentences = [...without].map(([reason, ids]) => `No picture of ${listed(ids)}: ${REASONS[reason]}.`)
  return { images, ...(sentences.length > 0 && { note: sentences.join(' ') }) }
}

function listed(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).join(', ')
  return ids.length > NAMED ? `${named} and ${ids.length - NAMED} more` : named
}

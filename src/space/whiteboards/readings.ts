/** Reads the whiteboards of an answer in words. */
import { countElements, firstElements } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { breathe } from '../../breathe.ts'
import { READING_ELEMENTS, READING_ELEMENTS_PER_ANSWER, READING_JSON } from '../../limits.ts'
import type { Space } from '../space.ts'
import { readingOf } from './reading.ts'
import { visibleElements } from './visible.ts'

/**
 * What is drawn on those of the blocks that are boards, by their number. Once very much has been read, the boards that
 * are left are counted alone.
 */
export async function readingsOf(space: Space, rows: readonly BlockRow[]): Promise<Map<number, string>> {
  const readings = new Map<number, string>()
  let left = READING_ELEMENTS_PER_ANSWER
  for (const { type, n } of rows) {
    if (type !== 'whiteboard') continue
    const count = await countElements(space.tx, n)
    if (count === 0) continue
    const kept = await firstElements(space.tx, n, Math.min(left, READING_ELEMENTS), READING_JSON)
    const elements = await visibleElements(space, kept)
    const reading = readingOf(elements, count)
    readings.set(n, reading === '' && kept.length < count ? notRead(count) : reading)
    left -= kept.length
    await breathe()
  }
  return readings
}

const notRead = (count: number): string =>
  `${count.toLocaleString('en-US')} elements, not read here: see elements_list.`

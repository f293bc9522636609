/** Numbers of list items, where the list that they continue is stored already. */
import { type SiblingRow, type Siblings, siblingsBefore } from '../../../storage/siblings.ts'
import type { Block } from '../../markdown/block.ts'
import { ListNumbers } from '../../markdown/list-numbers.ts'
import { asListItem, countedBlock } from '../../markdown/written-numbers.ts'
import { levelOfRow } from '../blocks/block-rows.ts'
import type { Space } from '../model/space.ts'

/** Siblings that are read at once. */
const SIBLINGS_PER_READ = 200

/** The open lists at a place among stored siblings, from which the numbers of further items are counted. */
export async function numbersBefore({ tx }: Space, siblings: Siblings, position: number): Promise<ListNumbers> {
  const before: SiblingRow[] = []
  for (let isOpen = true; isOpen; ) {
    const rows = await siblingsBefore(tx, siblings, before.at(-1)?.position ?? position, SIBLINGS_PER_READ)
    const end = rows.findIndex(endsCounting)
    before.push(...rows.slice(0, end < 0 ? undefined : end + 1))
    isOpen = end < 0 && rows.length === SIBLINGS_PER_READ
  }
  const numbers = new ListNumbers()
  for (const row of before.reverse()) {
    const { listStyle, number } = row
    numbers.next({ level: levelOfRow(row), isNumbered: listStyle === 'numbered', number: number ?? undefined })
  }
  return numbers
}

/** True for a block before which nothing counts: one at the top level that is outside of lists or has its own number. */
const endsCounting = ({ indentation, listStyle, number }: SiblingRow): boolean =>
  indentation === 0 && (listStyle !== 'numbered' || number !== null)

/** True for blocks whose meaning depends on the list before them: see {@link continueList}. */
export const mayContinueList = ([first]: readonly Block[]): boolean =>
  first?.leadingNumber !== undefined || first?.number !== undefined

/** The first of the blocks as an item, if it begins with a number and the list before it is open. */
export function continueList<B extends Block>(blocks: readonly B[], numbers: ListNumbers): readonly B[] {
  const [first, ...others] = blocks
  if (first?.leadingNumber === undefined || !numbers.isOpen(countedBlock(first).level)) return blocks
  return [asListItem(first), ...others]
}

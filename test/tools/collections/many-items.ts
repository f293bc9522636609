/** A collection of 10,000 items whose order is not that of their values. */
import { addDocument, type Workbench } from '../../bench/workbench.ts'

export const MANY = 10_000
/** Items that one call adds or lists. */
export const A_CALL = 1_000
export const STATES = ['Open', 'Doing', 'Done']

/** A permutation of the indexes that spreads neighbors apart. */
const placeOf = (index: number): number => (index * 7919) % MANY
export const items = Array.from({ length: MANY }, (_, index) => ({
  title: `Item ${index}`,
  properties: {
    note: `Words ${String(placeOf(index)).padStart(5, '0')}`,
    price: placeOf(index) % 100,
    ...(index % 4 > 0 && { state: STATES[index % 4 === 1 ? 0 : index % 3] }),
  },
}))
export type Item = (typeof items)[number]

export interface Listed {
  items: { title: string }[]
  groups?: { value?: string; count: number }[]
  calculations?: Record<string, number>
  pagination?: { cursor: string; remaining: number }
}

/** @returns the ID of the collection */
export async function addManyItems(bench: Workbench): Promise<string> {
  const properties = [
    { type: 'text', name: 'Note' },
    { type: 'number', name: 'Price' },
    { type: 'singleSelect', name: 'State', options: STATES.map((name) => ({ name })) },
  ]
  const position = { position: 'end', pageId: await addDocument(bench, 'Document') }
  const { collectionBlockId } = await bench.call<{ collectionBlockId: string }>('collections_add', {
    schema: { name: 'Things', properties },
    position,
  })
  for (let from = 0; from < MANY; from += A_CALL) {
    await bench.call('items_add', {
      ...{ collectionId: collectionBlockId, items: items.slice(from, from + A_CALL), answer: 'ids' },
    })
  }
  return collectionBlockId
}

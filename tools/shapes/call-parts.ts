/** How calls with a list are split for a person who decides on them: one part for each entry. */

import type { CallPart, CallSplitter, GivenArguments, PartKind, PartOrder } from '../../src/space/model/call-parts.ts'
import type { Space } from '../../src/space/model/space.ts'

interface EntryParts {
  kind: PartKind
  /** The field of an entry that has the ID of what it concerns; empty if the entry is the ID. */
  subject?: string
  order?: PartOrder
  /** True if each entry is put at the start or the end of a document that its arguments alone do not name. */
  isPlaced?: true
  /** The field of an entry that has the ID of what it continues. */
  continues?: string
}

interface Added {
  items: readonly GivenArguments[]
}

/** @param list  the argument that holds the entries */
export const entryParts = (list: string, { kind, subject, order, isPlaced, continues }: EntryParts): CallSplitter => ({
  async split(given, { space, answer }) {
    const places = isPlaced && (await placesOf(space, (answer as Added).items))
    return entriesIn(given, list)?.map((entry, index): CallPart => {
      const id = subject === '' ? entry : (entry as GivenArguments)[subject ?? '']
      return {
        ...{ arguments: { ...given, [list]: [entry] }, kind },
        ...(subject !== undefined && { subject: String(id) }),
        ...(order !== undefined && { order }),
        ...(places && { cameTo: places[index] }),
        ...(continues !== undefined && { continues: String((entry as GivenArguments)[continues]) }),
      }
    })
  },
})

/** The numbers of the documents that items of an answer have come to. Short answers leave out where that is. */
async function placesOf(space: Space, items: readonly GivenArguments[]): Promise<(number | undefined)[]> {
  const ids = items.map(({ id }) => String(id))
  const numbers = await space.readIds(ids)
  const rows = await space.findReachableBlocks([...numbers.values()])
  const placeOf = new Map(rows.map(({ id, document }) => [id, document]))
  return ids.map((id) => placeOf.get(numbers.get(id) ?? 0))
}

/** One part that needs those before it that add to the same: they stand there in the order in which they were made. */
export const addingPart = (field: string): CallSplitter => ({
  split: (given) => [{ arguments: given, kind: 'added', continues: String(given[field]) }],
})

/** One part for the title and each of the properties of an entry, if it has no conditions beside them. */
export const valueParts = (list: string): CallSplitter => ({
  split: (given) => entriesIn(given, list)?.flatMap((entry) => valuesOf(given, list, entry as GivenArguments)),
})

function valuesOf(given: GivenArguments, list: string, entry: GivenArguments): CallPart[] {
  const { id, title, properties, ...others } = entry
  const subject = String(id)
  const part = (change: GivenArguments, property?: string): CallPart => ({
    ...{ arguments: { ...given, [list]: [change] }, kind: 'value', subject },
    ...(property !== undefined && { property }),
  })
  const values = typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
  const hasOthers = Object.values(others).some((value) => value !== undefined)
  if (hasOthers || (values.length === 0 && title === undefined)) return [part(entry)]
  return [
    ...(title === undefined ? [] : [part({ id, title }, 'title')]),
    ...values.map(([key, value]) => part({ id, properties: { [key]: value } }, key)),
  ]
}

function entriesIn(given: GivenArguments, list: string): unknown[] | undefined {
  const entries = given[list]
  return Array.isArray(entries) && entries.length > 0 ? entries : undefined
}

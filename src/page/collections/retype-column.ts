/**
 * Changes the type of a column. The type of a property is fixed, so a new property replaces it. Convertible values are
 * copied in the same call.
 */

import type { PageCall } from '../page-call.ts'
import type { ItemEntry, ToolInput } from '../page-tools.ts'
import { convertValue, textOf } from './convert-values.ts'

/** Items per step, and the maximum number of rows: everything happens in one call with a limited number of steps. */
const ITEMS_PER_STEP = 1_000
const MAX_ROWS = 20_000
/** Maximum number of lost values to show. */
const EXAMPLES = 5

export interface RetypePlan {
  /** The calls, to be run as a batch. */
  steps: ToolInput<'batch'>['steps']
  kept: number
  lost: number
  /** Some of the lost values as text. */
  examples: string[]
}

/** @param schema  with the column in its new type, without a key */
export async function planRetype(
  call: PageCall,
  collectionId: string,
  {
    old,
    schema,
  }: {
    old: { key: string }
    schema: ToolInput<'schema_update'>['schema']
  },
): Promise<RetypePlan> {
  const place = schema.properties.findIndex(({ key }) => key === undefined)
  const rehearsed = await call.rehearse('schema_update', { collectionId, schema })
  const added = rehearsed.schema.properties[place]
  if (added === undefined) throw new Error('Expected the new column in the schema.')
  const { key } = added
  const plan: RetypePlan = {
    steps: [{ tool: 'schema_update', arguments: { collectionId, schema } }],
    kept: 0,
    lost: 0,
    examples: [],
  }
  for await (const items of itemsOf(call, collectionId, old.key)) {
    const itemsToUpdate: object[] = []
    for (const { id, properties } of items) {
      const before = properties[old.key]
      if (before === undefined || before === null) continue
      const value = convertValue(before, added)
      if (value === undefined) {
        plan.lost++
        const text = textOf(before)
        const example = text?.slice(0, 80)
        if (plan.examples.length < EXAMPLES && example && !plan.examples.includes(example)) plan.examples.push(example)
      } else {
        plan.kept++
        itemsToUpdate.push({ id, properties: { [key]: value } })
      }
    }
    if (itemsToUpdate.length === 0) continue
    plan.steps.push({ tool: 'items_update', arguments: { collectionId, itemsToUpdate, allowNewSelectOptions: true } })
  }
  return plan
}

async function* itemsOf(call: PageCall, collectionId: string, key: string): AsyncGenerator<ItemEntry[]> {
  let cursor: string | undefined
  for (let read = 0; read < MAX_ROWS; read += ITEMS_PER_STEP) {
    const answer = await call.run('items_list', {
      collectionId,
      maxDepth: 0,
      properties: [key],
      limit: ITEMS_PER_STEP,
      ...(cursor !== undefined && { cursor }),
    })
    yield answer.items
    cursor = answer.pagination?.cursor
    if (cursor === undefined) return
  }
}

/** Creates collections. Source: the interface, "Collections". */
import { insertCollection } from '../../../storage/collections.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { loadCollection } from '../collections/schema/find-collection.ts'
import { planSchema } from '../collections/schema/plan-schema.ts'
import { showSchema } from '../collections/schema/schema-answer.ts'
import type { SchemaInput } from '../collections/schema/schema-input.ts'
import { writeProperties } from '../collections/write-schema.ts'
import { InputErrors } from '../model/input-errors.ts'
import { type Position, resolvePosition } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { insertBlockTrees } from './insert-blocks.ts'

/**
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR with the path of every error in the schema, in which case nothing is
 *   written
 */
export async function addCollection(space: Space, schema: SchemaInput, position: Position) {
  const errors = new InputErrors()
  const plan = planSchema(schema, undefined, new Map(), errors)
  errors.throwIfAny()
  const target = await resolvePosition(space, position)
  const [added] = await insertBlockTrees(space, [{ type: 'collection', text: titleFromPlain(plan.name) }], target)
  if (added === undefined) throw new Error('Expected the block of a new collection.')
  const { row: block } = added
  await insertCollection(space.tx, {
    ...{ n: block.n, titleKey: plan.titleKey, titleName: plan.titleName, activeView: null },
  })
  await writeProperties(space, await loadCollection(space, block), plan)
  const collection = await loadCollection(space, block)
  const answer = {
    collectionBlockId: space.spellId(block.id),
    name: plan.name,
    schema: await showSchema(space, collection),
  }
  return { ...answer, ...target.resolvedDailyNote }
}

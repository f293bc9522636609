/** Makes collections. Source: the interface, "Collections". */
import { insertCollection } from '../../../storage/collections.ts'
import { titleOf } from '../../markdown/title.ts'
import { insertBlockTrees } from '../blocks/insert.ts'
import { InputErrors } from '../faults.ts'
import { type Position, resolvePosition } from '../positions.ts'
import { schemaAnswer } from '../schema/answer.ts'
import type { SchemaInput } from '../schema/input.ts'
import { planSchema } from '../schema/plan.ts'
import { writeProperties } from '../schema/write.ts'
import type { Space } from '../space.ts'
import { loadCollection } from './find.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR with the path of every fault of the schema: nothing is written then */
export async function addCollection(space: Space, schema: SchemaInput, position: Position) {
  const errors = new InputErrors()
  const plan = planSchema(schema, undefined, new Map(), errors)
  errors.throwIfAny()
  const target = await resolvePosition(space, position)
  const [added] = await insertBlockTrees(space, [{ type: 'collection', text: titleOf(plan.name) }], target)
  if (added === undefined) throw new Error('Expected the block of a new collection.')
  const { row: block } = added
  await insertCollection(space.tx, {
    ...{ n: block.n, titleKey: plan.titleKey, titleName: plan.titleName, activeView: null },
  })
  await writeProperties(space, await loadCollection(space, block), plan)
  const collection = await loadCollection(space, block)
  const answer = { collectionBlockId: block.id, name: plan.name, schema: await schemaAnswer(space, collection) }
  return { ...answer, ...target.resolvedDailyNote }
}

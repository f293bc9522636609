/** Makes collections. Source: the interface, "Collections". */
import { insertCollection } from '../../../storage/collections.ts'
import { titleOf } from '../../markdown/title.ts'
import { insertTree } from '../blocks/insert.ts'
import { Faults } from '../faults.ts'
import { findTarget, type Position } from '../positions.ts'
import { schemaAnswer } from '../schema/answer.ts'
import type { SchemaInput } from '../schema/input.ts'
import { planSchema } from '../schema/plan.ts'
import { writeProperties } from '../schema/write.ts'
import type { Space } from '../space.ts'
import { collectionOf } from './find.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR with the path of every fault of the schema: nothing is written then */
export async function addCollection(space: Space, schema: SchemaInput, position: Position) {
  const faults = new Faults()
  const plan = planSchema(schema, undefined, new Map(), faults)
  faults.refuse()
  const target = await findTarget(space, position)
  const [added] = await insertTree(space, [{ type: 'collection', text: titleOf(plan.name) }], target)
  if (added === undefined) throw new Error('Expected the block of a new collection.')
  const { row: block } = added
  await insertCollection(space.tx, {
    ...{ n: block.n, titleKey: plan.titleKey, titleName: plan.titleName, activeView: null },
  })
  await writeProperties(space, await collectionOf(space, block), plan)
  const collection = await collectionOf(space, block)
  const answer = { collectionBlockId: block.id, name: plan.name, schema: await schemaAnswer(space, collection) }
  return { ...answer, ...target.landed }
}

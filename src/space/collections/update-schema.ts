/** Replaces the schema of a collection. Source: the interface, "Collections", and its shapes, 3. */

import { setTitleName } from '../../../storage/collections.ts'
import { countGreaterValues, countValues } from '../../../storage/properties.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { assertDeletionAllowed } from '../model/access.ts'
import { restoreText } from '../model/block-links.ts'
import { updateRow } from '../model/block-writes.ts'
import { assertAsExpected, type Expected } from '../model/conditions.ts'
import type { AnyId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import { propertyTraits } from '../model/property-traits.ts'
import { reachOf, type Space } from '../model/space.ts'
import { canReachCollection, findCollection, type Property } from './schema/find-collection.ts'
import { planSchema } from './schema/plan-schema.ts'
import { reachableTargets, schemaAnswer, showSchema } from './schema/schema-answer.ts'
import type { SchemaInput } from './schema/schema-input.ts'
import { writeProperties } from './write-schema.ts'

/**
 * Properties are matched by key, or by name and type. All other properties are deleted with their values, and the same
 * goes for options, and for ratings that a smaller `max` excludes. The other side of a deleted relation is deleted too if it is within reach. Values that lead out of
 * reach are never counted. Properties and options that were added or restored since the connection last read or wrote
 * the schema stay, and a note names them.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR with the path of every error; FORBIDDEN if values would be deleted and the
 *   link may not delete. Nothing is written in any of these cases.
 */
export async function updateSchema(space: Space, collectionId: AnyId, schema: SchemaInput, expected?: Expected) {
  const collection = await findCollection(space, collectionId)
  await assertAsExpected(expected, {
    ...{ noun: 'the schema of collection', id: space.spellId(collection.block.id) },
    read: async () => ({ ...(await schemaAnswer(space, collection)) }),
  })
  const errors = new InputErrors()
  const seen = space.seenSchemas.of(space.link, collection.n)
  const plan = planSchema(schema, collection, await reachableTargets(space, collection), errors, seen)
  errors.throwIfAny()
  const removedValues = await countValues(
    space.tx,
    plan.removedProperties.map(({ n }) => n),
    plan.removedOptions.map(({ n }) => n),
    reachOf(space.link),
  )
  const droppedValues = removedValues + (await countGreaterValues(space.tx, plan.loweredMaxima))
  await assertNoUnseenLoss(space, plan.removedProperties)
  assertDeletionAllowed(space.link, droppedValues, {
    expected: 'a schema that keeps all values',
    found: `${droppedValues} that would go with the properties, options and stars left out`,
    instead: 'keep those that schema_get shows',
  })
  const { block } = collection
  if (plan.name !== collection.name) {
    const text = restoreText(block.type, titleFromPlain(plan.name), block.text)
    Object.assign(block, { text, modifiedAt: space.now, modifiedBy: space.link.author })
    await updateRow(space, block)
  }
  await setTitleName(space.tx, collection.n, plan.titleName)
  await writeProperties(space, collection, plan)
  await space.markChanged(block.document)
  const after = await showSchema(space, await findCollection(space, collectionId))
  if (plan.unseen.length > 0) space.notes.add(keptNote(plan.unseen))
  return { collectionBlockId: space.spellId(block.id), schema: after, ...(droppedValues > 0 && { droppedValues }) }
}

function keptNote(unseen: readonly string[]): string {
  const more = unseen.length > KEPT_SHOWN ? ` and ${unseen.length - KEPT_SHOWN} more` : ''
  return `Kept what was added since this connection last read the schema: ${unseen.slice(0, KEPT_SHOWN).join(', ')}${more}. To delete it, send the schema without it once more.`
}

/** Properties and options that the note names. */
const KEPT_SHOWN = 20

/**
 * If the link may not delete, properties whose values may lead out of reach cannot be removed. The check does not look
 * at the values, so that a refusal does not reveal whether such values exist.
 */
async function assertNoUnseenLoss(space: Space, removed: readonly Property[]): Promise<void> {
  if (space.kind === 'full') return
  const unseen: Property[] = []
  for (const property of removed) {
    const { type, target } = property
    if (propertyTraits(type).values === 'block' || (target !== null && !(await canReachCollection(space, target))))
      unseen.push(property)
  }
  assertDeletionAllowed(space.link, unseen.length, {
    expected: 'a schema that keeps the properties whose values may lead to blocks out of reach',
    found: `${unseen.map(({ key }) => key).join(', ')} left out`,
    instead: 'keep those that schema_get shows',
  })
}

/** Writes what says which items are done to the relation that says what the items of a collection depend on. */
import { isDeepStrictEqual } from 'node:util'
import { updateProperties } from '../../../storage/properties.ts'
import { invalid, invalidFields, ScriptoriumError } from '../../base/errors.ts'
import { allDependentItems, type DoneRule, doneRule, findCycle } from '../model/dependencies.ts'
import type { Space } from '../model/space.ts'
import { type Collection, loadCollection, type Property } from './schema/find-collection.ts'
import { optionNamed } from './schema/option-names.ts'
import type { SchemaPlan } from './schema/plan-schema.ts'
import { describeDone, doneAnswer } from './schema/schema-answer.ts'
import type { DependsOnInput } from './schema/schema-input.ts'
import type { Column } from './views/view.ts'
import { describeColumn } from './views/view-columns.ts'
import { parseFilter } from './views/view-filters.ts'
import { viewColumnsOf } from './views/views.ts'

/**
 * Call it once the properties and options of the plan are written.
 *
 * @throws VALIDATION_ERROR if a rule does not fit the collection, a second relation has one, or the items of the relation
 *   depend on themselves
 */
export async function writeDependencies(
  space: Space,
  { block }: Pick<Collection, 'block'>,
  { properties: planned }: SchemaPlan,
): Promise<void> {
  if (
    !planned.some(({ type, config, dependsOn }) => type === 'relation' && (config !== null || dependsOn !== undefined))
  )
    return
  const collection = await loadCollection(space, block)
  const marked = collection.properties.flatMap((property) => {
    const { path, dependsOn } = planned.find(({ key }) => key === property.key) ?? {}
    const before = doneRule(property)
    if (path === undefined || (before === undefined && dependsOn === undefined)) return []
    const at = `${path}.config.dependsOn`
    const rule = atPath(at, () => planRule(collection, property, before, dependsOn))
    return [{ property, path: at, before, rule, isGuessed: dependsOn === true }]
  })
  const [first, second] = marked.filter(({ rule }) => rule !== undefined)
  if (first !== undefined && second !== undefined) {
    const message = `Expected one relation with dependsOn in a collection, found it on ${first.property.key} as well; set it to false on one of them.`
    throw invalidFields([{ path: second.path, message }])
  }
  const changed = marked.filter(({ rule, before }) => !isDeepStrictEqual(rule, before))
  await updateProperties(
    space.tx,
    changed.map(({ property: { options: _, storedName, ...row }, rule }) => {
      return { ...row, name: storedName, config: rule === undefined ? null : JSON.stringify({ dependsOn: rule }) }
    }),
  )
  for (const { property, path, before, rule, isGuessed } of changed) {
    if (rule === undefined) continue
    if (before === undefined) await assertAcyclic(space, property, path)
    if (isGuessed) reportGuess(space, collection, property, rule)
  }
}

/** Undefined for a relation without dependencies. */
function planRule(
  collection: Collection,
  property: Property,
  before: DoneRule | undefined,
  dependsOn: DependsOnInput | undefined,
): DoneRule | undefined {
  if (dependsOn === false) return undefined
  if (dependsOn === undefined || (dependsOn === true && before !== undefined)) {
    assertStillThere(collection, property, before)
    return before
  }
  if (property.target !== collection.n) {
    throw invalid(
      `Expected dependsOn on a relation of the collection with itself, found it on ${property.key}, which leads to another collection; leave it out.`,
    )
  }
  return dependsOn === true ? guessRule(collection) : parseRule(collection, dependsOn.done)
}

type DoneInput = Exclude<DependsOnInput, boolean>['done']

function parseRule(collection: Collection, done: DoneInput): DoneRule {
  const column = viewColumnsOf(collection).findByName(done.property)
  const filter = CAN_SAY_DONE[column.type] ? parseFilter(column, done, new Map()) : undefined
  if (filter === undefined || filter.filterType.startsWith('string_')) {
    throw invalid(
      `Expected a filter on a checkbox, select, number, rating or date as done, found ${done.filterType} on ${describeColumn(column)}; name the property that says when an item is done.`,
    )
  }
  return filter as DoneRule
}

/** Types whose filters read the values of the item alone, without comparing texts. */
const CAN_SAY_DONE: Readonly<Record<Column['type'], boolean>> = {
  ...{ boolean: true, singleSelect: true, multiSelect: true, number: true, rating: true, date: true },
  ...{
    title: false,
    text: false,
    url: false,
    email: false,
    phone: false,
    relation: false,
    blockLink: false,
    person: false,
  },
}

const DONE = 'Done'

/** Takes the only checkbox, or the only select with an option Done, if there is no other of either. */
function guessRule(collection: Collection): DoneRule {
  const choices = collection.properties.flatMap(({ key, type, options }): DoneInput[] => {
    if (type === 'boolean') return [{ property: key, filterType: 'equals', filterValue: true }]
    const option = type === 'singleSelect' ? optionNamed(options, DONE) : undefined
    return option === undefined ? [] : [{ property: key, filterType: 'select_isAnyOf', filterValue: [option] }]
  })
  const [only, ...more] = choices
  if (only !== undefined && more.length === 0) return parseRule(collection, only)
  const found = only === undefined ? 'none' : choices.map(({ property }) => property).join(' and ')
  const example = only ?? { property: 'KEY', filterType: 'select_isAnyOf', filterValue: ['OPTION'] }
  throw invalid(
    `Expected one checkbox, or one select with an option ${DONE}, to say when an item is done, found ${found}; give dependsOn { "done": ${JSON.stringify(example)} } with the one that is meant.`,
  )
}

/** @throws VALIDATION_ERROR if the schema leaves out the property, or all options, that say when an item is done */
function assertStillThere({ properties }: Collection, { key }: Property, rule: DoneRule | undefined): void {
  if (rule === undefined) return
  const column = properties.find(({ n }) => n === rule.property)
  const { value } = rule
  const isThere =
    value === undefined || !('options' in value) || column?.options.some(({ n }) => value.options.includes(n))
  if (column !== undefined && isThere) return
  throw invalid(
    `Expected what says when the items that ${key} leads to are done, found the property or its option left out; keep it, give dependsOn { done } another filter, or set dependsOn to false.`,
  )
}

async function assertAcyclic(space: Space, { n, key }: Property, path: string): Promise<void> {
  const cycle = await findCycle(space, n, await allDependentItems(space.tx, n))
  if (cycle === undefined) return
  const message = `Expected items that do not depend on themselves, found ${cycle.words} in ${key}; take one of these out of it first.`
  throw invalidFields([{ path, message }])
}

function reportGuess(space: Space, collection: Collection, property: Property, rule: DoneRule): void {
  const done = doneAnswer(collection, { ...property, config: JSON.stringify({ dependsOn: rule }) })
  if (done === undefined) return
  space.notes.add(
    `Items of ${property.key} count as done by ${describeDone(done)}; dependsOn { done } takes another filter.`,
  )
}

function atPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    throw invalidFields([{ path, message: error.message }])
  }
}

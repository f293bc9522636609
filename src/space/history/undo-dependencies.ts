/** Checks the dependencies between items in an undo plan: no item may depend on itself, and what says what is done stays. */
import { type HistoryRow, rowsByNumbers, rowsReferringTo } from '../../../storage/history.ts'
import type { PropertyRow } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import {
  allDependentItems,
  type DoneRule,
  doneRule,
  type Edge,
  edgesInCycles,
  itemsInCycles,
  readDependencies,
} from '../model/dependencies.ts'
import { readLater, type TieConflict } from './later-events.ts'
import { conflictOf, type PlannedRow, type UndoneEvents, type UndoPlan } from './planned-row.ts'
import type { RowEvent, RowState } from './row-history.ts'

const ruleOf = (property: HistoryRow): DoneRule | undefined =>
  doneRule(property as unknown as Pick<PropertyRow, 'type' | 'config'>)

const plannedIn = ({ rows }: UndoPlan, table: 'value' | 'property' | 'option'): PlannedRow[] =>
  [...rows.values()].filter(({ history }) => history.table === table)

const refersTo = ({ isThere, columns }: RowState): boolean => isThere && typeof columns.target === 'number'

/** Finds values and rules that would make items depend on themselves. */
export async function closingDependencies(
  tx: Transaction,
  plan: UndoPlan,
  options: UndoneEvents,
): Promise<TieConflict[]> {
  const values = plannedIn(plan, 'value').filter(({ history, target }) => refersTo(target) || refersTo(history.now))
  const properties = plannedIn(plan, 'property')
  if (values.length === 0 && !properties.some(({ target }) => ruleOf(target.columns) !== undefined)) return []
  const found: TieConflict[] = []
  for (const relation of await dependenciesAfter(tx, values, properties)) {
    const planned = properties.find(({ history }) => history.number === relation.n)
    const { now } = planned?.history ?? {}
    const isNew = now !== undefined && !(now.isThere && ruleOf(now.columns) !== undefined)
    const ofRelation = valueEdges(values, relation)
    const changes = {
      added: ofRelation.flatMap(({ after }) => after ?? []),
      removed: ofRelation.flatMap(({ isMirror, before }) => (isMirror ? [] : (before ?? []))),
    }
    if (isNew && planned !== undefined) {
      const starts = [...(await allDependentItems(tx, relation.n)), ...changes.added.map(([item]) => item)]
      const items = [...itemsInCycles(await readDependencies(tx, relation.n, starts, changes)).keys()]
      if (items.length === 0) continue
      const events = await laterDependencies(tx, items, relation, options)
      found.push({
        key: planned.key,
        conflict: conflictOf({ table: 'value', number: items[0] ?? 0 }, events, options.calls),
      })
      continue
    }
    const { edges, items } = await edgesInCycles(tx, relation.n, changes)
    if (edges.length === 0) continue
    const events = await laterDependencies(tx, items, relation, options)
    for (const { key, history } of withMirrors(ofRelation, edges)) {
      found.push({ key, conflict: conflictOf({ table: 'value', number: history.number }, events, options.calls) })
    }
  }
  return found
}

/** A relation that says what items depend on. */
interface Relation {
  n: number
  otherSide: number | null
}

/** The relations with a rule that these values belong to, once everything is undone. */
async function dependenciesAfter(
  tx: Transaction,
  values: readonly PlannedRow[],
  properties: readonly PlannedRow[],
): Promise<Relation[]> {
  const rows = new Map<number, HistoryRow>()
  const planned = new Map(properties.map(({ history, target }) => [history.number, target]))
  const read = async (numbers: readonly number[]) => {
    for (const row of await rowsByNumbers(tx, 'property', numbers)) rows.set(row.n as number, row)
    for (const [n, { isThere, columns }] of planned) isThere ? rows.set(n, columns) : rows.delete(n)
  }
  await read([...new Set(values.map(({ target }) => target.columns.property as number))])
  const otherSides = [...rows.values()].flatMap(({ other_side }) => (typeof other_side === 'number' ? other_side : []))
  await read(otherSides.filter((n) => !rows.has(n)))
  return [...rows.values()].flatMap((row) =>
    ruleOf(row) === undefined ? [] : { n: row.n as number, otherSide: row.other_side as number | null },
  )
}

/** A planned value as a dependency, now and after the undo. */
interface ValueEdge {
  row: PlannedRow
  /** True for a value of the other side of the relation. */
  isMirror: boolean
  before: readonly Edge[] | undefined
  after: readonly Edge[] | undefined
}

function valueEdges(values: readonly PlannedRow[], { n, otherSide }: Relation): ValueEdge[] {
  return values.flatMap((row): ValueEdge[] => {
    const { property } = row.target.columns
    if (property !== n && property !== otherSide) return []
    const isMirror = property !== n
    const edgeOf = (state: RowState): readonly Edge[] | undefined => {
      if (!refersTo(state)) return undefined
      const [item, target] = [state.columns.item as number, state.columns.target as number]
      return [isMirror ? [target, item] : [item, target]]
    }
    return [{ row, isMirror, before: edgeOf(row.history.now), after: edgeOf(row.target) }]
  })
}

/** The planned values that add these dependencies, and those of the other side that change with them. */
function withMirrors(values: readonly ValueEdge[], closing: readonly Edge[]): PlannedRow[] {
  const edges = new Set(closing.map(String))
  const isAmong = (some: readonly Edge[] | undefined, set: ReadonlySet<string>) =>
    some?.some((edge) => set.has(String(edge))) === true
  const left = values.filter(({ after }) => isAmong(after, edges))
  const kept = new Set(left.flatMap(({ before }) => before ?? []).map(String))
  return values.filter(({ before, after }) => isAmong(after, edges) || isAmong(before, kept)).map(({ row }) => row)
}

/** How many items of cycles are read to name the calls that changed what they depend on. */
const ITEMS_READ = 100

async function laterDependencies(
  tx: Transaction,
  items: readonly number[],
  { n, otherSide }: Relation,
  options: UndoneEvents,
): Promise<RowEvent[]> {
  const shown = items.slice(0, ITEMS_READ)
  const later = await readLater(tx, 'value', shown, options)
  return shown
    .flatMap((item) => later.ofNumber(item))
    .filter(({ after: { columns } }) => columns.property === n || columns.property === otherSide)
}

/** Finds properties and options that would be deleted although a relation still tells by them what is done. */
export async function lostRules(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const isGoing = ({ history, target }: PlannedRow) => history.now.isThere && !target.isThere
  const goingProperties = plannedIn(plan, 'property').filter(isGoing)
  const goingOptions = plannedIn(plan, 'option').filter(isGoing)
  if (goingProperties.length === 0 && goingOptions.length === 0) return []
  const owners = await rowsByNumbers(
    tx,
    'property',
    goingOptions.map(({ history }) => history.now.columns.property as number),
  )
  const collections = [...goingProperties.map(({ history }) => history.now.columns), ...owners].map(
    ({ collection }) => collection as number,
  )
  const planned = new Map(plannedIn(plan, 'property').map(({ history, target }) => [history.number, target]))
  const found: TieConflict[] = []
  for (const row of await rowsReferringTo(tx, 'property', 'collection', [...new Set(collections)])) {
    const number = row.n as number
    const state = planned.get(number)
    const rule = state?.isThere === false ? undefined : ruleOf(state?.columns ?? row)
    if (rule === undefined) continue
    const { property, value } = rule
    const optionRows = goingOptions.filter(
      ({ history }) => value !== undefined && 'options' in value && value.options.includes(history.number),
    )
    const isLastOption = value !== undefined && 'options' in value && optionRows.length === value.options.length
    const lost = [
      ...goingProperties.filter(({ history }) => history.number === property),
      ...(isLastOption ? optionRows : []),
    ]
    if (lost.length === 0) continue
    const later = await readLater(tx, 'property', [number], options)
    for (const { key } of lost)
      found.push({ key, conflict: conflictOf({ table: 'property', number }, later.ofNumber(number), options.calls) })
  }
  return found
}

/** The results of items_list with filters, sorts and groups, compared with a simple model in memory. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALCULATIONS, FILTER_TYPES } from '../../../src/space/collections/views/view.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, connect } from '../../connect.ts'
import { runs } from '../../support/runs.ts'

type Value = string | number | boolean
/** The values of an item by property. No list is empty, and `title` is one of the properties. */
type Item = Record<string, readonly Value[]>
interface Property {
  name: string
  type: string
}
interface Filter {
  property: string
  filterType: string
  filterValue?: Answer
}

const OPTIONS = ['Low', 'mid', 'Hígh', 'A', 'á']
const TEXTS = ['a', 'A', 'á', 'ab', 'B c', 'É*x*', 'ß', 'zz', 'ab'.repeat(60), `${'ab'.repeat(60)}c`]
const DATES = ['2024-02-29', '2025-01-31', '2026-11-20', '2026-11-21', '2027-03-30']
const RANGES = ['2025-01-30/2025-02-02', '2026-11-20/2026-11-21', '2026-11-20/2027-03-30']
const NUMBERS = [-2.5, 0, 1, 1.5, 7, 100]
const NOW_DATES: Record<string, string> = { today: '2026-11-20', tomorrow: '2026-11-21' }
/** Names of the items in the other collection, used in place of their IDs. */
const OTHERS = ['x', 'Y', 'ý', 'z']
/** Names of members. No two are the same without letter case, since then a name would mean none. */
const PEOPLE = ['ada', 'Béla', 'bela', 'Zoé']

const DOMAINS: Record<string, readonly Value[]> = {
  title: TEXTS,
  text: TEXTS,
  phone: ['1', '2', '12'],
  url: ['https://a.example', 'https://B.example'],
  email: ['a@b.example', 'B@b.example'],
  number: NUMBERS,
  date: [...DATES, ...RANGES],
  rating: [1, 2, 3, 5],
  boolean: [true, false],
  singleSelect: OPTIONS,
  multiSelect: OPTIONS,
  relation: OTHERS,
  blockLink: OTHERS,
  person: PEOPLE,
}
const isMany = (type: string) => type === 'multiSelect' || type === 'relation' || type === 'person'
const isBlock = (type: string) => type === 'relation' || type === 'blockLink'
const isText = (type: string) => ['title', 'text', 'phone', 'url', 'email'].includes(type)
const isSelect = (type: string) => type === 'singleSelect' || type === 'multiSelect'

// The model.

/** The first and the last day of a date or range. */
const startOf = (value: Value = '') => String(value).slice(0, 10)
const endOf = (value: Value = '') => String(value).slice(-10)

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const valuesOf = (item: Item, { name }: Property) => item[name] ?? []
const sameSet = (one: readonly Value[], other: readonly Value[]) =>
  one.length === other.length && one.every((value) => other.includes(value))

function holds(item: Item, property: Property, { filterType, filterValue }: Filter): boolean {
  const own = valuesOf(item, property)
  const wanted: Value[] = [filterValue].flat()
  const [first = ''] = wanted
  const day = NOW_DATES[String(first)] ?? first
  const contrary = /_doesNotContain|doesNotEqual|NoneOf|_notEqual/.test(filterType)
  const compare = (by: (value: number) => boolean) => own.some((value) => by(Number(value) - Number(first)))
  const positive = (): boolean => {
    switch (filterType.replace(/^.*_/, '')) {
      case 'isEmpty':
        return own.length === 0
      case 'isNotEmpty':
        return own.length > 0
      case 'contains':
      case 'doesNotContain':
        return own.some((value) => fold(String(value)).includes(fold(String(first))))
      case 'isAnyOf':
      case 'isNoneOf':
      case 'hasAnyOf':
      case 'hasNoneOf':
        return own.some((value) => wanted.includes(value))
      case 'hasAllOf':
        return wanted.every((value) => own.includes(value))
      case 'isBefore':
        return own.some((value) => endOf(value) < day)
      case 'isAfter':
        return own.some((value) => startOf(value) > day)
      case 'smaller':
        return compare((by) => by < 0)
      case 'smallerOrEqual':
        return compare((by) => by <= 0)
      case 'greater':
        return compare((by) => by > 0)
      case 'greaterOrEqual':
        return compare((by) => by >= 0)
      default:
        // A checkbox without a value is not checked.
        if (property.type === 'boolean') return (own[0] ?? false) === first
        if (property.type === 'date') return own.some((value) => startOf(value) <= day && day <= endOf(value))
        if (property.name === 'title') return sameSet(own.map(String).map(fold), wanted.map(String).map(fold))
        return sameSet(own, wanted)
    }
  }
  return positive() !== contrary
}

function keyOf(item: Item, property: Property, exact = false, isGroup = false): string | number | undefined {
  const [first, ...more] = valuesOf(item, property)
  if (property.type === 'date' && first !== undefined) return isGroup ? startOf(first) : String(first)
  if (property.type === 'boolean') return Number(first ?? 0)
  if (first === undefined || typeof first === 'number') return first as number | undefined
  if (isSelect(property.type)) return Math.min(...[first, ...more].map((value) => OPTIONS.indexOf(String(value))))
  if (exact && isBlock(property.type)) return OTHERS.indexOf(String(first))
  if (exact && property.type === 'person') return PEOPLE.indexOf(String(first))
  return exact && isText(property.type) ? String(first) : fold(String(first))
}

function compareBy(property: Property, ascending: boolean, exact = false, isGroup = false) {
  return (one: Item, other: Item): number => {
    const [a, b] = [keyOf(one, property, exact, isGroup), keyOf(other, property, exact, isGroup)]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    const order = a < b ? -1 : a > b ? 1 : 0
    return ascending ? order : -order
  }
}

function calculate(calculation: string, property: Property, items: readonly Item[]): Value | undefined {
  const lists = items.map((item) => valuesOf(item, property))
  const all = lists.flat()
  const full = lists.filter((list) => list.length > 0).length
  const checked = all.filter((value) => value === true).length
  const share = (count: number) => (items.length === 0 ? 0 : Math.round((count / items.length) * 10_000) / 100)
  const numbers = (all as number[]).toSorted((a, b) => a - b)
  const sum = numbers.reduce((total, number) => total + number, 0)
  const [least, greatest] = [numbers[0], numbers.at(-1)]
  const [from = ''] = all.map(startOf).toSorted()
  const to = all.map(endOf).toSorted().at(-1) ?? ''
  const middle = (numbers.length - 1) / 2
  const parts = (date: string) => date.split('-').map(Number) as [number, number, number]
  const months = () => {
    const [[y1, m1, d1], [y2, m2, d2]] = [parts(from), parts(to)]
    return (y2 - y1) * 12 + m2 - m1 - (d2 < d1 ? 1 : 0)
  }
  const made: Record<string, () => Value | undefined> = {
    count_all: () => items.length,
    count_values: () => all.length,
    count_unique: () => new Set(all).size,
    count_empty: () => items.length - full,
    count_notEmpty: () => full,
    percent_empty: () => share(items.length - full),
    percent_notEmpty: () => share(full),
    count_checkbox_checked: () => checked,
    count_checkbox_unchecked: () => items.length - checked,
    percent_checkbox_checked: () => share(checked),
    percent_checkbox_unchecked: () => share(items.length - checked),
    number_sum: () => sum,
    number_average: () => sum / numbers.length,
    number_median: () => ((numbers[Math.floor(middle)] ?? 0) + (numbers[Math.ceil(middle)] ?? 0)) / 2,
    number_min: () => least,
    number_max: () => greatest,
    number_range: () => Number(greatest) - Number(least),
    date_min: () => from,
    date_max: () => to,
    date_range_days: () => (Date.parse(to) - Date.parse(from)) / 86_400_000,
    date_range_months: months,
  }
  const needsValue = /^(number|date)_/.test(calculation) && calculation !== 'number_sum'
  return needsValue && all.length === 0 ? undefined : made[calculation]?.()
}

/** Returns the groups that contain an item. */
function groupValues(item: Item, property: Property): (Value | undefined)[] {
  const own = valuesOf(item, property)
  if (property.type === 'date') return own.length > 0 ? own.map(startOf) : [undefined]
  return own.length > 0 ? [...own] : [property.type === 'boolean' ? false : undefined]
}

function groupsOf(property: Property, ascending: boolean, items: readonly Item[]): [Value | undefined, number][] {
  const counts = new Map<Value | undefined, number>()
  for (const item of items) {
    for (const value of groupValues(item, property)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const asItem = (value: Value | undefined): Item => (value === undefined ? {} : { [property.name]: [value] })
  const by = [compareBy(property, ascending), compareBy(property, ascending, true)]
  return [...counts].toSorted(([a], [b]) => by.reduce((order, one) => order || one(asItem(a), asItem(b)), 0))
}

// Generators.

const TITLE: Property = { name: 'title', type: 'title' }
const schemas = fc
  .uniqueArray(fc.constantFrom(...Object.keys(DOMAINS).filter((type) => type !== 'title')), {
    minLength: 2,
    maxLength: 6,
  })
  .map((types) => [TITLE, ...types.map((type): Property => ({ name: `p_${type.toLowerCase()}`, type }))])

const valuesIn = ({ type }: Property) =>
  fc.uniqueArray(fc.constantFrom(...(DOMAINS[type] ?? [])), {
    minLength: type === 'title' ? 1 : 0,
    maxLength: isMany(type) ? 3 : 1,
  })

const itemsIn = (schema: readonly Property[]) =>
  fc.array(fc.record(Object.fromEntries(schema.map((property) => [property.name, valuesIn(property)]))), {
    maxLength: 25,
  }) as fc.Arbitrary<Item[]>

/** Filters that need dependencies have a law of their own: dependencies.law.test.ts. */
const NEEDS_DEPENDENCIES = /^is(?:Ready|Blocked)$/

function takes({ type }: Property, word: string): boolean {
  if (NEEDS_DEPENDENCIES.test(word)) return false
  const [prefix, rest] = [word.replace(/_.*/, ''), word.includes('_')]
  if (!rest) return true
  const prefixes: Record<string, boolean> = {
    string: isText(type) || isSelect(type),
    select: isSelect(type) || type === 'person',
    relation: type === 'relation',
    date: type === 'date',
    number: type === 'number' || type === 'rating',
  }
  return prefixes[prefix] ?? (word.includes('checkbox') ? type === 'boolean' : true)
}

const filtersOn = (property: Property): fc.Arbitrary<Filter> =>
  fc.constantFrom(...FILTER_TYPES.filter((word) => takes(property, word))).chain((filterType) => {
    const domain = DOMAINS[property.type] ?? []
    const one = fc.constantFrom(...(property.type === 'date' ? [...DATES, ...Object.keys(NOW_DATES)] : domain))
    const value = filterType.startsWith('string_')
      ? fc.constantFrom('a', 'B', 'é', 'x*', '1', 'h')
      : /^(select|relation)_/.test(filterType) || isMany(property.type)
        ? fc.uniqueArray(fc.constantFrom(...domain), { minLength: 1, maxLength: 3 })
        : one
    const filter = { property: property.name, filterType }
    if (filterType === 'isEmpty' || filterType === 'isNotEmpty') return fc.constant(filter)
    return value.map((filterValue) => ({ ...filter, filterValue }))
  })

const questions = schemas.chain((schema) => {
  const property = fc.constantFrom(...schema)
  const rule = fc.record({ property: property.map(({ name }) => name), ascending: fc.boolean() })
  return fc.record({
    schema: fc.constant(schema),
    items: itemsIn(schema),
    filters: fc.array(property.chain(filtersOn), { maxLength: 2 }),
    sortBy: fc.array(rule, { maxLength: 3 }),
    groupBy: fc.array(rule, { maxLength: 1 }),
    limit: fc.integer({ min: 1, max: 9 }),
  })
})

/** Converts a value of the model to one for the tools. */
function given({ type }: Property, values: readonly Value[], ids: ReadonlyMap<Value, string>): unknown {
  if (type === 'relation') return { relations: values.map((value) => ({ blockId: ids.get(value) })) }
  if (type === 'blockLink') return { blockId: ids.get(values[0] ?? '') }
  return isMany(type) ? values : values[0]
}

/** Creates a collection with these items, queried with the names of the model. */
async function spaceOf(schema: readonly Property[], items: readonly Item[]) {
  const connected = await connect()
  const other = await collectionOf(connected, [])
  for (const name of PEOPLE) await connected.space.write(OPERATOR_LINK, (view) => addParticipant(view, name))
  const others = OTHERS.map((title) => ({ title }))
  const otherIds = await itemsOf(connected, other, others)
  const ids = new Map<Value, string>(OTHERS.map((title, index) => [title, otherIds[index] ?? '']))
  const titles = new Map([...ids].map(([title, id]) => [id, title]))
  const properties = schema.slice(1).map(({ name, type }) => ({
    ...{ name, type },
    ...(isSelect(type) && { options: OPTIONS.map((option) => ({ name: option })) }),
    ...(type === 'relation' && { targetCollectionId: other }),
  }))
  const collectionId = await collectionOf(connected, properties)
  const added = items.map((item) => ({
    title: item.title?.[0],
    properties: Object.fromEntries(
      schema.slice(1).flatMap((property) => {
        const values = valuesOf(item, property)
        return values.length === 0 ? [] : [[property.name, given(property, values, ids)]]
      }),
    ),
  }))
  const itemIds = added.length === 0 ? [] : await itemsOf(connected, collectionId, added)
  const named = (name: string) => schema.find((one) => one.name === name) ?? TITLE
  const asGiven = ({ filterValue, ...filter }: Filter) => {
    const property = named(filter.property)
    if (filterValue === undefined || !isBlock(property.type)) return { ...filter, filterValue }
    return { ...filter, filterValue: given(property, [filterValue].flat(), ids) }
  }
  const list = ({ filters, ...input }: { filters: readonly Filter[]; [key: string]: unknown }): Promise<Answer> =>
    connected.call('items_list', { collectionId, maxDepth: 0, filters: filters.map(asGiven), ...input })
  const numbersOf = ({ items }: Answer): number[] => items.map(({ id }: Answer) => itemIds.indexOf(id))
  return { list, named, titles, numbersOf }
}

test('each filter matches the items of a simple model, for each type of property and each value', async () => {
  const schema = Object.keys(DOMAINS).map((type) => ({
    name: type === 'title' ? type : `p_${type.toLowerCase()}`,
    type,
  }))
  // For each property, some items have no value, one value or, if possible, several.
  const items = Array.from({ length: 24 }, (_, index): Item => {
    const values = schema.map(({ name, type }, salt) => {
      const domain = DOMAINS[type] ?? []
      const count = type === 'title' ? 1 : (index + salt) % (isMany(type) ? 4 : 3)
      const start = (index * 5 + salt) % domain.length
      return [name, [...domain, ...domain].slice(start, start + (isMany(type) ? count : Math.min(count, 1)))]
    })
    return Object.fromEntries(values)
  })
  const { list, numbersOf } = await spaceOf(schema, items)
  for (const property of schema) {
    for (const filterType of FILTER_TYPES.filter((word) => takes(property, word))) {
      const domain = DOMAINS[property.type] ?? []
      const alone = filterType === 'isEmpty' || filterType === 'isNotEmpty'
      const inLists = isMany(property.type) || /^(select|relation)_/.test(filterType)
      const ofText = filterType.startsWith('string_')
      const singles = property.type === 'date' ? DATES : domain
      const lists = inLists && !ofText ? domain.map((_, index) => domain.slice(index, index + 2)) : singles
      for (const filterValue of alone ? [undefined] : lists) {
        const filter: Filter = { property: property.name, filterType, filterValue }
        const expected = items.flatMap((item, index) => (holds(item, property, filter) ? [index] : []))
        expect(numbersOf(await list({ filters: [filter] })), JSON.stringify(filter)).toEqual(expected)
      }
    }
  }
})

test('items_list with rules agrees with a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async ({ schema, items, filters, sortBy, groupBy, limit }) => {
      const { list, named, titles, numbersOf } = await spaceOf(schema, items)
      const chosen = items.filter((item) => filters.every((filter) => holds(item, named(filter.property), filter)))
      const rules = sortBy.map(({ property, ascending }) => compareBy(named(property), ascending))
      const [group] = groupBy
      const grouped = group
        ? [false, true].map((exact) => compareBy(named(group.property), group.ascending, exact, true))
        : []
      const sorted = chosen.toSorted((a, b) => [...grouped, ...rules].reduce((order, by) => order || by(a, b), 0))

      const input = { filters, sortBy, groupBy }
      const found: number[] = []
      let page = await list({ ...input, limit })
      const groups = page.groups?.map(({ value, count }: Answer) => [
        titles.get(value?.blockId) ?? value?.name ?? value,
        count,
      ])
      expect(groups).toEqual(group && groupsOf(named(group.property), group.ascending, chosen))
      for (;;) {
        found.push(...numbersOf(page))
        expect(page.pagination?.remaining ?? 0).toBe(chosen.length - found.length)
        if (page.pagination === undefined) break
        page = await list({ ...input, limit, cursor: page.pagination.cursor })
      }
      expect(found).toEqual(sorted.map((item) => items.indexOf(item)))

      for (const calculation of CALCULATIONS) {
        const over = schema.filter((property) => takes(property, calculation))
        const calculations = Object.fromEntries(over.map(({ name }) => [name, calculation]))
        const answer = await list({ filters, groupBy, calculations, limit: 0 })
        expect(answer.items).toEqual([])
        const check = (of: Answer, among: readonly Item[], inGroups = false) => {
          for (const property of over) {
            if (inGroups && isMany(property.type) && isMany(named(group?.property ?? '').type)) continue
            const expected = calculate(calculation, property, among)
            const value = of.calculations?.[property.name]
            if (typeof expected === 'number') expect(value, calculation).toBeCloseTo(expected, 9)
            else expect(value, calculation).toEqual(expected)
          }
        }
        check(answer, chosen)
        for (const found of answer.groups ?? []) {
          const value = titles.get(found.value?.blockId) ?? found.value?.name ?? found.value
          check(
            found,
            chosen.filter((item) => groupValues(item, named(group?.property ?? '')).includes(value)),
            true,
          )
        }
      }
    }),
    { numRuns: runs(5, 100) },
  )
}, 60_000)

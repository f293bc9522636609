/**
 * Kinds of filters as callers write them: by their own names, by signs such as `>=`, and by the names of other services.
 * A word counts only where it can mean one kind for this type of column.
 */

import type { PropertyType } from '../../../../storage/schema.ts'
import { invalid } from '../../../base/errors.ts'
import type { Column, FilterType, TITLE_COLUMN } from './view.ts'
import { FILTER_TYPES } from './view.ts'
import { describeColumn } from './view-columns.ts'

type ColumnType = PropertyType | typeof TITLE_COLUMN

/** What a comparison means, whatever the type of the column. */
type Comparison =
  | 'empty'
  | 'notEmpty'
  | 'equal'
  | 'notEqual'
  | 'contains'
  | 'notContains'
  | 'anyOf'
  | 'allOf'
  | 'noneOf'
  | 'greater'
  | 'greaterOrEqual'
  | 'smaller'
  | 'smallerOrEqual'
  | 'ready'
  | 'blocked'

/** Names without letter case, spaces and underscores. */
const NAMES: Record<Comparison, string> = {
  empty: 'isempty empty isnull null isnotset notset unset isblank blank',
  notEmpty: 'isnotempty notempty isnotnull notnull isset set exists isnotblank',
  equal: '= == === equals equal equalto isequalto eq is numberequal numberequals dateequals stringequals selectequals',
  notEqual:
    '!= !== <> ≠ doesnotequal notequal notequals notequalto isnotequalto ne neq isnot numbernotequal selectdoesnotequal',
  contains: 'contains stringcontains includes has like ilike selectcontains multiselectcontains',
  notContains: 'doesnotcontain notcontains stringdoesnotcontain excludes notlike notincludes doesnotinclude',
  anyOf: 'isanyof anyof in isoneof oneof isin selectisanyof hasanyof containsanyof relationhasanyof',
  allOf: 'hasallof allof containsallof relationhasallof',
  noneOf: 'isnoneof noneof notin isnotin isnotanyof selectisnoneof hasnoneof nin relationhasnoneof',
  greater:
    '> gt greater greaterthan isgreaterthan morethan after isafter dateisafter laterthan numbergreater numbergreaterthan',
  greaterOrEqual:
    '>= => ≥ gte ge greaterorequal greaterthanorequal greaterthanorequalto atleast onorafter isonorafter dateisonorafter numbergreaterorequal numbergreaterthanorequal numbergreaterthanorequalto',
  smaller:
    '< lt less lessthan islessthan smaller smallerthan before isbefore dateisbefore earlierthan numbersmaller numberlessthan',
  smallerOrEqual:
    '<= =< ≤ lte le lessorequal lessthanorequal lessthanorequalto smallerorequal atmost onorbefore isonorbefore dateisonorbefore numbersmallerorequal numberlessthanorequal numberlessthanorequalto',
  ready: 'isready ready isunblocked unblocked isnotblocked notblocked',
  blocked: 'isblocked blocked isnotready notready waiting',
}
const COMPARISONS: ReadonlyMap<string, Comparison> = new Map(
  Object.entries(NAMES).flatMap(([comparison, names]) =>
    names.split(' ').map((word) => [word, comparison as Comparison]),
  ),
)

type Kinds = Partial<Record<Comparison, FilterType>>

const ANY: Kinds = { empty: 'isEmpty', notEmpty: 'isNotEmpty', equal: 'equals', notEqual: 'doesNotEqual' }
const TEXT: Kinds = { ...ANY, contains: 'string_contains', notContains: 'string_doesNotContain' }
const NUMBER: Kinds = {
  ...ANY,
  ...{ greater: 'number_greater', greaterOrEqual: 'number_greaterOrEqual' },
  ...{ smaller: 'number_smaller', smallerOrEqual: 'number_smallerOrEqual' },
}
const SELECT: Kinds = { ...ANY, anyOf: 'select_isAnyOf', noneOf: 'select_isNoneOf' }

/** The kind that each comparison is for each type of column. */
const KINDS: Record<ColumnType, Kinds> = {
  title: TEXT,
  text: TEXT,
  url: TEXT,
  email: TEXT,
  phone: TEXT,
  number: NUMBER,
  rating: NUMBER,
  date: { ...ANY, greater: 'date_isAfter', smaller: 'date_isBefore' },
  boolean: ANY,
  singleSelect: { ...SELECT, contains: 'string_contains', notContains: 'string_doesNotContain' },
  // What contains an option has it among its own.
  multiSelect: { ...SELECT, contains: 'select_isAnyOf', notContains: 'select_isNoneOf' },
  relation: {
    ...ANY,
    ...{ contains: 'relation_hasAnyOf', notContains: 'relation_hasNoneOf' },
    ...{ anyOf: 'relation_hasAnyOf', allOf: 'relation_hasAllOf', noneOf: 'relation_hasNoneOf' },
    ...{ ready: 'isReady', blocked: 'isBlocked' },
  },
  blockLink: ANY,
  person: { ...SELECT, contains: 'select_isAnyOf', notContains: 'select_isNoneOf' },
}

/** What to give in place of a comparison that dates do not have. */
const INSTEAD_ON_DATES: Partial<Record<Comparison, string>> = {
  greaterOrEqual: 'give date_isAfter with the day before',
  smallerOrEqual: 'give date_isBefore with the day after',
}

/** What to do about a test of dependencies on another property. */
const WITHOUT_DEPENDENCIES =
  'name the relation that says what the items depend on, or make one such with config { dependsOn: true } in schema_update'

/**
 * The kind of filter that a word means on a column.
 *
 * @param kinds  the kinds that the column allows
 * @throws VALIDATION_ERROR that lists the kinds, and nothing that does not fit
 */
export function filterTypeNamed(column: Column, word: string, kinds: readonly FilterType[]): FilterType {
  const own = FILTER_TYPES.find((kind) => kind.toLowerCase() === word.toLowerCase())
  if (own !== undefined && kinds.includes(own)) return own
  const plain = word.toLowerCase().replace(/[\s_-]/g, '')
  const [prefix] = /^(?:date|number|string|relation|(?:multi)?select)/.exec(plain) ?? []
  // A comparison of another type of property means nothing here.
  const fits = prefix === undefined || kinds.some((kind) => kind.startsWith(`${prefix.replace('multi', '')}_`))
  const comparison = own === undefined && fits ? COMPARISONS.get(plain) : undefined
  const kind = comparison && KINDS[column.type][comparison]
  if (kind !== undefined && kinds.includes(kind)) return kind
  const ofDate = column.type === 'date' && comparison !== undefined ? INSTEAD_ON_DATES[comparison] : undefined
  const instead = own === 'isReady' || own === 'isBlocked' || kind !== undefined ? WITHOUT_DEPENDENCIES : ofDate
  throw invalid(
    `Expected a filter for ${describeColumn(column)}, found ${word}; it takes ${kinds.join(', ')}${instead === undefined ? '' : `; ${instead}`}.`,
  )
}

/** Calculations over the items of a view: which go with which property. */
import { invalid } from '../../../base/errors.ts'
import { CALCULATIONS, type Calculation, type Column } from './view.ts'
import { describeColumn } from './view-columns.ts'

/** Calculations of one type of value. All others go with every property. */
type CalculationGroup = 'checkbox' | 'number' | 'date'

/** The group that each type takes besides those of every property. */
const GROUPS: Readonly<Record<Column['type'], CalculationGroup | undefined>> = {
  title: undefined,
  text: undefined,
  number: 'number',
  boolean: 'checkbox',
  date: 'date',
  url: undefined,
  email: undefined,
  phone: undefined,
  singleSelect: undefined,
  multiSelect: undefined,
  relation: undefined,
  blockLink: undefined,
}

function groupOf(calculation: Calculation): CalculationGroup | undefined {
  if (calculation.includes('_checkbox_')) return 'checkbox'
  if (calculation.startsWith('number_')) return 'number'
  return calculation.startsWith('date_') ? 'date' : undefined
}

/** The calculations that a column takes, in the order of {@link CALCULATIONS}. */
export const allowedCalculations = ({ type }: Column): Calculation[] =>
  CALCULATIONS.filter((one) => groupOf(one) === undefined || groupOf(one) === GROUPS[type])

/** @throws VALIDATION_ERROR for one that the type of the property does not take */
export function validateCalculation(column: Column, calculation: Calculation): Calculation {
  const known = allowedCalculations(column)
  if (known.includes(calculation)) return calculation
  throw invalid(
    `Expected a calculation for ${describeColumn(column)}, found ${calculation}; it takes ${known.join(', ')}.`,
  )
}

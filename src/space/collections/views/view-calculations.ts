/** Defines which calculations over the items of a view are allowed for which type of property. */
import { invalid } from '../../../base/errors.ts'
import { CALCULATIONS, type Calculation, type Column } from './view.ts'
import { describeColumn } from './view-columns.ts'

/** Calculations that only one type of value allows. All others are allowed for every property. */
type CalculationGroup = 'checkbox' | 'number' | 'date'

/** The additional group of calculations that each type allows. */
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
  person: undefined,
  rating: 'number',
}

function groupOf(calculation: Calculation): CalculationGroup | undefined {
  if (calculation.includes('_checkbox_')) return 'checkbox'
  if (calculation.startsWith('number_')) return 'number'
  return calculation.startsWith('date_') ? 'date' : undefined
}

/** Returns the calculations that a column allows, in the order of {@link CALCULATIONS}. */
export const allowedCalculations = ({ type }: Column): Calculation[] =>
  CALCULATIONS.filter((one) => groupOf(one) === undefined || groupOf(one) === GROUPS[type])

/** @throws VALIDATION_ERROR if the type of the property does not allow the calculation */
export function validateCalculation(column: Column, calculation: Calculation): Calculation {
  const known = allowedCalculations(column)
  if (known.includes(calculation)) return calculation
  throw invalid(
    `Expected a calculation for ${describeColumn(column)}, found ${calculation}; it takes ${known.join(', ')}.`,
  )
}

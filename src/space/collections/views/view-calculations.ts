/** Calculations over the items of a view: which go with which property. */
import { invalid } from '../../../base/errors.ts'
import { CALCULATIONS, type Calculation, type Column } from './view.ts'
import { describeColumn } from './view-columns.ts'

/** The calculations that a column takes, in the order of {@link CALCULATIONS}. */
export function allowedCalculations({ type }: Column): Calculation[] {
  return CALCULATIONS.filter((one) => {
    if (one.includes('_checkbox_')) return type === 'boolean'
    if (one.startsWith('number_')) return type === 'number'
    return one.startsWith('date_') ? type === 'date' : true
  })
}

/** @throws VALIDATION_ERROR for one that the type of the property does not take */
export function validateCalculation(column: Column, calculation: Calculation): Calculation {
  const known = allowedCalculations(column)
  if (known.includes(calculation)) return calculation
  throw invalid(
    `Expected a calculation for ${describeColumn(column)}, found ${calculation}; it takes ${known.join(', ')}.`,
  )
}

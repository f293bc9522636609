/** The process that sends bad input. It reports the results to its parent. */

import { endpoints } from '../../../tools/index.ts'
import { plantedEndpoints } from './planted-endpoints.ts'
import type { BadInputOptions } from './run.ts'
import { sendBadInput } from './run.ts'

export interface ChildOptions extends Omit<BadInputOptions, 'endpoints' | 'log'> {
  isPlanted: boolean
}

// The parent has exited, so there is no one to report to.
process.once('disconnect', () => process.exit())

const { isPlanted, ...input } = JSON.parse(process.argv[2] ?? '{}') as ChildOptions
const shown = await sendBadInput({
  ...input,
  endpoints: isPlanted ? plantedEndpoints(endpoints) : endpoints,
  log: (line) => process.send?.({ line }),
})
process.send?.({ shown }, () => process.disconnect())

/** The process that sends bad input. It reports the results to its parent. */

import { endpoints } from '../../../tools/index.ts'
import { plantedEndpoints } from './planted-endpoints.ts'
import type { BadInputAsked } from './run.ts'
import { sendBadInput } from './run.ts'

export interface ChildAsked extends Omit<BadInputAsked, 'endpoints' | 'say'> {
  isPlanted: boolean
}

// The parent has exited, so there is no one to report to.
process.once('disconnect', () => process.exit())

const { isPlanted, ...asked } = JSON.parse(process.argv[2] ?? '{}') as ChildAsked
const shown = await sendBadInput({
  ...asked,
  endpoints: isPlanted ? plantedEndpoints(endpoints) : endpoints,
  say: (line) => process.send?.({ line }),
})
process.send?.({ shown }, () => process.disconnect())

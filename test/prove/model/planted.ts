/** Faults between the calls and the product, which the model has to find. */
import type { Options } from './sequence.ts'
import type { Space } from './spaces.ts'

const OTHER_SIDE: Record<string, string> = { before: 'after', after: 'before' }

const FAULTS: Record<string, (space: Space) => Space> = {
  /** blocks_move puts blocks on the other side of the sibling. */
  misplaced: (space) => ({
    call(call) {
      const { position } = call.args as { position?: { position: string } }
      const other = OTHER_SIDE[position?.position ?? '']
      if (call.tool !== 'blocks_move' || other === undefined) return space.call(call)
      return space.call({ ...call, args: { ...call.args, position: { ...position, position: other } } })
    },
  }),
}

export const faultNamed = (name: string | undefined): Options => {
  const around = FAULTS[name ?? '']
  return around === undefined ? {} : { around }
}

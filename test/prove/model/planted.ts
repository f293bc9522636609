/** Faults for the model to find, between the calls and the product. */
import type { Options } from './sequence.ts'
import type { Space } from './spaces.ts'

const FAULTS: Record<string, (space: Space) => Space> = {
  /** What is to stand after a block comes to stand before it. */
  misplaced: (space) => ({
    call(call) {
      const { position } = call.args as { position?: { position: string } }
      if (call.tool !== 'blocks_move' || position?.position !== 'after') return space.call(call)
      return space.call({ ...call, args: { ...call.args, position: { ...position, position: 'before' } } })
    },
  }),
}

export const faultNamed = (name: string | undefined): Options => {
  const around = FAULTS[name ?? '']
  return around === undefined ? {} : { around }
}

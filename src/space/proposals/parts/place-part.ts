/** Where a part puts what it adds, which depends on the parts that were accepted before it. */
import type { PartStep, StoredPart } from './part.ts'

/** The first and the last one of the blocks that a part has put beside each other. */
export interface Ends {
  first: string | undefined
  last: string | undefined
}

/**
 * The calls of a part, placed beside the other parts of its list that are there: those that were accepted, and those that
 * run before it.
 *
 * @param endsOf  the first and the last block of a part, if it is there when this one runs
 */
export function placedSteps(
  steps: readonly PartStep[],
  part: StoredPart,
  parts: readonly StoredPart[],
  endsOf: (part: StoredPart) => Ends | undefined,
): readonly PartStep[] {
  const { order } = part
  const [first] = steps
  if (order === undefined || first === undefined) return steps
  const list = parts.filter((one) => one.order?.list === order.list).sort((one, other) => rankOf(one) - rankOf(other))
  const own = list.indexOf(part)
  const before = list
    .slice(0, own)
    .flatMap((one) => endsOf(one)?.last ?? [])
    .at(-1)
  const [after] = list.slice(own + 1).flatMap((one) => endsOf(one)?.first ?? [])
  // What comes at the end of a list stands behind those before it.
  if (before === undefined && after === undefined) return steps
  if (order.by === 'end' && after === undefined) return steps
  if (order.by === 'start' && before === undefined) return steps
  const position =
    before !== undefined ? { position: 'after', siblingId: before } : { position: 'before', siblingId: after }
  if (order.by === 'position') return [{ ...first, arguments: { ...first.arguments, position } }, ...steps.slice(1)]
  return [...steps, { tool: 'blocks_move', arguments: { blockIds: [part.subject], position } }]
}

const rankOf = ({ order }: StoredPart): number => order?.rank ?? 0

/** Several processes that write to one space, each for its own callers, until they are killed. */
import type { Acknowledged, KeyedCall } from './keyed-call.ts'
import type { Lane } from './lane.ts'
import type { Writing } from './writing.ts'

/** The callers of one process, which make calls concurrently. */
export interface RunningCallers {
  writing: Writing
  lanes: readonly Lane[]
  /** Resolves once the process has exited and all of its acknowledgements are recorded. */
  running: Promise<void>
}

/** Something that accepts calls. */
export type Calls = Pick<Writing, 'call'>

/** Is notified of acknowledgements and of calls that were refused unexpectedly. */
export interface CallListener {
  acknowledged(): void
  refused(sentence: string): void
}

/** Makes each caller send one call after another until the process stops responding. */
export function startCalling(writing: Writing, lanes: readonly Lane[], listener: CallListener): RunningCallers {
  const askAll = async (lane: Lane) => {
    for (;;) {
      const call = lane.next(writing.takesProposals)
      const response = await ask(writing, call)
      if (response === undefined) return
      if (response.answer === undefined) {
        listener.refused(`Expected ${call.tool} to be answered, found ${response.refused?.error}.`)
        return lane.drop()
      }
      lane.acknowledge(response.answer)
      listener.acknowledged()
    }
  }
  const running = Promise.all(lanes.map(askAll)).then(() => {})
  return { writing, lanes, running }
}

/** Sends a call. For an undo, looks up the ID of the call to undo first. */
export async function ask({ call }: Calls, keyedCall: KeyedCall): Promise<Acknowledged | undefined> {
  if (keyedCall.tool !== 'history_undo') return call(keyedCall)
  const listing = { key: `${keyedCall.key}-list`, tool: 'history_list', args: { ...keyedCall.args, limit: 1 } }
  const listed = await call(listing)
  if (listed?.answer === undefined) return listed
  const { items } = listed.answer as { items: { callId: string }[] }
  return call({ ...keyedCall, args: { calls: items.map(({ callId }) => callId) } })
}

/** Counts acknowledgements, and lets others wait for a number of them. */
export class Tally {
  count = 0
  readonly #waiting = new Set<() => void>()

  add(): void {
    this.count++
    for (const check of this.#waiting) check()
  }

  /** Resolves after `more` further acknowledgements, or when `over` resolves. */
  async after(more: number, over: Promise<unknown>): Promise<void> {
    const enough = this.count + more
    const reached = new Promise<void>((resolve) => {
      const check = () => {
        if (this.count < enough) return
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
      check()
    })
    await Promise.race([reached, over])
  }
}

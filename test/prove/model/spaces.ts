/** The product as the proofs call it: on a space in memory, along the way of a call over the protocol. */

import { runCall, toErrorBody } from '../../../src/call/run.ts'
import { toolCatalogFor } from '../../../src/call/tool-catalog.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { endpoints } from '../../../tools/index.ts'
import { counter } from '../../build.ts'
import { argumentsOf, isPageEdit } from './editing.ts'
import type { Call, UndoArgs } from './model.ts'
import { Refused } from './world.ts'

export type Found = { answer: unknown } | { refused: string; why: string }

export interface Space {
  call(call: Call): Promise<Found>
}

export interface Opened extends Space {
  /** Of a tool that reads. @throws what it refuses */
  ask(tool: string, args: object): Promise<unknown>
  close(): Promise<void>
}

/** A call of the history. */
interface Listed {
  callId: string
  undoes?: string[]
  undoneBy?: string
}

/** Calls among which those are that stand. */
const LISTED = 100

const TOOLS = toolCatalogFor(endpoints, 'full')

export async function openInMemory(clock: { now: number }, author: string): Promise<Opened> {
  return openFile(':memory:', author, { clock: () => clock.now, ...counter() })
}

export async function openFile(
  file: string,
  author: string,
  options: { clock?: () => number; newUuid?: () => string; drawIds?: (count: number) => number[] } = {},
): Promise<Opened> {
  const space = await openSpace(file, { name: 'Proof', timezone: 'UTC', ...options })
  const link = await space.createAccessLink('full', [], author)
  const ask = async (tool: string, args: object) => {
    const answer = await runCall(TOOLS.get(tool), args, { space, link })
    return 'object' in answer ? answer.object : JSON.parse(answer.text.body)
  }
  /** What undo says of itself is not held against anything. */
  const undo = async ({ count }: UndoArgs): Promise<object> => {
    const { items } = (await ask('history_list', { limit: LISTED })) as { items: Listed[] }
    const standing = items.filter(({ undoes, undoneBy }) => undoes === undefined && undoneBy === undefined)
    await ask('history_undo', { calls: standing.slice(0, count).map(({ callId }) => callId) })
    return {}
  }
  return {
    ask,
    async call({ tool, args }) {
      try {
        if (tool === 'history_undo') return { answer: await undo(args as UndoArgs) }
        return { answer: await ask(tool, isPageEdit(args) ? await argumentsOf(args, ask) : args) }
      } catch (error) {
        if (error instanceof Refused) return { refused: error.code, why: 'it never came to the product' }
        const notes: string[] = []
        const { code, error: sentence } = toErrorBody(error, (line) => notes.push(line))
        return { refused: code, why: [sentence, ...notes].join('\n') }
      }
    },
    close: () => space.close(),
  }
}

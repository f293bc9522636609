/** Calls the product the way an MCP call does, on a space in memory or in a file. */

import { toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import { toErrorBody } from '../../../src/call/error-body.ts'
import { runCall } from '../../../src/call/run.ts'
import type { AccessLink } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { endpoints } from '../../../tools/index.ts'
import { counter } from '../../build.ts'
import { askForAll } from '../../whole-answer.ts'
import type { BatchStep } from '../calls/batches.ts'
import { endpointNamed } from '../test-client/test-client.ts'
import type { BatchArgs } from './batches.ts'
import { argumentsOf, isPageEdit } from './editing.ts'
import type { Call, UndoArgs } from './model.ts'
import { AGENT } from './proposals.ts'
import { Refused } from './world.ts'

export type CallOutcome = { answer: unknown } | { refused: string; why: string }

export interface Space {
  call(call: Call): Promise<CallOutcome>
}

/** The response to a proposal and the proposal's ID, or the refusal. */
export type Proposed = { answer: unknown; id: string } | { refused: string; why: string }

/** @param isOther  true if another effect than the proposed one had to be approved */
export type Decided = { isOther: boolean } | { refused: string; why: string }

export interface Deciding {
  propose(call: Call): Promise<Proposed>
  /** @param agrees  true to approve even if the effect is not the proposed one */
  approve(id: string, agrees: boolean): Promise<Decided>
  reject(id: string): Promise<Decided>
}

export interface Opened extends Space, Deciding {
  /** Calls a tool that only reads. @throws the tool's error */
  ask(tool: string, args: object): Promise<unknown>
  close(): Promise<void>
}

/** A call in the response of history_list. */
interface Listed {
  callId: string
  tool: string
  undoes?: string[]
  undoneBy?: string
}

/** How many calls are listed to find those that can be undone. */
const LISTED = 100

/** Steps return the same response as MCP calls, short unless more is requested. */
const stepFor = ({ tool, args, as }: BatchStep): object => ({ tool, as, arguments: { ...askForAll(tool), ...args } })

const TOOLS = toolCatalogFor(endpoints, 'full')

export async function openInMemory(clock: { now: number }, author: string): Promise<Opened> {
  return openFile(':memory:', author, { clock: () => clock.now, ...counter() })
}

export async function openFile(
  file: string,
  author: string,
  options: { clock?: () => number; newUuid?: () => string; generateIds?: (count: number) => number[] } = {},
): Promise<Opened> {
  const space = await openSpace(file, { name: 'Proof', timezone: 'UTC', ...options })
  const link = await space.createAccessLink('full', [], author)
  const agent = await space.createAccessLink('full', [], AGENT, 'propose')
  const askOver = async (over: AccessLink, tool: string, args: object) => {
    const answer = await runCall(endpointNamed(TOOLS, tool), args, { space, link: over })
    return 'object' in answer ? answer.object : JSON.parse(answer.text.body)
  }
  const ask = (tool: string, args: object) => askOver(link, tool, args)
  /** The response of an undo is not compared with anything. */
  const undo = async ({ count }: UndoArgs): Promise<object> => {
    const { items } = (await ask('history_list', { limit: LISTED })) as { items: Listed[] }
    const standing = items.filter(
      // A rejection changed nothing, so it cannot be undone.
      ({ undoes, undoneBy, tool }) => undoes === undefined && undoneBy === undefined && tool !== 'proposals_reject',
    )
    await ask('history_undo', { calls: standing.slice(0, count).map(({ callId }) => callId) })
    return {}
  }
  const argumentsFor = async ({ tool, args }: Call): Promise<object> => {
    if (isPageEdit(args)) return argumentsOf(args, ask)
    return tool === 'batch' ? { steps: (args as BatchArgs).steps.map(stepFor) } : args
  }
  return {
    ask,
    async call(call) {
      try {
        if (call.tool === 'history_undo') return { answer: await undo(call.args as UndoArgs) }
        return { answer: await ask(call.tool, await argumentsFor(call)) }
      } catch (error) {
        return refusal(error)
      }
    },
    async propose(call) {
      try {
        const { proposal, ...answer } = await askOver(agent, call.tool, await argumentsFor(call))
        return { answer, id: proposal.proposalId }
      } catch (error) {
        return refusal(error)
      }
    },
    async approve(proposalId, agrees) {
      try {
        const { items } = (await ask('proposals_list', { proposalId })) as { items: { fingerprint?: string }[] }
        await ask('proposals_approve', { proposalId, fingerprint: items[0]?.fingerprint })
        return { isOther: false }
      } catch (error) {
        const refused = refusal(error)
        const [, fingerprint] = /approve it with fingerprint (\w+)\.$/.exec(refused.why) ?? []
        if (fingerprint === undefined || !agrees) return refused
        await ask('proposals_approve', { proposalId, fingerprint })
        return { isOther: true }
      }
    },
    async reject(proposalId) {
      try {
        await ask('proposals_reject', { proposalId })
        return { isOther: false }
      } catch (error) {
        return refusal(error)
      }
    },
    close: () => space.close(),
  }
}

export function refusal(error: unknown): { refused: string; why: string } {
  if (error instanceof Refused) return { refused: error.code, why: 'it never came to the product' }
  const notes: string[] = []
  const { code, error: sentence } = toErrorBody(error, (line) => notes.push(line))
  return { refused: code, why: [sentence, ...notes].join('\n') }
}

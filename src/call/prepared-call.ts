/** A prepared call: how it runs in a transaction, and how its response is rendered. */
import type { Comparer } from '../difference/comparer.ts'
import type { Endpoint, TextOutput } from '../endpoint.ts'
import type { GivenId } from '../space/model/ids.ts'
import type { Space } from '../space/model/space.ts'
import type { Tool } from './catalog/tool-catalog.ts'
import { parseInChunks } from './input/parse-input.ts'

/** How a prepared call is carried out. */
export type CallMode =
  /** Reads one snapshot of the space. */
  | 'read'
  /** Writes in one transaction. */
  | 'write'
  /** Runs in a transaction that is rolled back, because it reads the past or reports by itself what it would do. */
  | 'rollBack'
  /** Like `rollBack`, and the response describes what would have changed. */
  | 'dryRun'
  /** Like `dryRun`, and the changes wait for a person's approval. */
  | 'propose'

/** The owner must dispose of it: see {@link disposePrepared}. */
export interface PreparedCall {
  tool: Tool
  /** The arguments, with each value at its correct path. */
  input: unknown
  /** The result of the endpoint's `prepare`. */
  prepared: unknown
  mode: CallMode
  /** The number of requests to charge: each step of a batch is one. */
  requests: number
  /** For writes with blocks: how many will be written. */
  blocks?: number
  form: AnswerForm
  /** The comment that the call answers, whose thread it resolves. */
  answers?: GivenId
  /** IDs in the input. */
  ids: readonly GivenId[]
  /** True if the call may be carried out although a quota is used up. */
  isAllowedWhenFull: boolean
  /** True if leases whose time is over are ended before it: see `Declaration.endsLeases`. */
  endsLeases: boolean
  /** Blocks that the call deletes: see `Declaration.deletes`. */
  deletes: readonly GivenId[]
  /** A warning about the texts that the call writes. */
  note?: string
}

/** The form of a response: the endpoint's complete object, Markdown made from it, or a short object. */
export type AnswerForm = 'markdown' | 'short' | 'full'

/** An object or text. */
export type Answer = { object: object } | { text: TextOutput }

/**
 * Carries out a call. Validates the response inside the transaction, so that nothing is written if the response is
 * invalid. A response that is finished after the transaction is validated then: see {@link finishCall}.
 */
export async function handleCall(call: PreparedCall, space: Space): Promise<Answer> {
  const { tool, prepared, ids, answers } = call
  const { endpoint } = tool
  await space.resolveIds(ids)
  if (endpoint.isPersonal) await space.getOwnParticipant()
  const handle = () => endpoint.handle({ space }, prepared)
  const found = answers === undefined ? await handle() : await handleAnswer(space, answers, handle)
  return isFinishedLater(call) ? { object: found as object } : validateOutput(endpoint, found)
}

/** Loads what few calls need. */
async function handleAnswer(space: Space, answers: GivenId, handle: () => Promise<unknown>): Promise<unknown> {
  const { findAnsweredComment, resolveAnsweredComment } = await import('../space/comments/answered-comment.ts')
  const answered = await findAnsweredComment(space, answers)
  const found = await handle()
  await resolveAnsweredComment(space, answered)
  return found
}

/** Completes the response of a call outside of its transaction. Does nothing for one that is complete. */
export async function finishCall(call: PreparedCall, answer: Answer, comparer: Comparer): Promise<Answer> {
  const { endpoint } = call.tool
  if (!isFinishedLater(call) || !('object' in answer)) return answer
  return validateOutput(endpoint, await endpoint.finish?.(answer.object, comparer))
}

const isFinishedLater = ({ tool: { endpoint }, mode }: PreparedCall): boolean =>
  (mode === 'read' || mode === 'rollBack') && endpoint.finish !== undefined

async function validateOutput({ name, output }: Endpoint, rawOutput: unknown): Promise<Answer> {
  if (output === undefined) return { text: rawOutput as TextOutput }
  const { value, issues } = await parseInChunks(output, rawOutput)
  if (issues === undefined) return { object: value as object }
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`Expected an answer of ${name} as it is declared, found another. ${faults.join('. ')}`)
}

/** The IDs that a call wrote, as spelled in its response. */
export const writtenIdsOf = ({ tool: { endpoint }, prepared }: PreparedCall, answer: Answer): string[] =>
  endpoint.effect === 'read' ? [] : endpoint.writtenIds('object' in answer ? answer.object : {}, prepared)

/** The number of blocks that a call has read; undefined for a call that reads none. */
export function countBlocksRead({ tool: { endpoint } }: PreparedCall, answer: Answer): number | undefined {
  const { blocks } = endpoint
  if (blocks === undefined || !('read' in blocks)) return undefined
  return blocks.read('object' in answer ? answer.object : answer.text)
}

/** Renders the response in the form that the caller wants. The audit log and retries use the complete one. */
export async function renderAnswer(
  { tool: { endpoint }, prepared, form }: PreparedCall,
  answer: Answer,
): Promise<Answer> {
  if (form === 'full' || !('object' in answer)) return answer
  const { object } = answer
  if (form === 'short') return { object: endpoint.shorten?.make(object, prepared) ?? object }
  const text = await endpoint.renderMarkdown?.(object)
  return text === undefined ? answer : { text: { mediaType: 'text/markdown', ...text } }
}

/** Frees the resources of a prepared call, such as uploaded bytes that were not stored. */
export async function disposePrepared(prepared: unknown): Promise<void> {
  await (prepared as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.()
}

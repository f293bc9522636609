/** A call that is ready: how it is carried out in a transaction, and how its answer is written. */
import type { Endpoint, TextOutput } from '../endpoint.ts'
import type { GivenId } from '../space/model/ids.ts'
import type { Space } from '../space/model/space.ts'
import type { Tool } from './catalog/tool-catalog.ts'
import { parseInChunks } from './input/parse-input.ts'

/** What happens to a call once it is ready. */
export type CallMode =
  /** It reads one snapshot of the space. */
  | 'read'
  /** It writes in one transaction. */
  | 'write'
  /** It runs in a transaction that is rolled back, since it reads the past, or says by itself what it would do. */
  | 'rollBack'
  /** The same, and the answer says what would have changed. */
  | 'dryRun'
  /** The same, and what would have changed waits for the approval of a person. */
  | 'propose'

/** Its owner disposes of it: see {@link disposePrepared}. */
export interface PreparedCall {
  tool: Tool
  /** The arguments as they were read, with each value where it belongs. */
  input: unknown
  /** What the endpoint made of them. */
  prepared: unknown
  mode: CallMode
  /** Calls that it counts for: each step of a batch is one. */
  requests: number
  /** Of a write that has blocks: how many it will write. */
  blocks?: number
  form: AnswerForm
  /** IDs in the input. */
  ids: readonly GivenId[]
  /** What is odd about the texts that it writes. */
  note?: string
}

/** An answer is an object as the endpoint gives it, or made of that: as text, or short. */
export type AnswerForm = 'markdown' | 'short' | 'full'

/** An object, or text. */
export type Answer = { object: object } | { text: TextOutput }

/** Carries a call out. The answer is checked inside the transaction: what cannot be answered is not written either. */
export async function handleCall({ tool: { endpoint }, prepared, ids }: PreparedCall, space: Space): Promise<Answer> {
  await space.resolveIds(ids)
  if (endpoint.isPersonal) await space.getOwnParticipant()
  return validateOutput(endpoint, await endpoint.handle({ space }, prepared))
}

async function validateOutput({ name, output }: Endpoint, rawOutput: unknown): Promise<Answer> {
  if (output === undefined) return { text: rawOutput as TextOutput }
  const { value, issues } = await parseInChunks(output, rawOutput)
  if (issues === undefined) return { object: value as object }
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`Expected an answer of ${name} as it is declared, found another. ${faults.join('. ')}`)
}

/** The IDs that a call wrote, as its answer spells them. */
export const writtenIdsOf = ({ tool: { endpoint }, prepared }: PreparedCall, answer: Answer): string[] =>
  endpoint.effect === 'read' ? [] : endpoint.writtenIds('object' in answer ? answer.object : {}, prepared)

/** Blocks that a call has read; undefined for a call that reads none. */
export function countBlocksRead({ tool: { endpoint } }: PreparedCall, answer: Answer): number | undefined {
  const { blocks } = endpoint
  if (blocks === undefined || !('read' in blocks)) return undefined
  return blocks.read('object' in answer ? answer.object : answer.text)
}

/** The answer as the caller wants it. The audit log and retries have all of it. */
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

/** Frees what a call had made ready, such as bytes that were not kept. */
export async function disposePrepared(prepared: unknown): Promise<void> {
  await (prepared as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.()
}

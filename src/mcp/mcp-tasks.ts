/**
 * The extension Tasks (`io.modelcontextprotocol/tasks`): a call that waits for approval is answered with a task, and the
 * last decision completes it with the ordinary result. Clients that do not declare the extension are answered at once,
 * as are those of 2025, whose tasks were others.
 *
 * A task is a proposal, which stores the response of its call. The ID of the task is that of the proposal, sealed for the
 * connection that proposed, so that no one else can make it up.
 *
 * Source: modelcontextprotocol/ext-tasks, specification/draft/tasks.md
 */
import { MissingRequiredClientCapabilityError, ProtocolError, type Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ScriptoriumError } from '../base/errors.ts'
import { TASK_POLL_SECONDS } from '../base/limits.ts'
import type { Caller, CallResult } from '../call/run.ts'
import { callerKey } from '../space/model/caller-key.ts'
import { decodeCursor, encodeCursor } from '../space/model/cursors.ts'
import type { AwaitedProposal } from '../space/proposals/awaited-proposal.ts'
import { INVALID_PARAMS, toProtocolError } from './mcp-resources.ts'
import { errorResult, resultMeta, toolResult } from './tool-results.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** @param capabilities  as sent by the client with a request */
export function declaresTasks(capabilities: unknown): boolean {
  const { extensions } = Object(capabilities) as { extensions?: unknown }
  const declared = (Object(extensions) as Record<string, unknown>)[TASKS_EXTENSION]
  return typeof declared === 'object' && declared !== null
}

export interface TaskOptions {
  callerOf(context: unknown): Caller
  /** True if the client has declared the extension with its request. */
  isDeclared(context: unknown): boolean
  log(line: string): void
}

const params = z.looseObject({ taskId: z.string() })

/** Handles the requests of the extension. */
export function registerTasks(server: Server, { callerOf, isDeclared, log }: TaskOptions): void {
  const answer = async (
    context: unknown,
    taskId: string,
    respond: (found: AwaitedProposal, caller: Caller) => object | Promise<object>,
  ): Promise<Record<string, unknown>> => {
    if (!isDeclared(context)) throw tasksNotDeclared()
    const caller = callerOf(context)
    try {
      return { ...(await respond(await findTask(caller, taskId), caller)) }
    } catch (error) {
      throw toProtocolError(error, log)
    }
  }
  server.setRequestHandler('tasks/get', { params }, ({ taskId }, context) => answer(context, taskId, describeTask))
  // No task asks for input, so that every response to such a question is to one that was never asked.
  server.setRequestHandler('tasks/update', { params }, ({ taskId }, context) => answer(context, taskId, () => ({})))
  server.setRequestHandler('tasks/cancel', { params }, ({ taskId }, context) => answer(context, taskId, withdraw))
}

export const tasksNotDeclared = (): MissingRequiredClientCapabilityError =>
  new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
    `Expected a client that declares ${TASKS_EXTENSION}, found one that does not; declare it with the request, among the extensions of its capabilities.`,
  )

/** The answer to a call that waits for approval. What it would change is in `_meta`, for hosts that show it to people. */
export function createdTask(awaited: AwaitedProposal, result: CallResult, caller: Caller): object {
  const { proposal } = ('object' in result ? result.object : {}) as { proposal?: object }
  const { _meta } = resultMeta(result.remaining, { ...result.notices })
  const task = taskOf(awaited, caller)
  // The SDK gives every result of a call a content.
  const content = [{ type: 'text', text: task.statusMessage }]
  return { resultType: 'task', ...task, content, _meta: { ..._meta, [PROPOSAL_KEY]: proposal } }
}

/** The key in `_meta` of what a proposal would change, and of what became of it. */
const PROPOSAL_KEY = 'scriptorium/proposal'

/** @throws ProtocolError with the same message for tasks that do not exist and those of others */
async function findTask({ space, link }: Caller, taskId: string): Promise<AwaitedProposal> {
  const id = openTaskId({ space, link }, taskId)
  const { readAwaited } = await import('../space/proposals/awaited-proposal.ts')
  const found = id === undefined ? undefined : await space.read(link, (view) => readAwaited(view, id))
  if (found !== undefined) return found
  throw new ProtocolError(
    INVALID_PARAMS,
    `Expected the ID of a task of this connection, found ${JSON.stringify(taskId.slice(0, 100))}; a call that waits for approval is answered with one.`,
  )
}

async function withdraw(found: AwaitedProposal, { space, link }: Caller): Promise<object> {
  if (found.state !== 'waiting') return {}
  const { withdrawAwaited } = await import('../space/proposals/awaited-proposal.ts')
  try {
    await space.write(link, (view) => withdrawAwaited(view, found))
  } catch (error) {
    // Somebody has decided in the meantime, which the client sees when it asks next.
    if (!(error instanceof ScriptoriumError && error.code === 'CONFLICT')) throw error
  }
  return {}
}

const taskQuery = ({ link }: Pick<Caller, 'link'>): unknown => ['tasks/get', callerKey(link)]

const taskIdOf = ({ proposalId }: AwaitedProposal, caller: Caller): string =>
  encodeCursor(caller.space.info.secret, taskQuery(caller), proposalId)

function openTaskId(caller: Pick<Caller, 'space' | 'link'>, taskId: string): number | undefined {
  try {
    return Number(decodeCursor(caller.space.info.secret, taskQuery(caller), taskId))
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'CURSOR_INVALID') return undefined
    throw error
  }
}

type TaskStatus = 'working' | 'completed' | 'cancelled'

function taskOf(awaited: AwaitedProposal, caller: Caller) {
  const { createdAt, changedAt, listedUntil } = awaited
  return {
    taskId: taskIdOf(awaited, caller),
    status: statusOf(awaited),
    statusMessage: sentenceOf(awaited),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(changedAt).toISOString(),
    ttlMs: listedUntil - createdAt,
    pollIntervalMs: TASK_POLL_SECONDS * 1000,
  }
}

/** A rejected call has a result, which is an error. What ended without a decision has none. */
function statusOf({ state, acceptedCount }: AwaitedProposal): TaskStatus {
  if (state === 'waiting') return 'working'
  return state === 'ended' && acceptedCount === 0 ? 'cancelled' : 'completed'
}

function describeTask(awaited: AwaitedProposal, caller: Caller): object {
  const task = taskOf(awaited, caller)
  return task.status === 'completed' ? { ...task, result: finalResult(awaited, caller) } : task
}

/** The result of the call that was proposed, as if it had been carried out at once, and what was decided. */
function finalResult(awaited: AwaitedProposal, caller: Caller): object {
  const { proposalId, state, response, changedAt, accepted, decidedBy, note, callId } = awaited
  const decision = {
    ...{ proposalId, state, decidedAt: new Date(changedAt).toISOString() },
    ...{ ...(accepted && { accepted }), ...(decidedBy && { decidedBy }), ...(note && { note }) },
    ...(callId && { callId }),
  }
  const sentence = sentenceOf(awaited)
  const meta = { [PROPOSAL_KEY]: decision }
  const result =
    state === 'rejected' || response === undefined
      ? errorResult({ error: sentence, code: state === 'rejected' ? 'FORBIDDEN' : 'CONFLICT' }, meta)
      : toolResult({ object: response, note: sentence }, { html: undefined, isTyped: caller.answers === 'typed' })
  return { resultType: 'complete', ...result, _meta: { ...result._meta, ...meta } }
}

/** What became of a proposal, for the model and the person. */
function sentenceOf(awaited: AwaitedProposal): string {
  const { proposalId, state, summary, accepted, acceptedCount, unwritten, decidedBy, note, callId, response } = awaited
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
  const word = note === undefined ? '' : `: ${JSON.stringify(note)}`
  const some = acceptedCount > 0 && accepted !== undefined ? ` Accepted: ${accepted}.` : ''
  switch (state) {
    case 'waiting':
      return `Waits for a person's approval as proposal ${proposalId}: ${summary}.${some}`
    case 'rejected':
      return `Expected a person to approve proposal ${proposalId}, found it rejected${by}${word}; nothing was written, propose something else or ask them.`
    case 'ended':
      if (acceptedCount > 0) break
      return `Proposal ${proposalId} ${awaited.isOverdue ? 'ended, since no one decided in time' : 'was withdrawn'}; nothing was written.`
    case 'approved':
      if (response !== undefined) break
      return `Expected proposal ${proposalId} to be carried out as proposed, found that other calls were approved in its place${by}${word}; read what they wrote with history_list, call ${callId}.`
  }
  const without = unwritten.length === 0 ? '' : ` Not written: ${unwritten.join(', ')}.`
  return `Proposal ${proposalId} was approved${by}${word}.${some}${without}`
}

/**
 * Runs one call, whatever its transport: reads the arguments, parses and prepares the input, acquires quota, handles the
 * call in one transaction, checks the answer and charges for it.
 */
import { randomUUID } from 'node:crypto'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { type ErrorBody, ScriptoriumError } from '../base/errors.ts'
import { FILE_BYTES } from '../base/limits.ts'
import { type Effect, type Endpoint, mcpDefaultsOf, type TextOutput } from '../endpoint.ts'
import { type GivenId, givenIdsIn, type IdSpelling, shortIds } from '../space/model/ids.ts'
import type { PrepareContext } from '../space/model/prepare-context.ts'
import type { AccessLink, Space } from '../space/model/space.ts'
import { textNotes } from '../space/model/text-notes.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { type JsonSchema, readArguments } from './arguments.ts'
import { DiskFaultLog } from './disk-fault-log.ts'
import {
  addAuditEntry,
  createIdempotentCall,
  findReplay,
  hasReplay,
  type IdempotentCall,
  storeResponse,
} from './idempotency.ts'
import { applyAliases } from './input-aliases.ts'
import { parseInChunks } from './parse-input.ts'
import type { PendingNotices } from './pending-notices.ts'
import { type QuotaRequest, type RateLimiter, type Remaining, remainingAfterFailure } from './rate-limiter.ts'
import type { Tool } from './tool-catalog.ts'
import { isEffectAllowed } from './tool-list.ts'
import { invalidInput } from './validation-errors.ts'

/** Where calls run: an open space, and what the caller may reach and do in it. */
export interface Caller {
  space: OpenSpace
  link: AccessLink
  /** The link as it is now, where it can change while the caller stays; none once it has ended. */
  currentLink?(): Promise<AccessLink | undefined>
  /** The error when the link does not allow an effect but the caller can get more access. @param sentence  why, if known */
  scopeError?(effect: Effect, sentence?: string): ScriptoriumError
  /** Notices that are added to every answer to this caller. */
  notices?: PendingNotices
  /** The limits of the space; absent where nothing is counted. */
  rateLimiter?: RateLimiter
  /** The names of the tools that it selected; absent for all. */
  tools?: ReadonlySet<string>
  /** Folders of this machine from which a local caller may add files; absent for remote callers. */
  folders?: readonly string[]
  /** Bytes of one file at most; {@link FILE_BYTES} when absent. */
  fileLimit?: number
  /** Counts requests of the caller's address, one when absent; what it returns takes that back. @throws RATE_LIMITED */
  acquireAddress?(count?: number): () => void
}

/** The result of a call: an object or text, pending notices, and what is left of the space's rate limits. */
export type CallResult = ({ object: object } | { text: TextOutput }) & {
  /** What is odd about what was written. */
  note?: string
  /** By keys of the protocol's `_meta`. */
  notices?: Record<string, object[]>
  remaining?: Remaining
  /** Blocks that were read or written. */
  blocks?: number
}

/** What of a call is no argument. */
export interface CallOptions {
  /** The caller's for this call: when it comes again with the same call, the first answer is given again. */
  idempotencyKey?: string
  /** Of a request: the bytes of a file, not yet read. */
  body?: NonNullable<PrepareContext['body']>
  /** Whether inputs that are left out are as over MCP. */
  withMcpDefaults?: boolean
  /** How IDs are written in the answer: short when absent. */
  idSpelling?: IdSpelling
  /** Whether the call came over REST. */
  overRest?: boolean
}

/**
 * @throws ScriptoriumError for errors that the caller can correct; anything else is a bug of this program
 */
export async function runCall(
  tool: Tool,
  rawArguments: unknown,
  calledBy: Caller,
  options: CallOptions = {},
): Promise<CallResult> {
  const { idSpelling = 'short', overRest = false } = options
  const caller = { ...calledBy, link: { ...calledBy.link, idSpelling, overRest } }
  const acquire = startAcquiring(caller)
  // The bytes of a body are on the disk before the call is read, so that it has to be admitted before.
  const acquiredEarly = options.body === undefined ? undefined : { left: await acquire({ blocks: BODY_BLOCKS }) }
  const call = await prepareCall(tool, rawArguments, caller, options).catch(async (error) => {
    // A call that cannot be parsed counts as a request, too.
    const remaining = acquiredEarly
      ? await caller.rateLimiter?.charge(-BODY_BLOCKS, acquiredEarly.left ?? {})
      : await acquire({})
    if (remaining !== undefined) remainingAfterFailure.set(error, remaining)
    throw error
  })
  if (acquiredEarly !== undefined) call.blocks = BODY_BLOCKS
  try {
    const remaining = acquiredEarly ? acquiredEarly.left : await acquire(quotaRequestOf(call))
    const transacted = await transact(call, caller).catch(async (cause) => {
      const error = toScopeError(cause, caller)
      // What was not written is not charged.
      const afterRefund = await caller.rateLimiter?.charge(-(call.blocks ?? 0), remaining ?? {})
      if (afterRefund !== undefined) remainingAfterFailure.set(error, afterRefund)
      throw error
    })
    const answer = await renderForm(call, await chargeBlocks(call, transacted, caller, remaining))
    return call.note === undefined ? answer : { ...answer, note: call.note }
  } finally {
    await disposePrepared(call.prepared)
  }
}

/** Frees what a call had made ready, such as bytes that were not kept. */
async function disposePrepared(prepared: unknown): Promise<void> {
  await (prepared as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.()
}

/** Blocks that a body becomes. */
const BODY_BLOCKS = 1

/**
 * Counts a request of the caller's address at once, and then of the space; when the space refuses, of neither.
 *
 * @throws RATE_LIMITED, as what it returns does
 */
export function startAcquiring({
  acquireAddress,
  rateLimiter,
}: Caller): (asks: QuotaRequest) => Promise<Remaining | undefined> {
  const releaseAddress = acquireAddress?.()
  return async (request) => {
    try {
      return await rateLimiter?.acquire(request)
    } catch (error) {
      releaseAddress?.()
      throw error
    }
  }
}

/** A call that was read, and what it needs. */
interface PreparedCall {
  endpoint: Endpoint
  prepared: unknown
  /** Of a write that has blocks: how many. */
  blocks?: number
  idempotent?: IdempotentCall
  /** What becomes of the answer. */
  form: AnswerForm
  /** IDs in the input. */
  ids: readonly GivenId[]
  /** See {@link CallResult.note}. */
  note?: string
}

async function prepareCall(
  { endpoint, input, schema }: Tool,
  rawArguments: unknown,
  caller: Caller,
  { idempotencyKey, body, withMcpDefaults = false }: CallOptions,
): Promise<PreparedCall> {
  assertAllowed(endpoint, caller)
  const { space, folders, fileLimit = FILE_BYTES } = caller
  const given = await readInput(endpoint, rawArguments, schema)
  const callArguments = withMcpDefaults ? addMcpDefaults(endpoint, given) : given
  const parsed = await parseInChunks(input, callArguments)
  if (parsed.issues !== undefined) throw invalidInput(parsed.issues, schema)
  const { files, file } = space
  const context = { files, fileLimit, space: file, ...(folders && { folders }), ...(body && { body }) }
  const { value, form } = splitForm(endpoint, parsed.value)
  const prepared = await endpoint.prepare(value, context)
  try {
    const note = endpoint.effect === 'read' ? undefined : await textNotes(given)
    const call = { endpoint, prepared, form, ids: await givenIdsIn(value), ...(note !== undefined && { note }) }
    return await withIdempotencyKey(idempotencyKey, call, given, caller)
  } catch (error) {
    await disposePrepared(prepared)
    throw error
  }
}

const MAX_ALIAS_PASSES = 2

/** The arguments, with each value where it belongs. */
async function readInput({ aliases }: Endpoint, rawArguments: unknown, schema: JsonSchema): Promise<unknown> {
  let read = await readArguments(rawArguments, schema)
  // Where it is now, it is read as what that place wants, and may hold what belongs elsewhere in its turn.
  for (let pass = 0; pass < MAX_ALIAS_PASSES; pass++) {
    if (aliases === undefined || !applyAliases(read, aliases, schema)) break
    read = await readArguments(read, schema)
  }
  return read
}

/** What is not an object has no inputs that could be left out. */
function addMcpDefaults(endpoint: Endpoint, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return { ...mcpDefaultsOf(endpoint), ...given }
}

/** An answer is an object as the endpoint gives it, or made of that: as text, or short. */
type AnswerForm = 'markdown' | 'short' | 'full'

/** Whether an answer is to be Markdown is no matter of the endpoint, where it says how that is made of any answer. */
function splitForm({ renderMarkdown, shorten }: Endpoint, input: unknown): { value: unknown; form: AnswerForm } {
  if (renderMarkdown !== undefined) {
    const { format, ...value } = input as { format: 'json' | 'markdown' }
    return { value, form: format === 'markdown' ? 'markdown' : 'full' }
  }
  const isShort = shorten !== undefined && (input as { answer?: string }).answer === 'ids'
  return { value: input, form: isShort ? 'short' : 'full' }
}

/** A call that is ready, with the key under which it may come again, and the blocks that it will write. */
async function withIdempotencyKey(
  key: string | undefined,
  call: PreparedCall,
  callArguments: unknown,
  { space, link }: Caller,
): Promise<PreparedCall> {
  const { endpoint, prepared } = call
  if (key !== undefined && endpoint.effect !== 'read' && !endpoint.isRolledBack?.(prepared)) {
    const idempotent = await createIdempotentCall(
      key,
      endpoint.name,
      endpoint.payloadIdentity ? [callArguments, endpoint.payloadIdentity(prepared)] : callArguments,
    )
    call.idempotent = idempotent
    // It writes nothing, so it must not wait until it could write again.
    if (await space.read(link, (view) => hasReplay(view, idempotent))) return call
  }
  if (endpoint.blocks !== undefined && 'write' in endpoint.blocks) call.blocks = endpoint.blocks.write(prepared)
  return call
}

function assertAllowed({ name, effect }: Endpoint, { link: { access }, scopeError }: Caller): void {
  if (isEffectAllowed(effect, access)) return
  if (scopeError !== undefined) throw scopeError(effect)
  const verb = access === 'read' ? 'write' : 'delete'
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected a link that may ${verb}, found one with access ${access}, which ${name} is not for; ask the person who made the link for another.`,
  )
}

/** A change that would have deleted something is refused in the midst of the call. */
function toScopeError(error: object, { scopeError }: Caller): object {
  const isRefused = error instanceof ScriptoriumError && error.code === 'FORBIDDEN'
  return isRefused && scopeError !== undefined ? scopeError('delete', error.message) : error
}

const quotaRequestOf = ({ endpoint, blocks }: PreparedCall) =>
  endpoint.blocks !== undefined && 'read' in endpoint.blocks
    ? { blocks: 'read' as const }
    : blocks === undefined
      ? {}
      : { blocks }

/** The answer, how many blocks were made for it, and whether it was given before. */
async function transact({ endpoint, prepared, idempotent, ids }: PreparedCall, { space, link, notices }: Caller) {
  const handleIn = async (view: Space): Promise<CallResult> => {
    await view.resolveIds(ids)
    if (endpoint.isPersonal) await view.getOwnParticipant()
    return validateOutput(endpoint, await endpoint.handle({ space: view }, prepared))
  }
  const withNotices = async (view: Space, answer: CallResult, isRepeated = false) => {
    const newNotices = await notices?.readNew(view)
    const full: CallResult = newNotices === undefined ? answer : { ...answer, notices: newNotices }
    return { answer: full, made: view.blocksCreated, isRepeated }
  }
  if (endpoint.isRolledBack?.(prepared))
    return space.writeAndRollBack(link, async (view) => withNotices(view, await handleIn(view)))
  if (endpoint.effect === 'read') return space.read(link, async (view) => withNotices(view, await handleIn(view)))
  return space.write(link, async (view) => {
    const replay = idempotent && (await findReplay(view, idempotent))
    if (replay !== undefined) {
      if (endpoint.isPersonal) await view.getOwnParticipant()
      return withNotices(view, { object: replay }, true)
    }
    const answer = await handleIn(view)
    const object = 'object' in answer ? answer.object : {}
    const number = await addAuditEntry(view, endpoint.name, shortIds(endpoint.writtenIds(object, prepared)))
    if (idempotent !== undefined) await storeResponse(view, idempotent, object, number)
    return withNotices(view, answer)
  })
}

/** Checked inside the transaction: what cannot be answered is not written either. */
async function validateOutput({ name, output }: Endpoint, rawOutput: unknown): Promise<CallResult> {
  if (output === undefined) return { text: rawOutput as TextOutput }
  const { value, issues } = await parseInChunks(output, rawOutput)
  if (issues === undefined) return { object: value as object }
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`Expected an answer of ${name} as it is declared, found another. ${faults.join('. ')}`)
}

/** The answer with what is left after charging for blocks read, or created beyond the estimate. */
async function chargeBlocks(
  { endpoint, blocks: requested = 0 }: PreparedCall,
  { answer, made, isRepeated }: Awaited<ReturnType<typeof transact>>,
  { rateLimiter }: Caller,
  acquired: Remaining | undefined,
): Promise<CallResult> {
  const written = endpoint.effect === 'read' || isRepeated ? 0 : Math.max(requested, made)
  const blocks = countBlocksRead(endpoint, answer) ?? written
  const remaining = await rateLimiter?.charge(blocks - requested, acquired ?? {})
  return { ...answer, ...(blocks > 0 && { blocks }), ...(remaining !== undefined && { remaining }) }
}

/** The answer as it is to be: the log of writes and retries have all of it. */
async function renderForm({ endpoint, prepared, form }: PreparedCall, answer: CallResult): Promise<CallResult> {
  if (form === 'full' || !('object' in answer)) return answer
  const { object, ...others } = answer
  if (form === 'short') return { ...others, object: endpoint.shorten?.make(object, prepared) ?? object }
  const text = await endpoint.renderMarkdown?.(object)
  return text === undefined ? answer : { ...others, text: { mediaType: 'text/markdown', ...text } }
}

function countBlocksRead({ blocks }: Endpoint, answer: CallResult): number | undefined {
  if (blocks === undefined || !('read' in blocks)) return undefined
  return blocks.read('object' in answer ? answer.object : answer.text)
}

/** What was logged of faults of the disk, over all spaces of this process. */
const diskFaultLog = new DiskFaultLog()

/**
 * Say in the log that an answer was cut off, once a minute for each cause: a client may ask for it again and again.
 *
 * @param what  of which answer, such as `the file 03ac67…`
 */
export function noteCutOff(error: unknown, what: string, log: (line: string) => void, faults = diskFaultLog): void {
  const known = error instanceof ScriptoriumError ? undefined : toDiskError(error)
  const code = error instanceof ScriptoriumError ? error.code : (known?.code ?? 'INTERNAL_ERROR')
  const reason = known?.reason ?? (error instanceof Error ? error.message : String(error))
  faults.record({ code, reason: `The answer with ${what} was cut off: ${reason}` }, log)
}

/**
 * What a failed call answers. Of a fault of the disk the log has its cause, once a minute. The cause of a fault of ours
 * goes to the log under an ID that the answer names, and nowhere else.
 */
export function toErrorBody(error: unknown, log: (line: string) => void, faults = diskFaultLog): ErrorBody {
  if (error instanceof ScriptoriumError) return error.body
  const fault = toDiskError(error)
  if (fault !== undefined) {
    faults.record(fault, log)
    return fault.body
  }
  const id = randomUUID()
  log(`${id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return {
    error: `Expected to answer, found a fault of this server; its log has it under ${id}. Nothing was written.`,
    code: 'INTERNAL_ERROR',
  }
}

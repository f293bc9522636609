/**
 * One call, whatever brought it: arguments read, input checked, made ready, admitted, handled in one transaction, answer
 * checked, charged.
 */
import { randomUUID } from 'node:crypto'
import { storageFault } from '../../storage/faults.ts'
import type { Effect, Endpoint, Rendered } from '../endpoint.ts'
import { type ErrorBody, ScriptoriumError } from '../errors.ts'
import { FILE_BYTES } from '../limits.ts'
import { check } from '../list.ts'
import type { Beside } from '../space/beside.ts'
import type { OpenSpace } from '../space/open.ts'
import type { Link, Space } from '../space/space.ts'
import { readArguments } from './arguments.ts'
import { type Asks, type Budget, type Left, leftAfter } from './budget.ts'
import { FaultLog } from './fault-log.ts'
import { invalidInput } from './faults.ts'
import type { News } from './news.ts'
import type { Tool } from './table.ts'
import { mayDo } from './tool-list.ts'
import { answeredBefore, cameBefore, type KeyedCall, keepFor, keyedCall, logWrite } from './writes.ts'

/** Where calls run: an open space, and what the caller may reach and do in it. */
export interface Caller {
  space: OpenSpace
  link: Link
  /** The link as it is now, where it can change while the caller stays; none once it has ended. */
  currentLink?(): Promise<Link | undefined>
  /** What is told when the link may not do something, where there is a way to more. @param sentence  why, if known */
  lacks?(effect: Effect, sentence?: string): ScriptoriumError
  /** What every answer to this caller says besides. */
  news?: News
  /** The limits of the space; absent where nothing is counted. */
  budget?: Budget
  /** The names of the tools that it asked for; absent where it takes all. */
  tools?: ReadonlySet<string>
  /** Folders of this machine that a caller on it may bring files in from; absent for callers elsewhere. */
  folders?: readonly string[]
  /** Bytes of one file at most; {@link FILE_BYTES} when absent. */
  fileLimit?: number
  /** Counts requests of the caller's address, one when absent; what it returns takes that back. @throws RATE_LIMITED */
  admitAddress?(count?: number): () => void
}

/** What a call answers: an object, or text; what the caller is told besides, and what is left of the space's limits. */
export type Answer = ({ object: object } | { text: Rendered }) & {
  /** By keys of the protocol's `_meta`. */
  news?: Record<string, object[]>
  left?: Left
  /** Blocks that were read or written. */
  blocks?: number
}

/** What of a call is no argument. */
export interface Envelope {
  /** The caller's for this call: when it comes again with the same call, the first answer is given again. */
  key?: string
  /** Of a request: the bytes of a file, not yet read. */
  body?: NonNullable<Beside['body']>
}

/**
 * @throws ScriptoriumError for all that the caller can mend; anything else is a fault of ours
 */
export async function run(tool: Tool, given: unknown, caller: Caller, envelope: Envelope = {}): Promise<Answer> {
  const admit = admission(caller)
  // The bytes of a body are on the disk before the call is read, so that it has to be admitted before.
  const before = envelope.body === undefined ? undefined : { left: await admit({ blocks: OF_A_BODY }) }
  const call = await readCall(tool, given, caller, envelope).catch(async (error) => {
    // What cannot be read is a request all the same.
    const left = before ? await caller.budget?.charge(-OF_A_BODY, before.left ?? {}) : await admit({})
    if (left !== undefined) leftAfter.set(error, left)
    throw error
  })
  if (before !== undefined) call.blocks = OF_A_BODY
  try {
    const left = before ? before.left : await admit(asksOf(call))
    const done = await transact(call, caller).catch(async (refused) => {
      const error = withWayToMore(refused, caller)
      // What was not written is not charged.
      const after = await caller.budget?.charge(-(call.blocks ?? 0), left ?? {})
      if (after !== undefined) leftAfter.set(error, after)
      throw error
    })
    return await inFormat(call, await charged(call, done, caller, left))
  } finally {
    await discard(call.ready)
  }
}

/** Frees what a call had made ready, such as bytes that were not kept. */
async function discard(ready: unknown): Promise<void> {
  await (ready as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.()
}

/** Blocks that a body becomes. */
const OF_A_BODY = 1

/**
 * Counts a request of the caller's address at once, and then of the space; when the space refuses, of neither.
 *
 * @throws RATE_LIMITED, as what it returns does
 */
export function admission({ admitAddress, budget }: Caller): (asks: Asks) => Promise<Left | undefined> {
  const takeBack = admitAddress?.()
  return async (asks) => {
    try {
      return await budget?.admit(asks)
    } catch (error) {
      takeBack?.()
      throw error
    }
  }
}

/** A call that was read, and what it needs. */
interface Call {
  endpoint: Endpoint
  ready: unknown
  /** Of a write that has blocks: how many. */
  blocks?: number
  keyed?: KeyedCall
  /** Whether an answer that can be Markdown is to be. */
  wantsMarkdown: boolean
}

async function readCall(
  { endpoint, input, schema }: Tool,
  given: unknown,
  caller: Caller,
  { key, body }: Envelope,
): Promise<Call> {
  refuseForbidden(endpoint, caller)
  const { space, folders, fileLimit = FILE_BYTES } = caller
  const read = await readArguments(given, schema)
  const asked = await check(input, read)
  if (asked.issues !== undefined) throw invalidInput(asked.issues, schema)
  const { files, file } = space
  const beside = { files, fileLimit, space: file, ...(folders && { folders }), ...(body && { body }) }
  const { value, wantsMarkdown } = withoutFormat(endpoint, asked.value)
  const ready = await endpoint.prepare(value, beside)
  try {
    return await keyedWith(key, { endpoint, ready, wantsMarkdown }, read, caller)
  } catch (error) {
    await discard(ready)
    throw error
  }
}

/** Whether an answer is to be Markdown is no matter of the endpoint, where it says how that is made of any answer. */
function withoutFormat({ inMarkdown }: Endpoint, asked: unknown): { value: unknown; wantsMarkdown: boolean } {
  if (inMarkdown === undefined) return { value: asked, wantsMarkdown: false }
  const { format, ...value } = asked as { format: 'json' | 'markdown' }
  return { value, wantsMarkdown: format === 'markdown' }
}

/** A call that is ready, with the key under which it may come again, and the blocks that it will write. */
async function keyedWith(key: string | undefined, call: Call, read: unknown, { space, link }: Caller): Promise<Call> {
  const { endpoint, ready } = call
  if (key !== undefined && endpoint.effect !== 'read') {
    const keyed = await keyedCall(key, endpoint.name, endpoint.identity ? [read, endpoint.identity(ready)] : read)
    call.keyed = keyed
    // It writes nothing, so it must not wait until it could write again.
    if (await space.read(link, (view) => cameBefore(view, keyed))) return call
  }
  if (endpoint.blocks !== undefined && 'write' in endpoint.blocks) call.blocks = endpoint.blocks.write(ready)
  return call
}

function refuseForbidden({ name, effect }: Endpoint, { link: { access }, lacks }: Caller): void {
  if (mayDo(effect, access)) return
  if (lacks !== undefined) throw lacks(effect)
  const may = access === 'read' ? 'write' : 'delete'
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected a link that may ${may}, found one with access ${access}, which ${name} is not for; ask whoever made the link for another.`,
  )
}

/** A change that would have deleted something is refused in the midst of the call. */
function withWayToMore(error: object, { lacks }: Caller): object {
  const isRefused = error instanceof ScriptoriumError && error.code === 'FORBIDDEN'
  return isRefused && lacks !== undefined ? lacks('delete', error.message) : error
}

const asksOf = ({ endpoint, blocks }: Call) =>
  endpoint.blocks !== undefined && 'read' in endpoint.blocks
    ? { blocks: 'read' as const }
    : blocks === undefined
      ? {}
      : { blocks }

/** The answer, how many blocks were made for it, and whether it was given before. */
async function transact({ endpoint, ready, keyed }: Call, { space, link, news }: Caller) {
  const answerIn = async (view: Space): Promise<Answer> => {
    if (endpoint.personal) await view.ownParticipant()
    return answerOf(endpoint, await endpoint.handle({ space: view }, ready))
  }
  const withNews = async (view: Space, answer: Answer, isRepeated = false) => {
    const told = await news?.read(view)
    const full: Answer = told === undefined ? answer : { ...answer, news: told }
    return { answer: full, made: view.blocksMade, isRepeated }
  }
  if (endpoint.effect === 'read') return space.read(link, async (view) => withNews(view, await answerIn(view)))
  return space.write(link, async (view) => {
    const before = keyed && (await answeredBefore(view, keyed))
    if (before !== undefined) {
      if (endpoint.personal) await view.ownParticipant()
      return withNews(view, { object: before }, true)
    }
    const answer = await answerIn(view)
    const object = 'object' in answer ? answer.object : {}
    await logWrite(view, endpoint.name, endpoint.written(object, ready))
    if (keyed !== undefined) await keepFor(view, keyed, object)
    return withNews(view, answer)
  })
}

/** Checked inside the transaction: what cannot be answered is not written either. */
async function answerOf({ name, output }: Endpoint, answer: unknown): Promise<Answer> {
  if (output === undefined) return { text: answer as Rendered }
  const { value, issues } = await check(output, answer)
  if (issues === undefined) return { object: value as object }
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`Expected an answer of ${name} as it is declared, found another. ${faults.join('. ')}`)
}

/** The answer with what is left, after what it read, or made beyond what it asked for, is charged. */
async function charged(
  { endpoint, blocks: asked = 0 }: Call,
  { answer, made, isRepeated }: Awaited<ReturnType<typeof transact>>,
  { budget }: Caller,
  admitted: Left | undefined,
): Promise<Answer> {
  const written = endpoint.effect === 'read' || isRepeated ? 0 : Math.max(asked, made)
  const blocks = blocksRead(endpoint, answer) ?? written
  const left = await budget?.charge(blocks - asked, admitted ?? {})
  return { ...answer, ...(blocks > 0 && { blocks }), ...(left !== undefined && { left }) }
}

/** The answer as Markdown, where it is to be. */
async function inFormat({ endpoint, wantsMarkdown }: Call, answer: Answer): Promise<Answer> {
  if (!wantsMarkdown || endpoint.inMarkdown === undefined || !('object' in answer)) return answer
  const { object, ...others } = answer
  return { ...others, text: { mediaType: 'text/markdown', ...(await endpoint.inMarkdown(object)) } }
}

function blocksRead({ blocks }: Endpoint, answer: Answer): number | undefined {
  if (blocks === undefined || !('read' in blocks)) return undefined
  return blocks.read('object' in answer ? answer.object : answer.text)
}

/** What was logged of faults of the disk, over all spaces of this process. */
const FAULT_LOG = new FaultLog()

/**
 * Say in the log that an answer was cut off, once a minute for each cause: a client may ask for it again and again.
 *
 * @param what  of which answer, such as `the file 03ac67…`
 */
export function noteCutOff(error: unknown, what: string, log: (line: string) => void, faults = FAULT_LOG): void {
  const known = error instanceof ScriptoriumError ? undefined : storageFault(error)
  const code = error instanceof ScriptoriumError ? error.code : (known?.code ?? 'INTERNAL_ERROR')
  const reason = known?.reason ?? (error instanceof Error ? error.message : String(error))
  faults.note({ code, reason: `The answer with ${what} was cut off: ${reason}` }, log)
}

/**
 * What a failed call answers. Of a fault of the disk the log has its cause, once a minute. The cause of a fault of ours
 * goes to the log under an ID that the answer names, and nowhere else.
 */
export function errorBody(error: unknown, log: (line: string) => void, faults = FAULT_LOG): ErrorBody {
  if (error instanceof ScriptoriumError) return error.body
  const fault = storageFault(error)
  if (fault !== undefined) {
    faults.note(fault, log)
    return fault.body
  }
  const id = randomUUID()
  log(`${id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return {
    error: `Expected to answer, found a fault of this server; its log has it under ${id}. Nothing was written.`,
    code: 'INTERNAL_ERROR',
  }
}

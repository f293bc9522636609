/**
 * Prepares a call: checks that the caller may make it, reads and parses its arguments, and does the work that needs no
 * transaction.
 */

import { invalid, ScriptoriumError } from '../base/errors.ts'
import { FILE_BYTES } from '../base/limits.ts'
import { Comparer } from '../difference/comparer.ts'
import { type Effect, type Endpoint, mcpDefaultsOf } from '../endpoint.ts'
import { canWrite, mustPropose } from '../space/model/access.ts'
import { addressesOutOfScope, mayBeOutOfScope } from '../space/model/block-links.ts'
import type { PartKind } from '../space/model/call-parts.ts'
import type { FileBody } from '../space/model/file-body.ts'
import { givenIdsIn } from '../space/model/ids.ts'
import type { PrepareContext } from '../space/model/prepare-context.ts'
import { CONNECTION_KINDS } from '../space/model/space.ts'
import type { PreparedStep, StepInput } from '../space/model/steps.ts'
import { textNotes } from '../space/model/text-notes.ts'
import type { Caller } from './caller.ts'
import type { Tool } from './catalog/tool-catalog.ts'
import { isEffectAllowed } from './catalog/tool-list.ts'
import { assertToolSelected } from './catalog/tool-selection.ts'
import { formInputs } from './catalog/typed-tools.ts'
import { type JsonSchema, readArguments } from './input/arguments.ts'
import { applyAliases, clearingNamesIn, namesIn } from './input/input-aliases.ts'
import { parseInChunks } from './input/parse-input.ts'
import { splitAnswers, withAnswers } from './input/split-answers.ts'
import { invalidInput, type OtherInput } from './input/validation-errors.ts'
import {
  type Answer,
  type AnswerForm,
  type CallMode,
  countBlocksRead,
  disposePrepared,
  finishCall,
  handleCall,
  type PreparedCall,
  renderAnswer,
  writtenIdsOf,
} from './prepared-call.ts'
import { assertReferencesKnown, atStep } from './step-errors.ts'

/**
 * - `mcp`: short answers in Markdown, with the limits of MCP.
 * - `steps`: the same in JSON.
 * - `typed`: complete answers in JSON, with the limits of MCP. Another form is refused.
 */
export type AnswerDefaults = 'mcp' | 'steps' | 'typed'

export interface PrepareOptions {
  /** The body of a request with a file, not yet read. */
  body?: FileBody
  /** Which defaults omitted inputs get in place of those of the contract; none if absent. */
  defaults?: AnswerDefaults
  /** True if the caller only wants a preview of the changes. */
  dryRun?: boolean
}

/** @throws ScriptoriumError if the caller may not make the call, or its arguments are invalid */
export async function prepareCall(
  tool: Tool,
  rawArguments: unknown,
  caller: Caller,
  options: PrepareOptions,
): Promise<PreparedCall> {
  const { endpoint, schema } = tool
  assertAllowed(endpoint, caller)
  const { others, answers } = takesAnswers(endpoint) ? splitAnswers(rawArguments) : { others: rawArguments }
  const read = await readInput(endpoint, others, schema)
  const input = options.defaults === undefined ? read : addDefaults(endpoint, read, options.defaults)
  const parsed = await parseInChunks(tool.input, input)
  if (parsed.issues !== undefined) throw invalidInput(parsed.issues, schema, otherInputs(tool, caller))
  if (options.defaults === 'typed') assertTyped(endpoint, parsed.value)
  const { value, form } = splitForm(endpoint, parsed.value)
  const prepared = await endpoint.prepare(value, prepareContext(tool, caller, options))
  try {
    const mode = modeOf(endpoint, prepared, caller, options.dryRun === true)
    const note = mode === 'read' || mode === 'rollBack' ? undefined : await noteOf(read, caller)
    const { blocks } = endpoint
    return {
      ...{ tool, input: withAnswers(read, answers), prepared, mode, form },
      ids: [...(await givenIdsIn(value)), ...(answers === undefined ? [] : [answers])],
      ...(answers !== undefined && { answers }),
      requests: endpoint.steps?.(prepared).length ?? 1,
      isAllowedWhenFull: endpoint.isAllowedWhenFull(prepared),
      endsLeases: endpoint.endsLeases ?? endpoint.steps?.(prepared).some(({ endsLeases }) => endsLeases) ?? false,
      deletes: endpoint.deletes?.(prepared) ?? [],
      ...(blocks !== undefined && 'write' in blocks && { blocks: blocks.write(prepared) }),
      ...(note !== undefined && { note }),
    }
  } catch (error) {
    await disposePrepared(prepared)
    throw error
  }
}

/** True for calls that write. One that runs others gives it to one of them. */
const takesAnswers = ({ effect, steps }: Endpoint): boolean =>
  effect !== 'read' && effect !== 'decide' && steps === undefined

function otherInputs({ catalog, endpoint }: Tool, { link }: Caller): OtherInput[] {
  return CONNECTION_KINDS.flatMap((kind) => {
    const tool = kind === link.kind ? undefined : catalog.ofKind(kind).find(endpoint.name)
    return tool === undefined ? [] : [{ kind, schema: tool.schema }]
  })
}

const noteOf = (read: unknown, { space, link }: Caller): Promise<string | undefined> =>
  textNotes(read, async (all) => {
    const urls = all.filter((url) => mayBeOutOfScope({ info: space.info, kind: link.kind }, url))
    return urls.length === 0 ? new Set() : space.read(link, (view) => addressesOutOfScope(view, urls))
  })

/** The context that an endpoint's `prepare` receives. */
export function prepareContext(tool: Tool, caller: Caller, options: PrepareOptions): PrepareContext {
  const { space, link, folders, fileLimit = FILE_BYTES } = caller
  const { body } = options
  return {
    ...{ files: space.files, fileLimit: Math.min(fileLimit, space.files.maxSize), space: space.file },
    ...(folders && { folders }),
    ...(body && { body }),
    read: (work) => space.read(link, work),
    rehearse: (work) => space.writeAndRollBack(link, work),
    interruptLink: (id) => space.interruptLink(id),
    prepareStep: (step) => prepareStep(step, tool, caller),
  }
}

function modeOf(endpoint: Endpoint, prepared: unknown, { link }: Caller, dryRun: boolean): CallMode {
  if (endpoint.isRolledBack?.(prepared)) return 'rollBack'
  if (endpoint.effect === 'read' || endpoint.steps?.(prepared).every(({ isReading }) => isReading)) return 'read'
  if (dryRun || endpoint.isDryRun?.(prepared)) return 'dryRun'
  return mustPropose(link) && !endpoint.awaitsUpload?.(prepared) && !endpoint.decidesAccess ? 'propose' : 'write'
}

const MAX_ALIAS_PASSES = 2

/** Reads the arguments, with each value at its correct path. */
async function readInput({ aliases, effect }: Endpoint, rawArguments: unknown, schema: JsonSchema): Promise<unknown> {
  if (aliases === undefined) return readArguments(rawArguments, schema, effect)
  const names = namesIn(aliases)
  const clearing = { names: clearingNamesIn(aliases, schema), areThere: false }
  let read = await readArguments(rawArguments, schema, effect, names, clearing)
  // After an alias was applied, the value is parsed as its new place requires, and may contain further aliases.
  for (let pass = 0; pass < MAX_ALIAS_PASSES; pass++) {
    if (!applyAliases(read, aliases, schema)) break
    read = await readArguments(read, schema, effect, names, clearing)
  }
  // What is still null under another name clears nothing.
  return !clearing.areThere ? read : readArguments(read, schema, effect, names)
}

/** @throws VALIDATION_ERROR for another form of the answer than the published type */
function assertTyped(endpoint: Endpoint, input: unknown): void {
  for (const key of formInputs(endpoint)) {
    const given = (input as Record<string, unknown>)[key]
    if (given === undefined || given === TYPED_FORM[key]) continue
    throw invalid(
      `Expected no ${key} on a connection with typed answers, found ${given}; leave it out, or connect without typed answers.`,
    )
  }
}

const TYPED_FORM: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  format: 'json',
  answer: 'full',
})

/** Adds defaults. A value that is not an object has no inputs that could be missing. */
function addDefaults(endpoint: Endpoint, given: unknown, defaults: AnswerDefaults): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const { format, answer, ...others } = mcpDefaultsOf(endpoint)
  return {
    ...others,
    ...(defaults === 'mcp' && format !== undefined && { format }),
    ...(defaults !== 'typed' && answer !== undefined && { answer }),
    ...given,
  }
}

/**
 * Removes the inputs that only choose the form of the response: endpoints with Markdown or short responses do not see
 * them.
 */
function splitForm({ renderMarkdown, shorten }: Endpoint, input: unknown): { value: unknown; form: AnswerForm } {
  if (renderMarkdown !== undefined) {
    const { format, ...value } = input as { format: 'json' | 'markdown' }
    return { value, form: format === 'markdown' ? 'markdown' : 'full' }
  }
  const isShort = shorten !== undefined && (input as { answer?: string }).answer === 'ids'
  return { value: input, form: isShort ? 'short' : 'full' }
}

function assertAllowed(endpoint: Endpoint, { link, scopeError }: Caller): void {
  const { name, effect, insteadOfProposing } = endpoint
  const { access } = link
  if (mustPropose(link) && insteadOfProposing !== undefined) {
    const message = `Expected a link whose calls take effect at once, found one with access propose, which ${name} is not for; ${insteadOfProposing}.`
    throw new ScriptoriumError('FORBIDDEN', message)
  }
  if (isEffectAllowed(effect, access) || endpoint.decidesAccess) return
  if (scopeError !== undefined) throw scopeError(effect)
  const verb = !canWrite(link) ? 'write' : effect === 'decide' ? 'decide on proposals' : 'delete'
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected a link that may ${verb}, found one with access ${access}, which ${name} is not for; ask the person who made the link for another.`,
  )
}

/** Prepares a call as a step of another. @throws errors that name the path of the step */
async function prepareStep(step: StepInput, { catalog }: Tool, caller: Caller): Promise<PreparedStep> {
  const { link = caller.link, body } = step
  try {
    const tool = catalog.ofKind(link.kind).get(step.tool)
    assertToolSelected(step.tool, caller.tools)
    if (tool.endpoint.isNoStep && !step.isAlone) {
      throw invalid(`Expected a tool that can be a step, found ${step.tool}; call it by itself.`)
    }
    // Programs over REST read JSON.
    const isProgram = caller.link.overRest || caller.answers === 'typed'
    const options = { defaults: isProgram ? 'steps' : 'mcp', ...(body && { body }) } as const
    const call = await prepareCall(tool, step.arguments, { ...caller, link }, options)
    try {
      assertCanBeStep(call)
    } catch (error) {
      await disposePrepared(call.prepared)
      throw error
    }
    return createStep(call, step)
  } catch (error) {
    throw atStep(error, step)
  }
}

/** @throws VALIDATION_ERROR for calls that need their own transaction, or several */
function assertCanBeStep({ tool: { endpoint }, mode, prepared }: PreparedCall): void {
  if (mode === 'rollBack') {
    throw invalid(`Expected a step that reads the present, found ${endpoint.name} of the past; call it by itself.`)
  }
  if (endpoint.isFinishedSlowly?.(prepared)) {
    throw invalid(`Expected a step whose response is text, found ${endpoint.name} with images; call it by itself.`)
  }
  if (endpoint.awaitsUpload?.(prepared)) {
    throw invalid('Expected text, data or path, found none; a step brings the bytes of its file with it.')
  }
}

/** What a call does that is one part of a proposal. */
const KINDS: Readonly<Record<Effect, PartKind>> = {
  ...{ read: 'other', add: 'added', change: 'other', delete: 'removed', comment: 'other', decide: 'other' },
}

/** Converts a prepared call to a step. */
export function createStep(call: PreparedCall, step: Pick<StepInput, 'path' | 'as'>): PreparedStep {
  const { tool, input, ids, prepared, blocks = 0, mode, isAllowedWhenFull } = call
  const { endpoint } = tool
  const placed = { ...step, arguments: input }
  return {
    ...{ tool: endpoint.name, as: step.as, arguments: input, isReading: mode === 'read', isAllowedWhenFull, blocks },
    file: endpoint.file?.(prepared),
    endsLeases: endpoint.endsLeases ?? false,
    deletes: call.deletes,
    splitter: endpoint.parts,
    kind: KINDS[endpoint.effect],
    assertStillValid: async (space, answer) => endpoint.assertStillValid?.({ space }, answer, prepared),
    async run(space) {
      try {
        assertReferencesKnown(space, ids)
        const answer = await finishCall(call, await handleCall(call, space), new Comparer())
        return {
          ids: writtenIdsOf(call, answer),
          answer: readable(await renderAnswer(call, answer)),
          blocksRead: countBlocksRead(call, answer) ?? 0,
        }
      } catch (error) {
        throw atStep(error, placed)
      }
    },
    [Symbol.asyncDispose]: () => disposePrepared(prepared),
  }
}

function readable(answer: Answer): unknown {
  if ('object' in answer) return answer.object
  const { mediaType, body } = answer.text
  return mediaType === 'application/json' ? JSON.parse(body) : body
}

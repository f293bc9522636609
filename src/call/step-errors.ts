/** Errors of calls that are steps of another call. They name the step, and the field in it. */
import { type FieldError, invalid, ScriptoriumError } from '../base/errors.ts'
import type { GivenId } from '../space/model/ids.ts'
import type { Space } from '../space/model/space.ts'
import { REFERENCE, type StepInput } from '../space/model/steps.ts'

/** @throws VALIDATION_ERROR for a reference to a later step, or to more results than the step has */
export function assertReferencesKnown({ references }: Space, ids: readonly GivenId[]): void {
  const unknown = ids.find((id) => REFERENCE.test(String(id)) && !references.has(String(id)))
  if (unknown === undefined) return
  const [, name = ''] = REFERENCE.exec(String(unknown)) ?? []
  const count = [...references.keys()].filter((key) => key.startsWith(`$${name}.`)).length
  throw invalid(
    count === 0
      ? `Expected a reference to an earlier step, found ${unknown}; no step before this one is called ${name}, or it made nothing.`
      : `Expected a reference to one of the ${count} things that the step ${name} made, found ${unknown}; the first is $${name}, the second $${name}.1.`,
  )
}

/** The path of a step, and its arguments. */
type StepPlace = Pick<StepInput, 'path' | 'arguments'>

/** Converts an error of a step to an error of the whole call, with the path in the input of that call. */
export function atStep(error: unknown, step: StepPlace): unknown {
  // Errors of subclasses carry more than a sentence, such as how to sign in again.
  if (!(error instanceof ScriptoriumError) || error.constructor !== ScriptoriumError) return error
  const { code, message, details, retryAfter } = error
  const faults: readonly FieldError[] =
    details.length > 0 ? details : [{ path: pathOfId(step.arguments, message) ?? '', message }]
  const placed = faults.map((fault) => ({ ...fault, path: placeOf(step, fault.path) }))
  const sentence = message.replace(/^At [^:]+: /, '')
  // The called tool exists; the step names one that does not.
  const codeOfCall = code === 'NOT_AVAILABLE' ? 'VALIDATION_ERROR' : code
  return new ScriptoriumError(codeOfCall, `At ${placed[0]?.path}: ${sentence}`, placed, retryAfter)
}

function placeOf({ path }: StepPlace, inner: string): string {
  if (inner === '') return path
  return inner.startsWith('[') ? `${path}.arguments${inner}` : `${path}.arguments.${inner}`
}

/** Maximum number of values to search for an ID, so that building an error stays fast. */
const MAX_VALUES = 10_000
const ID_TEXT = /^\$[A-Za-z]|[1-9]\d{11}/

/** The path of the ID that a message names, such as `position.pageId`. */
function pathOfId(given: unknown, message: string): string | undefined {
  const stack: { value: unknown; path: string }[] = [{ value: given, path: '' }]
  for (let count = 0; count < MAX_VALUES; count++) {
    const node = stack.pop()
    if (node === undefined) return undefined
    const { value, path } = node
    if (typeof value === 'string' && ID_TEXT.test(value) && message.includes(value)) return path
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value).map(([key, inner]) => ({
      value: inner,
      path: Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
    }))
    // Reversed, so that the first entry of the input is visited first.
    for (const entry of entries.reverse()) stack.push(entry)
  }
  return undefined
}

/**
 * Arrays that may be long, checked in parts: zod checks all that a call says in one go, which takes a tenth of a second
 * of 20,000 blocks, and its asynchronous check gives way no more than the other.
 *
 * A check is done as always, but for the long arrays that it comes to: they are noted and passed over, then checked
 * entry by entry, each entry in this same way. Done once more, the check finds what came of each, and so its outcome is
 * that of a check in one go: the same value, the same faults in the same order.
 */
import { z } from 'zod'
import { MAX_FIELD_ERRORS } from './limits.ts'
import { runCooperatively, type Steps } from './scheduling.ts'

/** Values that an array holds, those inside of its entries included, from which on it is long. */
const LONG_ARRAY = 100

type Issue = z.core.$ZodRawIssue
type Payload = z.core.ParsePayload
type Entries = readonly unknown[]

/** Takes the place of `z.array`, and is one. */
export function chunkedArray<Entry extends z.ZodType>(entry: Entry): z.ZodArray<Entry> {
  return new ChunkedArray({ type: 'array', element: entry }) as unknown as z.ZodArray<Entry>
}

const ChunkedArray = z.core.$constructor<z.ZodArray>('List', (array, definition) => {
  z.ZodArray.init(array, definition)
  const parseAtOnce = array._zod.parse
  array._zod.parse = (payload, context) => {
    const parser = (context as Partial<ParserContext>)[PARSER]
    const input = payload.value
    if (parser === undefined || !Array.isArray(input) || !hasManyValues(input) || isTooLong(array, input)) {
      return parseAtOnce(payload, context)
    }
    return parser.resultOf(array, input, payload)
  }
})

/** Of one that is longer than it may be no entry is looked at. */
const isTooLong = (array: z.ZodArray, input: Entries): boolean =>
  array._zod.def.checks?.some(({ _zod: { def } }) => isMaxLengthCheck(def) && input.length > def.maximum) ?? false

const isMaxLengthCheck = (rule: z.core.$ZodCheckDef): rule is z.core.$ZodCheckMaxLengthDef =>
  rule.check === 'max_length'

const PARSER = Symbol('check')

interface ParserContext extends z.core.ParseContextInternal {
  [PARSER]: ChunkedParser
}

/** What came of a check: the value, or the faults, the first of {@link MAX_FIELD_ERRORS} and one more at least. */
export type ParseResult = { value: unknown; issues?: never } | { value?: never; issues: z.core.$ZodIssue[] }

/** Check a value; others get their turn meanwhile, however long its lists are. */
export const parseInChunks = (schema: z.ZodType, value: unknown): Promise<ParseResult> =>
  runCooperatively(parseSteps(schema, value))

function* parseSteps(schema: z.ZodType, input: unknown): Steps<ParseResult> {
  const { value, issues } = yield* new ChunkedParser().parse(schema, input)
  if (issues.length === 0) return { value }
  const reported = issues.slice(0, MAX_FIELD_ERRORS + 1)
  return { issues: reported.map((issue) => z.core.util.finalizeIssue(issue, { reportInput: true }, z.config())) }
}

class ChunkedParser {
  #context: ParserContext = this.#newContext()
  #pending: { list: z.ZodArray; given: Entries }[] = []
  readonly #results = new Map<z.ZodArray, Map<Entries, Payload>>()

  /** What came of a list before; until something has, a fault, so that no rule sees what was not checked. */
  resultOf(array: z.ZodArray, input: Entries, payload: Payload): Payload {
    const result = this.#results.get(array)?.get(input)
    if (result === undefined) {
      this.#pending.push({ list: array, given: input })
      payload.issues.push({ code: 'custom', input, inst: array, continue: false })
      return payload
    }
    payload.value = result.value
    // Whoever takes them changes their paths.
    for (const issue of result.issues) payload.issues.push({ ...issue, path: [...(issue.path ?? [])] })
    return payload
  }

  *parse(schema: z.core.$ZodType, input: unknown): Steps<Payload> {
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      const payload = schema._zod.run({ value: input, issues: [] }, this.#context)
      if (payload instanceof Promise) throw new z.core.$ZodAsyncError()
      if (this.#pending.length === 0) return payload
      const pending = this.#pending
      this.#pending = []
      for (const { list: array, given: input } of pending)
        this.#storeResult(array, input, yield* this.#checkEntries(array, input))
      // zod remembers in it what it found without them.
      this.#context = this.#newContext()
    }
    throw new Error('Expected lists as they were given, found one that its schema makes anew each time.')
  }

  *#checkEntries({ element }: z.ZodArray, input: Entries): Steps<Payload> {
    const value: unknown[] = []
    const issues: Issue[] = []
    for (const [index, entry] of input.entries()) {
      const result = yield* this.parse(element as z.core.$ZodType, entry)
      value.push(result.value)
      for (const issue of result.issues) issues.push({ ...issue, path: [index, ...(issue.path ?? [])] })
      if (issues.length > MAX_FIELD_ERRORS) {
        // Not all of the list is there for a rule that looks at it whole.
        issues.push({ ...(issues.pop() as Issue), continue: false })
        break
      }
      // After each: one entry may hold as much as many others.
      yield
    }
    return { value, issues }
  }

  #storeResult(array: z.ZodArray, input: Entries, result: Payload): void {
    const arrayResults = this.#results.get(array) ?? new Map<Entries, Payload>()
    this.#results.set(array, arrayResults.set(input, result))
  }

  #newContext(): ParserContext {
    return { async: false, reportInput: true, [PARSER]: this }
  }
}

/** Times that a value is checked: each comes to lists that stood behind others, in further alternatives. */
const MAX_ROUNDS = 100

/** Counts no further than it has to. */
function hasManyValues(array: Entries): boolean {
  const stack: unknown[] = [array]
  let count = 0
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += inner.length
    if (count > LONG_ARRAY) return true
    for (const one of inner) if (one !== undefined) stack.push(one)
  }
  return false
}

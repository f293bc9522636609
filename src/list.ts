/**
 * Arrays that may be long, checked in parts: zod checks all that a call says in one go, which takes a tenth of a second
 * of 20,000 blocks, and its asynchronous check gives way no more than the other.
 *
 * A check is done as always, but for the long arrays that it comes to: they are noted and passed over, then checked
 * entry by entry, each entry in this same way. Done once more, the check finds what came of each, and so its outcome is
 * that of a check in one go: the same value, the same faults in the same order.
 */
import { z } from 'zod'
import { inTurns, type Parts } from './breathe.ts'
import { FAULTS_TOLD } from './limits.ts'

/** Values that an array holds, those inside of its entries included, from which on it is long. */
const LONG = 100

type Issue = z.core.$ZodRawIssue
type Payload = z.core.ParsePayload
type Entries = readonly unknown[]

/** Takes the place of `z.array`, and is one. */
export function listOf<Entry extends z.ZodType>(entry: Entry): z.ZodArray<Entry> {
  return new List({ type: 'array', element: entry }) as unknown as z.ZodArray<Entry>
}

const List = z.core.$constructor<z.ZodArray>('List', (list, definition) => {
  z.ZodArray.init(list, definition)
  const inOneGo = list._zod.parse
  list._zod.parse = (payload, context) => {
    const check = (context as Partial<CheckContext>)[CHECK]
    const given = payload.value
    if (check === undefined || !Array.isArray(given) || !holdsMany(given) || isTooLong(list, given)) {
      return inOneGo(payload, context)
    }
    return check.outcomeOf(list, given, payload)
  }
})

/** Of one that is longer than it may be no entry is looked at. */
const isTooLong = (list: z.ZodArray, given: Entries): boolean =>
  list._zod.def.checks?.some(({ _zod: { def } }) => isMaximum(def) && given.length > def.maximum) ?? false

const isMaximum = (rule: z.core.$ZodCheckDef): rule is z.core.$ZodCheckMaxLengthDef => rule.check === 'max_length'

const CHECK = Symbol('check')

interface CheckContext extends z.core.ParseContextInternal {
  [CHECK]: Check
}

/** What came of a check: the value, or the faults, the first of {@link FAULTS_TOLD} and one more at least. */
export type Checked = { value: unknown; issues?: never } | { value?: never; issues: z.core.$ZodIssue[] }

/** Check a value; others get their turn meanwhile, however long its lists are. */
export const check = (schema: z.ZodType, value: unknown): Promise<Checked> => inTurns(checking(schema, value))

function* checking(schema: z.ZodType, given: unknown): Parts<Checked> {
  const { value, issues } = yield* new Check().check(schema, given)
  if (issues.length === 0) return { value }
  const told = issues.slice(0, FAULTS_TOLD + 1)
  return { issues: told.map((issue) => z.core.util.finalizeIssue(issue, { reportInput: true }, z.config())) }
}

class Check {
  #context: CheckContext = this.#newContext()
  #wanted: { list: z.ZodArray; given: Entries }[] = []
  readonly #outcomes = new Map<z.ZodArray, Map<Entries, Payload>>()

  /** What came of a list before; until something has, a fault, so that no rule sees what was not checked. */
  outcomeOf(list: z.ZodArray, given: Entries, payload: Payload): Payload {
    const outcome = this.#outcomes.get(list)?.get(given)
    if (outcome === undefined) {
      this.#wanted.push({ list, given })
      payload.issues.push({ code: 'custom', input: given, inst: list, continue: false })
      return payload
    }
    payload.value = outcome.value
    // Whoever takes them changes their paths.
    for (const issue of outcome.issues) payload.issues.push({ ...issue, path: [...(issue.path ?? [])] })
    return payload
  }

  *check(schema: z.core.$ZodType, given: unknown): Parts<Payload> {
    for (let round = 1; round <= ROUNDS; round++) {
      const payload = schema._zod.run({ value: given, issues: [] }, this.#context)
      if (payload instanceof Promise) throw new z.core.$ZodAsyncError()
      if (this.#wanted.length === 0) return payload
      const wanted = this.#wanted
      this.#wanted = []
      for (const { list, given } of wanted) this.#note(list, given, yield* this.#checkEntries(list, given))
      // zod remembers in it what it found without them.
      this.#context = this.#newContext()
    }
    throw new Error('Expected lists as they were given, found one that its schema makes anew each time.')
  }

  *#checkEntries({ element }: z.ZodArray, given: Entries): Parts<Payload> {
    const value: unknown[] = []
    const issues: Issue[] = []
    for (const [index, entry] of given.entries()) {
      const outcome = yield* this.check(element as z.core.$ZodType, entry)
      value.push(outcome.value)
      for (const issue of outcome.issues) issues.push({ ...issue, path: [index, ...(issue.path ?? [])] })
      if (issues.length > FAULTS_TOLD) {
        // Not all of the list is there for a rule that looks at it whole.
        issues.push({ ...(issues.pop() as Issue), continue: false })
        break
      }
      // After each: one entry may hold as much as many others.
      yield
    }
    return { value, issues }
  }

  #note(list: z.ZodArray, given: Entries, outcome: Payload): void {
    const ofList = this.#outcomes.get(list) ?? new Map<Entries, Payload>()
    this.#outcomes.set(list, ofList.set(given, outcome))
  }

  #newContext(): CheckContext {
    return { async: false, reportInput: true, [CHECK]: this }
  }
}

/** Times that a value is checked: each comes to lists that stood behind others, in further alternatives. */
const ROUNDS = 100

/** Counts no further than it has to. */
function holdsMany(list: Entries): boolean {
  const waiting: unknown[] = [list]
  let count = 0
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += inner.length
    if (count > LONG) return true
    for (const one of inner) if (one !== undefined) waiting.push(one)
  }
  return false
}

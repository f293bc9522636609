/** Checks what the user of the library gives: a mistyped option must not silently mean the default, which is full access. */
import { invalid } from '../base/errors.ts'
import { nearestName } from '../base/nearest-name.ts'
import { unknownKeyMessage } from '../call/input/validation-errors.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS } from '../space/model/space.ts'

/** What a value has to be. */
export interface OptionRule {
  /** In words. */
  expected: string
  isMet(value: unknown): boolean
  /** Known values, to name the nearest one. */
  known?: readonly string[]
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const text = (what: string): OptionRule => ({ expected: `${what} as text`, isMet: isText })
const texts = (what: string): OptionRule => ({
  expected: `a list of ${what}`,
  isMet: (value) => Array.isArray(value) && value.every(isText),
})
const choice = (known: readonly string[]): OptionRule => ({
  ...{ expected: `one of ${known.join(', ')}`, known },
  isMet: (value) => known.some((one) => one === value),
})
const callable: OptionRule = { expected: 'a function', isMet: (value) => typeof value === 'function' }

/** What each option of the library has to be. */
export const OPTION_RULES = {
  space: text('the path of a space, or :memory:,'),
  kind: choice(CONNECTION_KINDS),
  documents: texts('IDs of documents'),
  access: choice(ACCESS_LEVELS),
  tools: text('names or nouns of tools'),
  answers: choice(['typed']),
  files: texts('paths of folders'),
  name: text('the name of a new space'),
  timezone: text('the time zone of a new space'),
  log: callable,
} as const satisfies Record<string, OptionRule>

/**
 * @throws VALIDATION_ERROR for inherited fields, an unknown key, a wrong value, and a key whose value is undefined: it is more often a
 *   setting that was not found than a choice
 */
export function assertServerOptions(options: unknown, rules: Readonly<Record<string, OptionRule>>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalid(
      `Expected an object of options, found ${describe(options)}; name the space: { space: 'space.sqlite' }.`,
    )
  }
  // What an instance of a class inherits would count, but could not be checked.
  const prototype: unknown = Object.getPrototypeOf(options)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw invalid(
      'Expected a plain object of options, found one that inherits fields; write each option as a field of its own.',
    )
  }
  const known = Object.keys(rules)
  for (const key of Reflect.ownKeys(options)) {
    const rule = typeof key === 'string' && Object.hasOwn(rules, key) ? rules[key] : undefined
    if (rule === undefined) throw invalid(unknownKeyMessage(String(key), known))
    assertValue(String(key), Reflect.get(options, key), rule)
  }
  if (!Object.hasOwn(options, 'space')) assertValue('space', undefined, OPTION_RULES.space)
}

/** @throws VALIDATION_ERROR for what is no transport */
export function assertTransport(transport: unknown): void {
  const methods: object = typeof transport === 'object' && transport !== null ? transport : {}
  for (const method of ['start', 'send', 'close'] as const) {
    const value = (methods as Record<string, unknown>)[method]
    if (typeof value !== 'function') {
      throw invalid(`Expected a transport with a function ${method}, found ${describe(value)}; give one of the SDK's.`)
    }
  }
}

function assertValue(key: string, value: unknown, { expected, isMet, known = [] }: OptionRule): void {
  if (isMet(value)) return
  const near = typeof value === 'string' ? nearestName(value, known) : undefined
  const advice = key === 'space' ? 'give it.' : 'leave it out for its default.'
  const next = near === undefined ? (value === undefined ? advice : 'correct it.') : `did you mean ${near}?`
  throw invalid(`Expected ${expected} as ${key}, found ${describe(value)}; ${next}`)
}

const MAX_SHOWN = 60

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_SHOWN))
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null
    ? 'an object'
    : typeof value === 'function'
      ? 'a function'
      : `${value}`
}

/** Reads the values of a run's flags, from the command line and from the environment. */
import { invalid } from '../base/errors.ts'
import { nearestName } from '../base/nearest-name.ts'
import { camelCase, type Flag } from './flags/flag.ts'
import { environmentName, type FlagName, type FlagValues, flagEntries } from './flags.ts'
import { expandHome } from './home-folder.ts'

/**
 * Reads the values of a run. A variable counts where its flag is not given, and the default where neither is. Wrong
 * variables are refused even if the command does not have the flag, since another command of the same environment has it.
 *
 * @param given  texts of flags on the command line
 * @param switches  the switches on the command line
 * @param isUsed  whether the command has a flag
 * @returns the values, and the names of the flags that have one from the command line or the environment
 * @throws VALIDATION_ERROR also for an empty text: it is more often a variable that was not set than a choice
 */
export function readFlagValues(
  given: Readonly<Partial<Record<string, string>>>,
  switches: ReadonlySet<string>,
  environment: NodeJS.ProcessEnv,
  isUsed: (flag: FlagName) => boolean,
): { values: FlagValues; present: ReadonlySet<FlagName> } {
  const values = new Map<string, unknown>()
  const present = new Set<FlagName>()
  for (const [name, flag] of flagEntries) {
    const value = flag.value === undefined ? switches.has(name) : readValue(name, flag, given[name], environment)
    const isPresent = value !== undefined && value !== false && isUsed(name)
    if (isPresent) present.add(name)
    const found = flag.value === undefined || isPresent ? value : flag.fallback
    if (found !== undefined) values.set(camelCase(name), found)
  }
  return { values: Object.fromEntries(values) as FlagValues, present }
}

function readValue(
  name: FlagName,
  { parse, value: placeholder = '' }: Flag,
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
): unknown {
  const variable = environmentName(name)
  const [text, shown] = given === undefined ? [environment[variable], variable] : [given, `--${name}`]
  if (text === '')
    throw invalid(`Expected a value as ${shown}, found an empty text; give one, or leave it out for its default.`)
  if (text === undefined) return undefined
  const plain = PATHS.test(placeholder) ? expandHome(text) : text
  return parse === undefined ? plain : parse(plain, shown)
}

/** Placeholders of flags whose value is a path. */
const PATHS = /^(?:FILE|FOLDER)\b/

const flagsWithValues = flagEntries.flatMap(([name, { value }]) => (value === undefined ? [] : [name]))

const variables: ReadonlyMap<string, FlagName> = new Map(flagsWithValues.map((flag) => [environmentName(flag), flag]))
const PREFIX = 'SCRIPTORIUM_'

/**
 * A sentence about variables with our prefix that no flag has, each with the nearest one; undefined if there are none.
 * They are not refused, since container platforms set such names for a service of that name.
 */
export function describeUnknownVariables(environment: NodeJS.ProcessEnv): string | undefined {
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !variables.has(name))
  if (unknown.length === 0) return undefined
  const known = [...variables.keys()]
  const found = unknown.sort().map((name) => {
    const flag = flagEntries.map(([one]) => one).find((one) => environmentName(one) === name)
    if (flag !== undefined) return `${name} (give --${flag}, which has no variable)`
    const near = nearestName(
      name.slice(PREFIX.length),
      known.map((one) => one.slice(PREFIX.length)),
    )
    return near === undefined ? name : `${name} (did you mean ${PREFIX}${near}?)`
  })
  return `Expected variables of known names, found ${found.join(', ')}; nothing reads them.`
}

/** Which endpoint somebody meant who named one that there is not. */
import type { Endpoint } from '../../endpoint.ts'
import { nearestName } from '../input/validation-errors.ts'

/** What callers say in place of the verbs of our names. */
const VERBS: Readonly<Record<string, string>> = {
  ...{ create: 'add', new: 'add', insert: 'add', write: 'add', append: 'add', make: 'add', post: 'add', upload: 'add' },
  ...{ edit: 'update', modify: 'update', change: 'update', set: 'update', patch: 'update', rename: 'update' },
  ...{ complete: 'update', finish: 'update', check: 'update', toggle: 'update', put: 'update' },
  ...{ remove: 'delete', destroy: 'delete', erase: 'delete', trash: 'delete', drop: 'delete', clear: 'delete' },
  ...{ read: 'get', fetch: 'get', show: 'get', open: 'get', view: 'get', retrieve: 'get', load: 'get' },
  ...{ find: 'search', query: 'search', lookup: 'search', grep: 'search', all: 'list', browse: 'list' },
}

/** Verbs that do as well where a noun has not the one that was named. */
const ALTERNATIVES: Readonly<Record<string, readonly string[]>> = {
  get: ['get', 'list'],
  list: ['list', 'get'],
  search: ['search', 'list'],
  add: ['add'],
  update: ['update'],
  move: ['move', 'update'],
  delete: ['delete'],
}

/**
 * The endpoint that a name means: by another name of it, by its noun with a verb of the same meaning, or by its spelling.
 * One that deletes is never meant unless the name says so.
 */
export function nearestEndpoint(name: string, endpoints: readonly Endpoint[]): Endpoint | undefined {
  const words = wordsOf(name)
  const normalized = words.join('_')
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]))
  const known = byName.get(normalized) ?? endpoints.find(({ alsoKnownAs = [] }) => alsoKnownAs.includes(normalized))
  if (known !== undefined) return known
  const verb = words.map((word) => VERBS[word] ?? word).find((word) => ALTERNATIVES[word] !== undefined)
  const nouns = words.filter((word) => (VERBS[word] ?? word) !== verb)
  for (const alternative of verb === undefined ? [] : (ALTERNATIVES[verb] ?? [])) {
    for (const noun of [nouns.join('_'), `${nouns.join('_')}s`, nouns.at(-1) ?? '', `${nouns.at(-1)}s`]) {
      const found =
        byName.get(`${noun}_${alternative}`) ??
        endpoints.find(({ alsoKnownAs = [] }) => alsoKnownAs.includes(`${noun}_${alternative}`))
      if (found !== undefined) return found
    }
  }
  const harmless = endpoints.filter(({ effect }) => effect !== 'delete' || verb === 'delete')
  const near = nearestName(
    name,
    harmless.map((endpoint) => endpoint.name),
  )
  return near === undefined ? undefined : byName.get(near)
}

/** `createDocument`, `documents.create` and `Documents-Create` as words in lower case. */
const wordsOf = (name: string): string[] =>
  name
    .slice(0, MAX_NAME)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

const MAX_NAME = 100

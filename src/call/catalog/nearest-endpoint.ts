/** Finds the endpoint that a caller probably meant when it named one that does not exist. */

import { nearestName } from '../../base/nearest-name.ts'
import type { Endpoint } from '../../endpoint.ts'

/** Verbs that callers use instead of ours. */
const VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      create: 'add',
      new: 'add',
      insert: 'add',
      write: 'add',
      append: 'add',
      make: 'add',
      post: 'add',
      upload: 'add',
    },
    ...{ edit: 'update', modify: 'update', change: 'update', set: 'update', patch: 'update', rename: 'update' },
    ...{ complete: 'update', finish: 'update', check: 'update', toggle: 'update', put: 'update' },
    ...{ remove: 'delete', destroy: 'delete', erase: 'delete', trash: 'delete', drop: 'delete', clear: 'delete' },
    ...{ read: 'get', fetch: 'get', show: 'get', open: 'get', view: 'get', retrieve: 'get', load: 'get' },
    ...{ find: 'search', query: 'search', lookup: 'search', grep: 'search', all: 'list', browse: 'list' },
  }),
)

/** Verbs to fall back to if a noun does not have the named one. */
const ALTERNATIVES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    get: ['get', 'list'],
    list: ['list', 'get'],
    search: ['search', 'list'],
    add: ['add'],
    update: ['update'],
    move: ['move', 'update'],
    delete: ['delete'],
  }),
)

/**
 * Finds an endpoint by an alternative name, by its noun with a verb of similar meaning, or by similar spelling. Never
 * returns one that deletes unless the name asks for deletion.
 */
export function nearestEndpoint(name: string, endpoints: readonly Endpoint[]): Endpoint | undefined {
  const words = wordsOf(name)
  const normalized = words.join('_')
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]))
  const known = byName.get(normalized) ?? endpoints.find(({ alsoKnownAs = [] }) => alsoKnownAs.includes(normalized))
  if (known !== undefined) return known
  const verb = words.map((word) => VERBS.get(word) ?? word).find((word) => ALTERNATIVES.get(word) !== undefined)
  const nouns = words.filter((word) => (VERBS.get(word) ?? word) !== verb)
  for (const alternative of verb === undefined ? [] : (ALTERNATIVES.get(verb) ?? [])) {
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

/** Splits `createDocument`, `documents.create` and `Documents-Create` into lower-case words. */
const wordsOf = (name: string): string[] =>
  name
    .slice(0, MAX_NAME)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

const MAX_NAME = 100

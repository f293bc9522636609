/** Checks that the proof covers everything that clients can request, so that additions are not forgotten. */
import type { Endpoint } from '../../../src/endpoint.ts'
import type { Resource } from '../../../src/server-catalog.ts'
import { CONNECTION_KINDS } from '../../../src/space/model/space.ts'
import * as offer from '../../../tools/index.ts'
import { NOUNS, type Noun, type Things } from '../test-client/things.ts'
import { validCalls } from '../test-client/valid-calls.ts'

/** The things that resources show. */
export const RESOURCE_NOUNS: Record<string, Noun> = { document: 'document', file: 'file', whiteboard: 'board' }

/** The known exports of {@link offer}. The proof does not cover any others. */
const KNOWN = ['endpoints', 'resources', 'prompts', 'skills', 'noticeSources']

/** Placeholders for things, which do not exist. */
const anything = Object.fromEntries([...NOUNS, 'revision'].map((noun) => [noun, noun])) as unknown as Things

/** @returns a sentence for each tool, resource or other offer that the proof does not cover */
export function missingEntries(
  endpoints: readonly Endpoint[] = offer.endpoints,
  resources: readonly Resource[] = offer.resources,
): string[] {
  const missing: string[] = []
  for (const kind of CONNECTION_KINDS) {
    const called = new Set(validCalls(kind, anything).map(([tool]) => tool))
    for (const { name, input } of endpoints) {
      if (input[kind] === undefined || called.has(name)) continue
      missing.push(
        `Expected calls of ${name} over ${kind} connections in test/prove/test-client/valid-calls.ts, found none.`,
      )
    }
  }
  for (const { name } of resources) {
    if (RESOURCE_NOUNS[name] !== undefined) continue
    missing.push(`Expected what resources of the kind ${name} are in test/prove/reach/entries.ts, found nothing.`)
  }
  for (const name of Object.keys(offer)) {
    if (KNOWN.includes(name)) continue
    missing.push(`Expected ${KNOWN.join(', ')} in tools/index.ts, found ${name} too; ask of it in the proof of reach.`)
  }
  return missing
}

/** Returns the URI of a resource. */
export const addressOf = ({ template }: Resource, id: string): string => template.replace('{id}', id)

/** Returns the URIs of all resources among these things. */
export const addressesOf = (things: Things): string[] =>
  offer.resources.flatMap((resource) => {
    const noun = RESOURCE_NOUNS[resource.name]
    return noun === undefined ? [] : [addressOf(resource, things[noun])]
  })

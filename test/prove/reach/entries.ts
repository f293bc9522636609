/** Whether the proof has something to ask of all that clients may ask: what is added must not be left out of it. */
import type { Endpoint, Resource } from '../../../src/endpoint.ts'
import { CONNECTION_KINDS } from '../../../src/space/model/space.ts'
import * as offer from '../../../tools/index.ts'
import { NOUNS, type Noun, type Things } from '../asking/things.ts'
import { validCalls } from '../asking/valid-calls.ts'

/** What the addresses of resources lead to. */
export const RESOURCE_NOUNS: Record<string, Noun> = { document: 'document', file: 'file', whiteboard: 'board' }

/** What {@link offer} exports: what is none of these is something that the proof knows nothing of. */
const KNOWN = ['endpoints', 'resources', 'prompts', 'skills', 'noticeSources']

/** Things that are there in name alone. */
const anything = Object.fromEntries([...NOUNS, 'revision'].map((noun) => [noun, noun])) as unknown as Things

/** @returns a sentence for each tool, resource and other thing of which nothing is asked */
export function missingEntries(
  endpoints: readonly Endpoint[] = offer.endpoints,
  resources: readonly Resource[] = offer.resources,
): string[] {
  const missing: string[] = []
  for (const kind of CONNECTION_KINDS) {
    const asked = new Set(validCalls(kind, anything).map(([tool]) => tool))
    for (const { name, input } of endpoints) {
      if (input[kind] === undefined || asked.has(name)) continue
      missing.push(
        `Expected calls of ${name} over ${kind} connections in test/prove/asking/valid-calls.ts, found none.`,
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

/** The address of a resource. */
export const addressOf = ({ template }: Resource, id: string): string => template.replace('{id}', id)

/** The addresses of all resources among these things. */
export const addressesOf = (things: Things): string[] =>
  offer.resources.flatMap((resource) => {
    const noun = RESOURCE_NOUNS[resource.name]
    return noun === undefined ? [] : [addressOf(resource, things[noun])]
  })

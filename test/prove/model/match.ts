/** Compares the responses that the model expects with those of the product. */

import { Id, TextOfIds } from './ids.ts'
import type { Expected } from './model.ts'
import type { CallOutcome } from './spaces.ts'

/** Describes how a response or a refusal differs from the expected one. Returns undefined if it does not. */
export function differentAnswer(expected: Expected, found: CallOutcome, known: Set<string>): string | undefined {
  if ('answer' in expected && 'answer' in found) {
    const fault = difference(expected.answer, found.answer, known)
    return fault && `it answers otherwise: ${fault}`
  }
  if ('answer' in expected) return 'refused' in found ? `it is refused with ${found.refused}: ${found.why}` : undefined
  if (!('refused' in found)) return `expected it to be refused with ${expected.refused}, found it done`
  if (found.refused === expected.refused || found.refused === expected.or) return undefined
  return `expected it to be refused with ${expected.refused}, found ${found.refused}: ${found.why}`
}

/** Fields of responses that the model does not predict. */
const PASSED_OVER: ReadonlySet<string> = new Set(['clickableLink', 'webLink', 'revision', 'metadata'])

/**
 * Describes the first difference. Returns undefined if there is none. IDs that the model does not know yet are learned
 * from the response, and no new ID may occur twice.
 *
 * @param known  all IDs learned so far
 */
export function difference(expected: unknown, found: unknown, known: Set<string>, path = ''): string | undefined {
  if (expected instanceof Id) return differentId(expected, found, known, path)
  if (expected instanceof TextOfIds) return difference(String(expected), found, known, path)
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return different(path, expected, found)
    if (found.length !== expected.length) {
      return `${path}: expected ${expected.length} entries, found ${found.length}: ${shown(found)} for ${shown(expected)}`
    }
    for (const [index, one] of expected.entries()) {
      const fault = difference(one, found[index], known, `${path}[${index}]`)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(expected, found) ? undefined : different(path, expected, found)
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return different(path, expected, found)
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    if (PASSED_OVER.has(key)) continue
    const [one, other] = [(expected as never)[key], (found as never)[key]]
    const fault = difference(one, other, known, path === '' ? key : `${path}.${key}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function differentId(id: Id, found: unknown, known: Set<string>, path: string): string | undefined {
  if (id.isKnown) return id.value === found ? undefined : different(path, id.value, found)
  if (typeof found !== 'string') return different(path, 'an ID', found)
  if (known.has(found)) return `${path}: expected a new ID, found ${found}, which something else has`
  known.add(found)
  id.assign(found)
  return undefined
}

/** Learns only the IDs of a response, which may differ from the expected one otherwise. */
export function compareIds(expected: unknown, found: unknown, known: Set<string>, path = ''): string | undefined {
  if (expected instanceof Id) return expected.isKnown ? undefined : differentId(expected, found, known, path)
  if (typeof expected !== 'object' || expected === null || expected instanceof TextOfIds) return undefined
  for (const [key, one] of Object.entries(expected)) {
    const inner = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined
    const fault = compareIds(one, inner, known, path === '' ? key : `${path}.${key}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

const different = (path: string, expected: unknown, found: unknown) =>
  `${path}: expected ${shown(expected)}, found ${shown(found)}`

const SHOWN = 300

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (inner instanceof Id ? (inner.value ?? 'a new ID') : inner))
  return (text ?? 'nothing').slice(0, SHOWN)
}

/** A comment in a response. */
interface Comment {
  id: string
  author: string
  content: string
  resolvedBy?: string
}

/** Replaces the metadata of each block in a response of blocks_get by its comments. */
export function withComments(found: unknown): unknown {
  if (Array.isArray(found)) return found.map(withComments)
  if (typeof found !== 'object' || found === null) return found
  const { metadata, content, ...others } = found as Record<string, unknown>
  const { comments } = (metadata ?? {}) as { comments?: Comment[] }
  return {
    ...others,
    ...(comments && {
      comments: comments.map(({ id, author, content, resolvedBy }) => ({
        id,
        author,
        content,
        ...(resolvedBy && { resolvedBy }),
      })),
    }),
    ...(content !== undefined && { content: withComments(content) }),
  }
}

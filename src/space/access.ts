/** What a link may do, where the endpoint alone does not say it: a change may be one that deletes. */
import { ScriptoriumError } from '../errors.ts'
import type { Link } from './space.ts'

/**
 * Refuses a change that would delete something, where the link may not delete.
 *
 * @param gone  how much would go
 * @param expected  what the change should have been, and how to make it so
 * @throws FORBIDDEN
 */
export function refuseDeletion(
  { access }: Link,
  gone: number,
  { expected, found, instead }: { expected: string; found: string; instead: string },
): void {
  if (gone === 0 || access === 'full') return
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected ${expected}, since this link has access ${access}, found ${found}; ${instead}, or ask whoever made the link for another.`,
  )
}

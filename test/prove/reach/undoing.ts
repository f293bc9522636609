/** A space in which every call is rolled back after its response is known, so that each starts from the same state. */

import type { AccessLink, Space } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { substituted } from './planted.ts'

class Undone extends Error {}

/**
 * Returns the same space, except that writes of calls are rolled back. Writes of the program itself stay, such as links
 * and sign-ins.
 *
 * @param inspect  examines what a call has written before it is rolled back
 */
export function undoing(space: OpenSpace, inspect: (view: Space) => void = () => {}): OpenSpace {
  return substituted(space, {
    write: <T>(link: AccessLink, work: (view: Space) => Promise<T>) =>
      link.id === undefined ? space.write(link, work) : undo(space, link, work, inspect),
  })
}

async function undo<T>(
  space: OpenSpace,
  link: AccessLink,
  work: (view: Space) => Promise<T>,
  inspect: (view: Space) => void,
): Promise<T> {
  const values: T[] = []
  try {
    await space.write(link, async (view) => {
      values.push(await work(view))
      inspect(view)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return values[0] as T
}

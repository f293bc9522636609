/** A space in which every call is undone once its answer is known, so that each begins at the same state. */

import type { AccessLink, Space } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { substituted } from './planted.ts'

class Undone extends Error {}

/**
 * The same space, but that nothing is kept of what calls write through it. What the program writes by itself is kept:
 * links, and who signed in.
 *
 * @param inspect  looks at what a call has written, before it is undone
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

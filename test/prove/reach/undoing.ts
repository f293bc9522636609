/** A space in which every call is undone once its answer is known, so that each begins at the same state. */
import type { OpenSpace } from '../../../src/space/open.ts'
import type { Link, Space } from '../../../src/space/space.ts'

class Undone extends Error {}

/** The same space, but that nothing is kept of what is written through it. */
export function undoing(space: OpenSpace): OpenSpace {
  return new Proxy(space, {
    get(target, key) {
      if (key === 'write') return <T>(link: Link, work: (view: Space) => Promise<T>) => undo(target, link, work)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function undo<T>(space: OpenSpace, link: Link, work: (view: Space) => Promise<T>): Promise<T> {
  const values: T[] = []
  try {
    await space.write(link, async (view) => {
      values.push(await work(view))
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return values[0] as T
}

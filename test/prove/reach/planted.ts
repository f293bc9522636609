/** Faults of reach, planted in the space that a connection's calls run on. */

import type { AccessLink, Space } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { connectionOf } from '../../sqlite.ts'

type Work<T> = (view: Space) => Promise<T>

/** Returns the same space, but its transactions begin with another link. */
export function withChangedLink(space: OpenSpace, change: (link: AccessLink) => AccessLink): OpenSpace {
  return substituted(space, {
    read: <T>(link: AccessLink, work: Work<T>) => space.read(change(link), work),
    write: <T>(link: AccessLink, work: Work<T>) => space.write(change(link), work),
  })
}

/** Calls over links reach everything. Reads and writes of the program itself do not change. */
export const reachingAll = (link: AccessLink): AccessLink => (link.id === undefined ? link : { ...link, kind: 'full' })

/** A link keeps the reach that it had when it was first used. */
export function reachingAsBefore(): (link: AccessLink) => AccessLink {
  const first = new Map<string, AccessLink>()
  return (link) => {
    if (link.id === undefined) return link
    const { documents } = first.get(link.id) ?? link
    first.set(link.id, first.get(link.id) ?? link)
    return { ...link, documents }
  }
}

/** Calls that write also change documents that they do not reach. */
export const touchingAll = (space: OpenSpace): OpenSpace =>
  substituted(space, {
    write: <T>(link: AccessLink, work: Work<T>) =>
      space.write(link, async (view) => {
        if (link.id !== undefined) connectionOf(view.tx).sql('UPDATE document SET revision = revision + 1').run()
        return work(view)
      }),
  })

/** An undo is not recorded for calls that it took back only as far as its connection sees them. */
export const forgettingPartlyUndone = (space: OpenSpace): OpenSpace =>
  substituted(space, {
    write: <T>(link: AccessLink, work: Work<T>) =>
      space.write(link, (view) => {
        let undone: Space['undoneCalls']
        Object.defineProperty(view, 'undoneCalls', {
          get: () => undone?.filter((one) => typeof one === 'number'),
          set: (calls: Space['undoneCalls']) => {
            undone = calls
          },
        })
        return work(view)
      }),
  })

/** Returns the same object with some methods replaced. */
export function substituted(space: OpenSpace, methods: Partial<Record<keyof OpenSpace, unknown>>): OpenSpace {
  return new Proxy(space, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return methods[key as keyof OpenSpace]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Faults of reach that are planted in the space that a connection's calls are given. */

import type { AccessLink, Space } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { connectionOf } from '../../sqlite.ts'

type Work<T> = (view: Space) => Promise<T>

/** The same space, whose transactions are begun with another link. */
export function asIfBy(space: OpenSpace, change: (link: AccessLink) => AccessLink): OpenSpace {
  return substituted(space, {
    read: <T>(link: AccessLink, work: Work<T>) => space.read(change(link), work),
    write: <T>(link: AccessLink, work: Work<T>) => space.write(change(link), work),
  })
}

/** Calls over links reach all that there is; what the program asks by itself is as it was. */
export const reachingAll = (link: AccessLink): AccessLink => (link.id === undefined ? link : { ...link, kind: 'full' })

/** What a link reached when it was first used, it reaches for ever. */
export function reachingAsBefore(): (link: AccessLink) => AccessLink {
  const first = new Map<string, AccessLink>()
  return (link) => {
    if (link.id === undefined) return link
    const { documents } = first.get(link.id) ?? link
    first.set(link.id, first.get(link.id) ?? link)
    return { ...link, documents }
  }
}

/** Calls that write leave their mark on documents that they do not reach. */
export const touchingAll = (space: OpenSpace): OpenSpace =>
  substituted(space, {
    write: <T>(link: AccessLink, work: Work<T>) =>
      space.write(link, async (view) => {
        if (link.id !== undefined) connectionOf(view.tx).sql('UPDATE document SET revision = revision + 1').run()
        return work(view)
      }),
  })

/** The same space but for some of its methods. */
export function substituted(space: OpenSpace, methods: Partial<Record<keyof OpenSpace, unknown>>): OpenSpace {
  return new Proxy(space, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return methods[key as keyof OpenSpace]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

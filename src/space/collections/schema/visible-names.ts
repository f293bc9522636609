/**
 * Names of columns and options as the connection may see them. A name with an address out of reach is shown with
 * `invalid:out_of_scope` in its place, and the stored name stands beside it.
 *
 * Clients refer to options and columns by these names, so each name that is shown leads to one of them: those that would
 * look alike get numbers.
 */

import { restorePlainLinks } from '../../../markdown/text-addresses.ts'
import { visiblePlainText } from '../../model/block-links.ts'
import type { Space } from '../../model/space.ts'

/** A name as the connection sees it, and as it is stored. */
export interface VisibleName {
  name: string
  storedName: string
}

interface Named {
  n: number
  name: string
}

/**
 * Returns a function that gives the names of these rows as the connection may see them.
 *
 * @param groups  lists of rows; within each, no two names are the same
 */
export async function visibleNames(
  space: Space,
  groups: readonly (readonly Named[])[],
): Promise<(row: Named) => VisibleName> {
  const visible = await visiblePlainText(
    space,
    groups.flatMap((rows) => rows.map(({ name }) => name)),
  )
  const changed = new Map<Named, string>()
  for (const rows of groups) {
    const hidden = rows.filter(({ name }) => visible.text(name) !== name)
    if (hidden.length === 0) continue
    const taken = new Set(rows.filter((row) => !hidden.includes(row)).map(({ name }) => name))
    // By age, so that a name stays the same when rows change places.
    for (const row of hidden.sort((one, other) => one.n - other.n)) {
      const name = visible.text(row.name)
      let unique = name
      for (let number = 2; taken.has(unique); number++) unique = `${name} (${number})`
      taken.add(unique)
      changed.set(row, unique)
    }
  }
  return (row) => ({ name: changed.get(row) ?? row.name, storedName: row.name })
}

/** A name that the connection writes, as it is to be stored: with the addresses that it could not see. */
export function restoreName(given: string, existing: VisibleName | undefined): string {
  if (existing === undefined) return given
  return given === existing.name ? existing.storedName : restorePlainLinks(given, existing.storedName)
}

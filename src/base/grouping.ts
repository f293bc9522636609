/** Lists by key, for groups that are found one entry at a time. Where all entries are known, use `Map.groupBy`. */

/**
 * Adds entries to the list of a key. To copy the list for each entry instead would take time that is quadratic in its
 * length.
 */
export function addToGroup<Key, Entry>(groups: Map<Key, Entry[]>, key: Key, ...entries: readonly Entry[]): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [...entries])
  else group.push(...entries)
}

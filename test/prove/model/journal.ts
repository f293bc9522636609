/** Reverts one change. */
type Undo = () => void

/** Records changes to objects so that they can be reverted: after a refused call, and by undo. */
export class Journal {
  #undo: Undo[] = []

  /** Adds a function that runs when the changes are reverted. */
  onUndo(undo: Undo): void {
    this.#undo.push(undo)
  }

  set<T extends object, Key extends keyof T>(object: T, key: Key, value: T[Key]): void {
    const before = object[key]
    this.#undo.push(() => {
      object[key] = before
    })
    object[key] = value
  }

  insert<T>(list: T[], at: number, ...items: T[]): void {
    list.splice(at, 0, ...items)
    this.#undo.push(() => list.splice(at, items.length))
  }

  remove<T>(list: T[], item: T): void {
    const at = list.indexOf(item)
    if (at < 0) return
    list.splice(at, 1)
    this.#undo.push(() => list.splice(at, 0, item))
  }

  put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    const had = map.has(key)
    const before = map.get(key)
    map.set(key, value)
    this.#undo.push(() => {
      if (had) map.set(key, before as Value)
      else map.delete(key)
    })
  }

  drop<Key, Value>(map: Map<Key, Value>, key: Key): void {
    if (!map.has(key)) return
    const before = map.get(key) as Value
    map.delete(key)
    this.#undo.push(() => map.set(key, before))
  }

  /** Runs `work` and reverts its changes if it throws. This can be nested in a larger change. */
  attempt<T>(work: () => T): T {
    const count = this.#undo.length
    try {
      return work()
    } catch (error) {
      undoChanges(this.#undo.splice(count))
      throw error
    }
  }

  /** @returns the changes so far, which can be reverted as long as nothing else has changed since */
  commit(): readonly Undo[] {
    const changes = this.#undo
    this.#undo = []
    return changes
  }

  rollBack(): void {
    undoChanges(this.commit())
  }
}

export function undoChanges(changes: readonly Undo[]): void {
  for (const undo of changes.toReversed()) undo()
}

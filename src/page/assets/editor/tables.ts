/** What edits tables is loaded with the first table. */
import type { Command, EditorState } from 'prosemirror-state'

type TableKeys = typeof import('./table-keys.ts')

let loaded: TableKeys | undefined

export async function loadTables(): Promise<TableKeys> {
  loaded ??= await import('./table-keys.ts')
  return loaded
}

export function inTable({ selection: { $head } }: EditorState): boolean {
  for (let depth = $head.depth; depth > 0; depth--) {
    if ($head.node(depth).type.spec.tableRole === 'row') return true
  }
  return false
}

/** A command that only applies in a table. Until it is loaded, its key does nothing there. */
export const inTables =
  (command: (keys: TableKeys) => Command): Command =>
  (state, dispatch, view) =>
    inTable(state) && (loaded === undefined || command(loaded)(state, dispatch, view))

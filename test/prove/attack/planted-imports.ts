/** The guards that keep spaces out of imports, and secrets out of exports. */
import type { Mutation } from '../mutated-sources.ts'

export const IMPORTS: readonly Mutation[] = [
  // 23: secrets are left out of exports, exports are refused as documents, and files of spaces are left out.
  {
    file: 'src/export/json/export-space.ts',
    find: 'if (column === undefined) return row',
    replace: 'if (column === undefined || row.none === undefined) return row',
  },
  {
    file: 'src/import/json/space-export.ts',
    find: '(await isSpaceExport(file))) throw wholeSpace(file.path)',
    replace: 'file.size < 0) throw wholeSpace(file.path)',
  },
  {
    file: 'src/import/spaces/leave-out-spaces.ts',
    find: 'if (isLeftOut) problems.push',
    replace: 'if (file.size < 0) problems.push',
  },
  {
    file: 'src/import/spaces/read-checked.ts',
    find: 'if (isHeaderOfSpace(head) || isPartOfSpaceExport(path, head)) throw',
    replace: 'if (head.length < 0 && isHeaderOfSpace(head) && isPartOfSpaceExport(path, head)) throw',
  },
  {
    file: 'src/import/spaces/read-checked.ts',
    find: 'if (isZip(head)) yield*',
    replace: 'if (head.length < 0 && isZip(head)) yield*',
  },
]

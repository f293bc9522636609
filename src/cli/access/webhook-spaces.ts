/** Finds the spaces of a folder that have webhooks, which a server keeps open. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readIdOfSpaceWithWebhooks } from '../../../storage/sqlite/diagnosis/diagnose.ts'
import { spaceKey } from '../../auth/access-links/access-links.ts'

/** The results by file, with a stamp that changes with every write to the file. */
const known = new Map<string, { stamp: string; id: string | undefined }>()

/** Files that have not changed since the last check are not opened. */
export function keysOfSpacesWithWebhooks(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite'))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name)
      const stamp = [file, `${file}-wal`].map(stampOf).join(' ')
      const before = known.get(file)
      const id = before?.stamp === stamp ? before.id : readIdOfSpaceWithWebhooks(file)
      known.set(file, { stamp, id })
      return id === undefined ? [] : [spaceKey(id)]
    })
}

function stampOf(file: string): string {
  const { ino, mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return `${ino} ${mtimeMs} ${size}`
}

/** A small disk that can be filled and emptied. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const command = promisify(execFile)

export interface SmallDisk {
  /** The kind of limit. */
  what: 'tmpfs' | 'limit of file sizes'
  folder: string
  /** Leaves this number of bytes free. @param pid  the writing process */
  fill(free: number, pid: number): Promise<void>
  empty(pid: number): Promise<void>
  close(): Promise<void>
}

const MEBIBYTES = 24

/** Mounts a tmpfs. If mounting is not allowed, limits the size of files instead, which works on a running process. */
export async function makeSmallDisk(folder: string): Promise<SmallDisk> {
  mkdirSync(folder)
  try {
    await command('mount', ['-t', 'tmpfs', '-o', `size=${MEBIBYTES}m`, 'tmpfs', folder])
  } catch {
    return limited(folder)
  }
  const filler = join(folder, 'filler')
  return {
    what: 'tmpfs',
    folder,
    async fill(free) {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free)))
    },
    empty: async () => rmSync(filler, { force: true }),
    close: async () => void (await command('umount', [folder])),
  }
}

/** Node ignores the signal for an exceeded limit, so that the call fails with EFBIG. */
function limited(folder: string): SmallDisk {
  const limit = (pid: number, size: number | string) => command('prlimit', ['--pid', `${pid}`, `--fsize=${size}:`])
  return {
    what: 'limit of file sizes',
    folder,
    fill: async (free, pid) => void (await limit(pid, free)),
    empty: async (pid) => void (await limit(pid, 'unlimited')),
    close: async () => {},
  }
}

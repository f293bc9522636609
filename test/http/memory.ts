/** Measures the memory of another process. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Returns the bytes by which a process's memory grows while the work runs, at its peak.
 *
 * Linux records the peak. On other systems, only the memory after the work can be read.
 */
export async function memoryGrowth(pid: number, work: () => Promise<unknown>): Promise<number> {
  if (process.platform !== 'linux') {
    const before = residentBytes(pid)
    await work()
    return residentBytes(pid) - before
  }
  // Resets the recorded peak to the present value.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = statusBytes(pid, 'VmRSS')
  await work()
  return statusBytes(pid, 'VmHWM') - before
}

const residentBytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) * 1024

function statusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kibibytes = ''] =
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

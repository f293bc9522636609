/** The usage file of a rate limiter, and the clock of its tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Returns the path of a new usage file that several connections can open. */
export function usageFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'space.sqlite.usage')
}

/** Half a second past a full second, so that rounding matters. */
export const START = Date.parse('2026-11-20T09:00:00.500Z')
/** The first full second by which a window has ended. */
export const second = (milliseconds: number) => Math.ceil(milliseconds / 1000)

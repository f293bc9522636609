/** The ledger of a budget, and the clock by which tests look at it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Where a test keeps a ledger that several connections open. */
export function ledgerFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'space.sqlite.usage')
}

/** Half a second past a full one, so that rounding shows. */
export const START = Date.parse('2026-11-20T09:00:00.500Z')
/** The whole second in which a window has ended. */
export const second = (milliseconds: number) => Math.ceil(milliseconds / 1000)

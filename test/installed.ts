/** Packages for measurements and proofs that are not dependencies of this project, installed elsewhere, once. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Returns a folder with exact versions of npm packages, below the system's temporary folder, kept for the next run.
 *
 * @param besides  files next to `node_modules`, by name
 */
export async function installed(
  packages: Readonly<Record<string, string>>,
  besides: Readonly<Record<string, string>> = {},
): Promise<string> {
  const manifest = JSON.stringify({ private: true, dependencies: packages })
  const key = createHash('sha256')
    .update(JSON.stringify([manifest, besides]))
    .digest('hex')
    .slice(0, 16)
  const kept = join(tmpdir(), 'scriptorium-packages', key)
  if (existsSync(kept)) return kept
  mkdirSync(join(kept, '..'), { recursive: true })
  const folder = mkdtempSync(`${kept}-`)
  try {
    for (const [name, text] of Object.entries({ ...besides, 'package.json': manifest })) {
      writeFileSync(join(folder, name), text)
    }
    await npm(folder)
    // An interrupted installation is never mistaken for a complete one.
    renameSync(folder, kept)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (!existsSync(kept)) throw error
  }
  return kept
}

async function npm(cwd: string): Promise<void> {
  const args = ['install', '--no-fund', '--no-audit', '--ignore-scripts', '--loglevel', 'error']
  await promisify(execFile)('npm', args, { cwd, shell: process.platform === 'win32' })
}

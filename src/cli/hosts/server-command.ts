/**
 * The command by which a host starts this very installation. A host with windows often has no PATH of a shell, so both
 * the Node and the program are named by absolute paths, and they are paths that outlive an update where one exists.
 */
import { realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { invalid } from '../../base/errors.ts'

export interface ServerCommand {
  /** Absolute path of a program, or a name to find in the PATH. */
  command: string
  args: readonly string[]
}

/** What started this process: the Node, and the file that it was given. */
export interface Launch {
  node: string
  startFile: string
}

/** @throws VALIDATION_ERROR where the program runs from a folder that is emptied now and then */
export function serverCommand(launch: Launch, flags: readonly string[]): ServerCommand {
  return { command: stableNode(launch.node), args: [stableStartFile(launch.startFile), 'stdio', ...flags] }
}

export const currentLaunch = (): Launch => ({ node: process.execPath, startFile: process.argv[1] ?? '' })

/**
 * Homebrew puts each version of Node into a folder of its own (`Cellar/node/24.1.0`), which an upgrade removes, and links
 * the current one under `opt`: https://docs.brew.sh/Formula-Cookbook#homebrew-terminology
 */
function stableNode(node: string): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(node) ?? []
  if (prefix === undefined || formula === undefined) return node
  const linked = join(prefix, 'opt', formula, 'bin', 'node')
  return realPathOf(linked) === realPathOf(node) ? linked : node
}

/**
 * Links are followed, since a version manager may have made one for a single shell. pnpm is the exception: the folder that
 * its link leads to has the version in its name, and goes with the next update.
 *
 * `npx` and its like run a package from a cache that may be emptied at any time. Writing `npx -y …` instead would make each
 * start of a host depend on the network, and on who publishes under that name then, so this is refused.
 */
function stableStartFile(startFile: string): string {
  const path = resolve(startFile)
  const real = realPathOf(path) ?? path
  const folders = real.split(sep)
  if (folders.some((name) => CACHE_FOLDER.test(name))) {
    throw invalid(
      `Expected an installed program, found one in a cache that may be emptied (${dirname(real)}); install it with npm install --global, then run scriptorium install again.`,
    )
  }
  return folders.includes('.pnpm') ? path : real
}

/** Folders in which npx, pnpm dlx, yarn dlx and bunx keep what they run once. */
const CACHE_FOLDER = /^(?:_npx|dlx(?:-\d+)?|bunx-.+)$/

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

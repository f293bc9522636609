/**
 * The command with which a host starts this installation. Graphical hosts often lack the PATH of a shell, so Node and
 * the program are given by absolute paths, preferably ones that survive updates.
 */
import { realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { invalid } from '../../base/errors.ts'
import type { ServerCommand } from '../../hosts/host-entry.ts'

/** What started this process: the path of Node, and the start file. */
export interface Launch {
  node: string
  startFile: string
}

/** @throws VALIDATION_ERROR if the program runs from a temporary cache */
export function serverCommand(launch: Launch, flags: readonly string[]): ServerCommand {
  return { command: stableNode(launch.node), args: [stableStartFile(launch.startFile), 'stdio', ...flags] }
}

export const currentLaunch = (): Launch => ({ node: process.execPath, startFile: process.argv[1] ?? '' })

/**
 * Homebrew installs each version of Node in its own folder (`Cellar/node/24.1.0`), which an upgrade removes, and links
 * the current one from `opt`: https://docs.brew.sh/Formula-Cookbook#homebrew-terminology
 */
function stableNode(node: string): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(node) ?? []
  if (prefix === undefined || formula === undefined) return node
  const linked = join(prefix, 'opt', formula, 'bin', 'node')
  return realPathOf(linked) === realPathOf(node) ? linked : node
}

/**
 * Resolves symbolic links, since a version manager may have created one for a single shell. pnpm is the exception: its
 * link leads to a folder with the version in its name, which the next update removes.
 *
 * `npx` and similar tools run packages from a cache that may be emptied at any time, so this is refused. An entry with
 * `npx -y …` would make each start of the host depend on the network, and on the publisher of the package.
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

/** Cache folders of npx, pnpm dlx, yarn dlx and bunx. */
const CACHE_FOLDER = /^(?:_npx|dlx(?:-\d+)?|bunx-.+)$/

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Which sources the package and the bundled program are made of. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** Files and folders that go into the tarball, or determine its contents. */
const SOURCES = [
  ...[
    'src',
    'tools',
    'storage',
    'scripts',
    'package.json',
    'package-lock.json',
    'docs',
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'LICENSE',
  ],
]

/** Where the bundled programs are, inside the checkout, so that a bundle finds the packages that are not bundled. */
export const BUNDLES = join(root, 'node_modules/.cache/scriptorium')

/** The folder of the program that is bundled from exactly these sources, whether it exists or not. */
export const bundleFolder = (): string => join(BUNDLES, contentHash())

/** A hash of all files that can affect the tarball. */
export function contentHash(): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name))
    } else hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  for (const name of SOURCES) add(join(root, name))
  return hash.digest('hex').slice(0, 16)
}

/** Measures the size of an installation. */
import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface InstallationSize {
  packages: number
  bytes: number
}

const MANIFEST = /(?:^|node_modules\/)(?:@[^/]+\/)?[^/]+\/package\.json$/

/** The paths of all files below a folder, relative to it and sorted. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name))
    .sort()

/** The `package.json` of each package in a `node_modules` folder, at any depth. */
export const manifestsIn = (modules: string): string[] => filesIn(modules).filter((file) => MANIFEST.test(file))

/** @param modules  path of a `node_modules` folder */
export const installationSize = (modules: string): InstallationSize => ({
  packages: manifestsIn(modules).length,
  bytes: filesIn(modules).reduce((sum, file) => sum + statSync(join(modules, file)).size, 0),
})

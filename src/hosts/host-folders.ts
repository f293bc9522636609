/** The folders for configurations on each system, for the table of hosts. */
import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { invalid } from '../base/errors.ts'

/** The user's machine, as far as it determines where hosts keep their configuration. */
export interface HostSystem {
  platform: NodeJS.Platform
  /** The user's home folder. */
  home: string
  env: NodeJS.ProcessEnv
  /** The names in a folder; empty if it does not exist. */
  list(folder: string): string[]
  /** The content of a file; undefined if it does not exist. */
  read(file: string): string | undefined
}

export const currentSystem = (): HostSystem => ({
  platform: process.platform,
  home: homedir(),
  env: process.env,
  list: (folder) => ignoreMissing(() => readdirSync(folder)) ?? [],
  read: (file) => ignoreMissing(() => readFileSync(file, 'utf8')),
})

function ignoreMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Joins path segments in the style of the given system, which may differ from the current one. */
export const joinPath = ({ platform }: HostSystem, ...names: string[]): string =>
  (platform === 'win32' ? win32 : posix).join(...names)

export const isAbsolutePath = ({ platform }: HostSystem, path: string): boolean =>
  (platform === 'win32' ? win32 : posix).isAbsolute(path)

/** A path in the home folder. */
export const inHome = (system: HostSystem, ...names: string[]): string => joinPath(system, system.home, ...names)

/** A path in the folder from an environment variable, or in a fallback folder. An empty variable counts as unset. */
export const inFolderOf = (system: HostSystem, variable: string, fallback: string, ...names: string[]): string =>
  joinPath(system, system.env[variable] || fallback, ...names)

/** A path in `XDG_CONFIG_HOME`, which must be absolute to count (XDG Base Directory Specification 0.8). */
export function inXdgConfig(system: HostSystem, ...names: string[]): string {
  const { XDG_CONFIG_HOME: folder = '' } = system.env
  return isAbsolutePath(system, folder) ? joinPath(system, folder, ...names) : inHome(system, '.config', ...names)
}

/** A path in the roaming application data of Windows. */
export const inRoamingData = (system: HostSystem, ...names: string[]): string =>
  inFolderOf(system, 'APPDATA', inHome(system, 'AppData', 'Roaming'), ...names)

/** A path in the folder for application data of Electron: `app.getPath('appData')`. */
export function inApplicationData(system: HostSystem, ...names: string[]): string {
  if (system.platform === 'win32') return inRoamingData(system, ...names)
  if (system.platform === 'darwin') return inHome(system, 'Library', 'Application Support', ...names)
  return inXdgConfig(system, ...names)
}

/**
 * Like {@link inApplicationData}, for a program that may be installed as an MSIX package. Windows then redirects its
 * roaming data to another folder, which other programs find under the package's name.
 *
 * @param publisher  the beginning of the package's name
 * @throws VALIDATION_ERROR if several packages match
 */
export function inPackagedData(system: HostSystem, publisher: string, ...names: string[]): string {
  if (system.platform !== 'win32') return inApplicationData(system, ...names)
  const packages = inFolderOf(system, 'LOCALAPPDATA', inHome(system, 'AppData', 'Local'), 'Packages')
  const [name, ...others] = system.list(packages).filter((found) => found.startsWith(publisher))
  if (name === undefined) return inRoamingData(system, ...names)
  if (others.length === 0) return joinPath(system, packages, name, 'LocalCache', 'Roaming', ...names)
  throw invalid(
    `Expected one package ${publisher}… in ${packages}, found ${[name, ...others].join(', ')}; name the file to change with --host-config.`,
  )
}

/** Where programs keep the configuration of a user on each system, as the table of hosts needs it. */
import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { invalid } from '../../base/errors.ts'

/** The machine of a user: what decides where a host keeps its configuration. */
export interface HostSystem {
  platform: NodeJS.Platform
  /** Home folder of the user. */
  home: string
  env: NodeJS.ProcessEnv
  /** Names in a folder; none where there is no such folder. */
  list(folder: string): string[]
  /** Content of a file; undefined where there is no such file. */
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

/** Joins the names of a path as that system writes it, which need not be the one that runs this. */
export const joinPath = ({ platform }: HostSystem, ...names: string[]): string =>
  (platform === 'win32' ? win32 : posix).join(...names)

export const isAbsolutePath = ({ platform }: HostSystem, path: string): boolean =>
  (platform === 'win32' ? win32 : posix).isAbsolute(path)

/** A path in the home folder. */
export const inHome = (system: HostSystem, ...names: string[]): string => joinPath(system, system.home, ...names)

/** A path in the folder that a variable names, or else in another. An empty variable counts as absent. */
export const inFolderOf = (system: HostSystem, variable: string, fallback: string, ...names: string[]): string =>
  joinPath(system, system.env[variable] || fallback, ...names)

/** A path in `XDG_CONFIG_HOME`, which counts only if it is absolute (XDG Base Directory Specification 0.8). */
export function inXdgConfig(system: HostSystem, ...names: string[]): string {
  const { XDG_CONFIG_HOME: folder = '' } = system.env
  return isAbsolutePath(system, folder) ? joinPath(system, folder, ...names) : inHome(system, '.config', ...names)
}

/** A path in the roaming application data of Windows. */
export const inRoamingData = (system: HostSystem, ...names: string[]): string =>
  inFolderOf(system, 'APPDATA', inHome(system, 'AppData', 'Roaming'), ...names)

/** A path where Electron keeps the data of applications: `app.getPath('appData')`. */
export function inApplicationData(system: HostSystem, ...names: string[]): string {
  if (system.platform === 'win32') return inRoamingData(system, ...names)
  if (system.platform === 'darwin') return inHome(system, 'Library', 'Application Support', ...names)
  return inXdgConfig(system, ...names)
}

/**
 * Like {@link inApplicationData}, for a program that may have been installed as an MSIX package: Windows then shows it
 * another folder in place of the roaming data, which other programs find under the name of the package.
 *
 * @param publisher  what the name of the package begins with
 * @throws VALIDATION_ERROR where several packages match
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

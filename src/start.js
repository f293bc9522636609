#!/usr/bin/env node
/**
 * Starts Scriptorium on a Node that can run it.
 *
 * This file is plain JavaScript and imports only `node:module` until it has checked the version: on a Node that is too
 * old, the database binding crashes the process, and TypeScript does not load at all. If the development dependency
 * `node` has installed a current Node, the program restarts in that one.
 */
import module from 'node:module'

// Loaded with `require`, since an `import` of `fs` builds all of its exports, which adds milliseconds to each start.
const require = module.createRequire(import.meta.url)
const { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync } = require('node:fs')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join, relative } = require('node:path')
const { fileURLToPath } = require('node:url')

const NEEDED = '22.14'
/** The Node-API version that the database binding needs. Node 22.14 and 23.6 were the first to support it. */
const NODE_API = 10
const source = existsSync(new URL('./cli/main.ts', import.meta.url))
const [major = 0] = process.versions.node.split('.').map(Number)
const isCurrent = major >= 22 && Number(process.versions.napi) >= NODE_API
// A checkout runs from its TypeScript sources, which Node reads without a flag from 22.18 on.
const isEnough = isCurrent && (!source || Boolean(process.features.typescript))

if (isEnough) {
  ensureHomeFolder()
  const folder = compileCacheFolder()
  if (folder !== undefined) module.enableCompileCache?.(folder)
  // The package contains the bundled program.
  const { main } = await import(source ? './cli/main.ts' : './main.js')
  await main(process.argv.slice(2))
} else {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const other = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url))
  if (existsSync(other)) runIn(other)
  else printRequiredVersion()
}

/**
 * A user that systemd created for one service may have no home folder. `os.homedir()` then throws, and libraries call
 * it. Falls back to `/`, as in a container whose user has no home folder.
 */
function ensureHomeFolder() {
  try {
    homedir()
  } catch {
    process.env.HOME = '/'
  }
}

/**
 * A folder for compiled code that only this user can write to, since a user who can write there decides what the program
 * runs. Node's default, in the shared temporary folder, does not qualify. If `NODE_COMPILE_CACHE` names a folder, Node uses
 * that already.
 *
 * @returns {string | undefined}  undefined if there is no such folder; the program then starts a little slower
 */
function compileCacheFolder() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined
  const folder = userCacheFolder()
  if (folder === undefined) return undefined
  try {
    const there = nearestExisting(folder)
    // Resolves symbolic links once, so that the path that is checked is the path that is used.
    const real = join(realpathSync(there), relative(there, folder))
    // Checked before any folder is created, so that nothing is left behind in another user's folder.
    if (!isSafePath(nearestExisting(real))) return undefined
    mkdirSync(real, { recursive: true, mode: 0o700 })
    if (!isSafePath(real) || !isOwn(real)) return undefined
    if (process.platform !== 'win32') chmodSync(real, 0o700)
    return real
  } catch {
    return undefined
  }
}

/** The platform's cache folder of this user, for compiled code. */
function userCacheFolder() {
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local } = process.env
  if (process.platform === 'win32') return local && join(local, 'Scriptorium', 'Cache', 'compiled')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'Scriptorium', 'compiled')
  return join(isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'Scriptorium', 'compiled')
}

/**
 * @param {string} path
 * @returns {string}
 */
function nearestExisting(path) {
  return lstatSync(path, { throwIfNoEntry: false }) ? path : nearestExisting(dirname(path))
}

/**
 * True if only this user and root can put anything at this path: no folder on the way belongs to another user or is
 * writable by others. Sticky folders such as `/tmp` are allowed, since a file there stays with its owner.
 *
 * @param {string} path  without symbolic links
 * @returns {boolean}
 */
function isSafePath(path) {
  // Windows already restricts these folders to their user.
  if (process.platform === 'win32') return true
  const { uid, mode } = lstatSync(path)
  const isSafe = (uid === 0 || uid === process.getuid?.()) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0)
  return isSafe && (path === dirname(path) || isSafePath(dirname(path)))
}

/** @param {string} path */
function isOwn(path) {
  if (process.platform === 'win32') return true
  const found = lstatSync(path)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** @param {string} node  path of a current Node */
function runIn(node) {
  const { spawn } = require('node:child_process')
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}

function printRequiredVersion() {
  const needed = source && isCurrent ? '22.18' : NEEDED
  process.stderr.write(
    `Expected Node ${needed} or newer, found ${process.versions.node}; install a current one from https://nodejs.org.\n`,
  )
  process.exitCode = 2
}

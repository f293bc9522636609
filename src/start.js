#!/usr/bin/env node
/**
 * Starts Scriptorium on a Node that can run it.
 *
 * Plain JavaScript, and nothing imported before the version is known: the database binding crashes the process on a
 * Node that is too old, and TypeScript would not load at all. Where a current Node was installed beside this file
 * (the development dependency `node`), the program goes on in that one.
 */
import module from 'node:module'

// Required, since an import of `fs` makes all that it can give: some milliseconds of each start.
const require = module.createRequire(import.meta.url)
const { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync } = require('node:fs')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join, relative } = require('node:path')
const { fileURLToPath } = require('node:url')

const NEEDED = '22.14'
/** The version of Node-API that the database binding is built for: Node 22.14 has it, and 23.6. */
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
  // The package has the program bundled.
  const { main } = await import(source ? './cli/main.ts' : './main.js')
  await main(process.argv.slice(2))
} else {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const other = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url))
  if (existsSync(other)) runIn(other)
  else printRequiredVersion()
}

/**
 * A user that systemd made for one service may have no home folder. Node throws when such a user's is asked for, and
 * libraries ask. The root folder stands for it, as in a container whose user has none.
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
 * @returns {string | undefined}  none where there is no such folder; the program then starts without, a little slower
 */
function compileCacheFolder() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined
  const folder = userCacheFolder()
  if (folder === undefined) return undefined
  try {
    const there = nearestExisting(folder)
    // Links are followed once, here: what is checked is what is used.
    const real = join(realpathSync(there), relative(there, folder))
    // Looked at before anything is made, so that nothing is left in a folder of somebody else's.
    if (!isSafePath(nearestExisting(real))) return undefined
    mkdirSync(real, { recursive: true, mode: 0o700 })
    if (!isSafePath(real) || !isOwn(real)) return undefined
    if (process.platform !== 'win32') chmodSync(real, 0o700)
    return real
  } catch {
    return undefined
  }
}

/** Where the platform keeps what programs of this user can make again. */
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
 * Whether only this user and root can put anything at this path: no folder on the way belongs to another user or is
 * writable by others. In a sticky folder, such as `/tmp`, a file stays with its owner.
 *
 * @param {string} path  without links
 * @returns {boolean}
 */
function isSafePath(path) {
  // Windows keeps such folders to their user by itself.
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

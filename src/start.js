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
const { existsSync } = require('node:fs')
const { fileURLToPath } = require('node:url')

const NEEDED = '22.14'
/** The version of Node-API that the database binding is built for: Node 22.14 has it, and 23.6. */
const NODE_API = 10
const source = existsSync(new URL('./main.ts', import.meta.url))
const [major = 0] = process.versions.node.split('.').map(Number)
const isCurrent = major >= 22 && Number(process.versions.napi) >= NODE_API
// A checkout runs from its TypeScript sources, which Node reads without a flag from 22.18 on.
const isEnough = isCurrent && (!source || Boolean(process.features.typescript))

if (isEnough) {
  module.enableCompileCache?.()
  // The package has the program bundled.
  const { main } = await import(source ? './main.ts' : './main.js')
  await main(process.argv.slice(2))
} else {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const other = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url))
  if (existsSync(other)) goOnIn(other)
  else tellNeeded()
}

/** @param {string} node  path of a current Node */
function goOnIn(node) {
  const { spawn } = require('node:child_process')
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}

function tellNeeded() {
  const needed = source && isCurrent ? '22.18' : NEEDED
  process.stderr.write(
    `Expected Node ${needed} or newer, found ${process.versions.node}; install a current one from https://nodejs.org.\n`,
  )
  process.exitCode = 2
}

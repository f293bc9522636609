/**
 * Scripts that consist of modules and libraries. The package contains them as bundles in its folder `page/scripts`. A
 * checkout bundles them when a browser first requests one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sourceOf = (file: string): string => fileURLToPath(new URL(`./assets/${file}`, import.meta.url))

/** The entry module of each script, by name. */
export const SCRIPT_SOURCES = {
  edit: sourceOf('edit.ts'),
  reading: sourceOf('reading.ts'),
  collection: sourceOf('collection.ts'),
  whiteboard: sourceOf('whiteboard.ts'),
  transfer: sourceOf('transfer.ts'),
  // Loaded with the first paste. As an entry, it shares chunks with `edit`, and does not import it, which would run it again.
  convertHtml: sourceOf('pasted/convert-html.ts'),
  activity: sourceOf('activity-panel.ts'),
  zoom: sourceOf('zoom.ts'),
  tree: sourceOf('tree.ts'),
  folds: sourceOf('tree-folds.ts'),
  pictures: sourceOf('large-picture.ts'),
  offline: sourceOf('offline.ts'),
  print: sourceOf('print.ts'),
  copy: sourceOf('copy.ts'),
  unsent: sourceOf('unsent.ts'),
  signedOut: sourceOf('signed-out.ts'),
  // Loaded where notifications are allowed, and where they are offered.
  forMe: sourceOf('notifications.ts'),
} as const satisfies Record<string, string>
export type ScriptName = keyof typeof SCRIPT_SOURCES

/** Scripts by file name, such as `edit-1a2b3c4d.js`, and chunks that several of them share. */
type ScriptFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

interface Bundler {
  bundlePageScripts(): Promise<{ files: readonly { file: string; code: string }[] }>
}

const PACKAGED = new URL('./page/scripts/', import.meta.url)
const isPackaged = existsSync(PACKAGED)
/**
 * In a checkout, file names are needed before bundling. They change with each start, since the sources may have
 * changed.
 */
const START = Date.now().toString(36)

let loading: Promise<ScriptFiles> | undefined

/** Retries after a failure, since the sources may have been fixed. */
function loadedScripts(): Promise<ScriptFiles> {
  loading ??= loadScripts().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** @param root  a path prefix, if a proxy serves the server in a folder */
export async function scriptPath(root: string, name: ScriptName): Promise<string> {
  const file = isPackaged ? nameOf(await loadedScripts(), name) : `${name}-${START}.js`
  return `${root}/page/${file}`
}

/** The bytes of a script by file name; undefined for unknown names and other versions. */
export async function readScript(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!/^[\w-]+\.js$/.test(file)) return undefined
  const scripts = await loadedScripts()
  const [, name] = new RegExp(`^(\\w+)-${START}\\.js$`).exec(file) ?? []
  const bundled = name === undefined || isPackaged ? undefined : nameOf(scripts, name)
  // Other chunks import it by the name of its bundle. Under two names it would run twice.
  return bundled === undefined ? scripts.get(file) : new Uint8Array(Buffer.from(`import './${bundled}'\n`))
}

const nameOf = (scripts: ScriptFiles, name: string): string | undefined =>
  [...scripts.keys()].find((file) => file.startsWith(`${name}-`))

async function loadScripts(): Promise<ScriptFiles> {
  if (isPackaged) {
    const names = readdirSync(PACKAGED)
    return new Map(names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, PACKAGED)))]))
  }
  // This module only exists in a checkout. The package's own bundle must not follow this import.
  const bundler = new URL('../../scripts/page-scripts.ts', import.meta.url).href
  const { bundlePageScripts } = (await import(bundler)) as Bundler
  const { files } = await bundlePageScripts()
  return new Map(files.map(({ file, code }) => [file, new Uint8Array(Buffer.from(code))]))
}

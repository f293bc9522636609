/** The styles and scripts of the pages. Their addresses contain a content hash, so that browsers can cache them. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { readScript } from './scripts.ts'
import { readScriptTexts } from './texts/script-texts.ts'

/** The sources of each asset in a checkout, in order. In the built package, each is one file in the folder `page`. */
export const ASSET_SOURCES = {
  'page.css': [
    ...['base', 'columns', 'text', 'tasks', 'comments', 'cards'],
    ...['lists', 'dialogs', 'forms', 'editing', 'narrow'],
  ].map((part) => `./assets/${part}.css`),
  'page.js': ['page-words', 'load-htmx', 'page', 'news', 'stable-lists', 'panel'].map((part) => `./assets/${part}.js`),
  'view.css': ['base', 'columns', 'activity', 'text', 'tasks', 'comments', 'cards', 'lists', 'collections', 'view'].map(
    (part) => `./assets/${part}.css`,
  ),
  'export.css': ['base', 'columns', 'text', 'tasks', 'cards', 'lists', 'collections', 'export'].map(
    (part) => `./assets/${part}.css`,
  ),
  'collections.css': ['./assets/collections.css'],
  'activity.css': ['./assets/activity.css'],
  'home.css': ['./assets/home.css'],
  'choices.css': ['./assets/choices.css'],
  'editing-tools.css': ['./assets/editing-tools.css'],
  'phone.css': ['./assets/phone.css'],
  'print.css': ['./assets/print.css'],
  'suggestions.css': ['./assets/suggestions.css'],
  'whiteboard.css': ['./assets/whiteboard.css'],
  'view.js': ['./assets/view.js'],
  'htmx.js': ['htmx.org/dist/htmx.min.js'],
  'offline-worker.js': ['./assets/offline-worker.js'],
  'icon.svg': ['../../assets/icon.svg'],
  'icon.png': ['../../assets/icon.png'],
  'icons.svg': ['./assets/icons.svg'],
} as const satisfies Record<string, readonly string[]>
export type AssetName = keyof typeof ASSET_SOURCES

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const TYPES = new Map(
  Object.entries({ css: 'text/css; charset=utf-8', js: SCRIPT_TYPE, svg: 'image/svg+xml', png: 'image/png' }),
)

interface Asset {
  bytes: Uint8Array<ArrayBuffer>
  /** `page-1a2b3c4d.css` */
  file: string
  type: string
}

const read = new Map<AssetName, Asset>()

/** @param root  a path prefix, if a proxy serves the server in a folder */
export const assetPath = (root: string, name: AssetName): string => `${root}/page/${readAsset(name).file}`

/** How a file is compressed. Browsers accept Brotli only over HTTPS and from their own machine. */
export type AssetEncoding = 'br' | 'gzip'
/** The smallest first, whatever comes first in the header of a browser. */
export const ASSET_ENCODINGS: readonly AssetEncoding[] = ['br', 'gzip']
const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

/**
 * The response for the file name of an asset; undefined for unknown names and other versions.
 *
 * @param encoding  undefined for a client that accepts none
 */
export async function assetResponse(file: string, encoding: AssetEncoding | undefined): Promise<Response | undefined> {
  const name = (Object.keys(ASSET_SOURCES) as AssetName[]).find((one) => readAsset(one).file === file)
  const bytes = name === undefined ? (readScriptTexts(file) ?? (await readScript(file))) : readAsset(name).bytes
  if (bytes === undefined) return undefined
  const type = name === undefined ? SCRIPT_TYPE : readAsset(name).type
  if (encoding === undefined || bytes.length < LEAST_BYTES) return immutableResponse(bytes, type)
  return immutableResponse(await compressedAsset(file, bytes, encoding), type, { 'Content-Encoding': encoding })
}

/** Bytes below which compressing saves less than the header that it needs. */
const LEAST_BYTES = 1024

/**
 * Each file is compressed once, since anybody may ask for it any number of times. Brotli at its best takes up to a second
 * for a file: scripts are a sixth smaller than with gzip.
 */
const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

function compressedAsset(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  encoding: AssetEncoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = `${encoding} ${file}`
  const known = compressed.get(key)
  if (known !== undefined) return known
  const made = COMPRESS[encoding](bytes).then((result) => new Uint8Array(result))
  compressed.set(key, made)
  return made
}

/** The service worker, at an address that stays the same: browsers ask for it again whenever they open a page. */
export const workerResponse = (): Response =>
  new Response(readAsset('offline-worker.js').bytes, {
    headers: {
      'Content-Type': SCRIPT_TYPE,
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  })

const immutableResponse = (
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(bytes, {
    headers: {
      ...headers,
      Vary: 'Accept-Encoding',
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  })

function readAsset(name: AssetName): Asset {
  const known = read.get(name)
  if (known !== undefined) return known
  const bytes = new Uint8Array(Buffer.concat(assetFiles(name).map((file) => readFileSync(file))))
  const [stem = '', extension = 'css'] = name.split('.')
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  const asset = { bytes, file: `${stem}-${version}.${extension}`, type: TYPES.get(extension) ?? '' }
  read.set(name, asset)
  return asset
}

/** The text of a style or script, for documents that have it in them. */
export const assetText = (name: AssetName): string => Buffer.from(readAsset(name).bytes).toString()

/** The files of an asset, in order. */
export function assetFiles(name: AssetName): string[] {
  const packaged = new URL(`./page/${name}`, import.meta.url)
  if (existsSync(packaged)) return [fileURLToPath(packaged)]
  const { resolve } = createRequire(import.meta.url)
  return ASSET_SOURCES[name].map((source) =>
    source.startsWith('.') ? fileURLToPath(new URL(source, import.meta.url)) : resolve(source),
  )
}

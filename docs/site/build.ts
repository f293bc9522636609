/**
 * Builds the web site of the documentation into `docs/site/dist`. It needs no network to be read: search, fonts and
 * scripts are files of it.
 *
 *     npm run site      (in the root of the checkout)
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
// The builder is not installed with the checkout.
// @ts-expect-error
import { build } from 'vitepress'
import program from '../../package.json' with { type: 'json' }
import { siteFiles } from './pages.ts'

const HERE = import.meta.dirname
const PAGES = join(HERE, 'pages')
const DIST = join(HERE, 'dist')

rmSync(PAGES, { recursive: true, force: true })
mkdirSync(join(PAGES, 'public'), { recursive: true })
const { pages, assets } = siteFiles(`${program.homepage.replace(/#.*$/, '')}/blob/main`)
for (const [path, text] of pages) writeFileSync(join(PAGES, path), text)
// Images are bundled from beside the pages that show them; other files are served as they are.
for (const [path, from] of assets) {
  const folder = path.endsWith('.json') ? join(PAGES, 'public') : PAGES
  copyFileSync(join(HERE, '../..', from), join(folder, path))
}
// Links that lead nowhere end the build.
await build(HERE)

/** What a browser would load from elsewhere. Links that people click are none. */
const LOADED =
  /<(?:script|img|iframe|source)[^>]* src="(?:https?:)?\/\/|<link[^>]* href="(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|@import/
const loading = globSync('**/*.{html,css}', { cwd: DIST }).filter((file) =>
  LOADED.test(readFileSync(join(DIST, file), 'utf8')),
)
if (loading.length > 0)
  throw new Error(`Expected a site that loads nothing from elsewhere, found ${loading.join(', ')}.`)
process.stdout.write(`docs/site/dist/index.html: ${pages.size} pages\n`)

/**
 * The manifest with which a browser installs the pages of a space as an app. Anybody may read it: it has the name of the
 * space only where the page for signing in shows it as well.
 */
import { assetPath } from './assets.ts'
import { PAGE_HEADERS } from './page-response.ts'
import { pageLocale } from './texts/language.ts'

/** Below the base address of the space's pages. */
export const MANIFEST_PATH = '/manifest.webmanifest'
export const SHARE_PATH = '/share'

/** The colors around the pages: --panel of base.css, which a manifest and `theme-color` cannot read. */
export const THEME = { light: '#f5f3ef', dark: '#202124' } as const
const PAPER = '#fdfcfa'
const PROGRAM = 'Scriptorium'

/**
 * @param base  the base address of the space's pages
 * @param name  of the space, where it may be known without signing in
 */
export function manifestResponse(base: string, root: string, name = PROGRAM): Response {
  const manifest = {
    id: `${base}/`,
    name,
    short_name: name,
    lang: pageLocale().language,
    start_url: `${base}/`,
    scope: `${base}/`,
    display: 'standalone',
    theme_color: THEME.light,
    background_color: PAPER,
    icons: [
      { src: assetPath(root, 'icon.svg'), type: 'image/svg+xml', sizes: 'any' },
      { src: assetPath(root, 'icon.png'), type: 'image/png', sizes: '512x512' },
    ],
    share_target: {
      action: `${base}${SHARE_PATH}`,
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  }
  const headers = { ...PAGE_HEADERS, 'Content-Type': 'application/manifest+json; charset=utf-8' }
  return new Response(JSON.stringify(manifest), { headers })
}

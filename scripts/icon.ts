/**
 * Renders assets/icon.svg as assets/icon.png, which hosts show: they take no SVG.
 *
 *     npm run icon
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ASSETS = join(import.meta.dirname, '../assets')

/** Renders the current SVG at 512 by 512 pixels. */
export async function renderIcon(): Promise<Uint8Array> {
  const { svgToPng } = await import('../src/render/svg-to-png.ts')
  const { png } = await svgToPng(readFileSync(join(ASSETS, 'icon.svg'), 'utf8'))
  return png
}

if (import.meta.main) writeFileSync(join(ASSETS, 'icon.png'), await renderIcon())

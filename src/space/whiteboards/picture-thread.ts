/** The thread on which whiteboards are drawn. */
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import type { PictureAsked } from './picture.ts'
import { boardSvg } from './svg.ts'

const { resolve } = createRequire(import.meta.url)
/** A server may have no fonts of its own, and pictures are to be the same everywhere. */
const FONTS = {
  loadSystemFonts: false,
  fontFiles: [
    resolve('@expo-google-fonts/shantell-sans/400Regular/ShantellSans_400Regular.ttf'),
    resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
  ],
  defaultFontFamily: 'DejaVu Sans',
}

parentPort?.on('message', ({ elements, assets, maxWidth, background }: PictureAsked) => {
  const svg = boardSvg(JSON.parse(elements), JSON.parse(assets), maxWidth, background)
  parentPort?.postMessage(new Resvg(svg, { font: FONTS, logLevel: 'off' }).render().asPng())
})

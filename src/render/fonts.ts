/** Bundled fonts for rendering: a server may have none installed, and images must look the same everywhere. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'

/** Paths within `node_modules`. The built package has these files in its folder `fonts`. */
export const FONT_FILES: readonly string[] = [
  '@expo-google-fonts/shantell-sans/400Regular/ShantellSans_400Regular.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf',
]

export function readFonts(): Buffer[] {
  const { resolve } = createRequire(import.meta.url)
  return FONT_FILES.map((file) => {
    const packaged = new URL(`./fonts/${basename(file)}`, import.meta.url)
    return readFileSync(existsSync(packaged) ? packaged : resolve(file))
  })
}

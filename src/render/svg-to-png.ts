/** Rasterizes SVG to PNG. */
import { parseSvg } from './svg-image.ts'

export interface Rasterized {
  png: Uint8Array
  /** Characters that no font has: they are drawn as boxes. */
  missing: string[]
}

/** @param fontFolder  with fonts for characters that the bundled ones lack, besides those of the system */
export async function svgToPng(svg: string, fontFolder?: string): Promise<Rasterized> {
  const { image, missing } = await parseSvg(svg, fontFolder)
  const rendered = image.render()
  const png = rendered.asPng()
  rendered.free()
  image.free()
  return { png, missing }
}

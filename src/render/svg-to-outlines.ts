/** SVG with its texts as outlines: it looks the same wherever it is shown, and needs no fonts there. */
import { parseSvg } from './svg-image.ts'

/** @param fontFolder  with fonts for characters that the bundled ones lack, besides those of the system */
export async function svgToOutlines(svg: string, fontFolder?: string): Promise<string> {
  const { image } = await parseSvg(svg, fontFolder)
  try {
    return image.toString()
  } finally {
    image.free()
  }
}

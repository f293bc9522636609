/** Renders images on a whiteboard. They come only from the data of the board's own assets. */
import { imageSize } from 'image-size'
import { clampNumber, type JsonObject, type NormalizedElement } from './normalize-element.ts'
import { round } from './svg-values.ts'

/** Supported types. SVG is excluded, since it could load files. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['png', 'jpg', 'gif'])
const DATA_URL = /^data:image\/[a-z.+-]{1,20};base64,([a-z0-9+/=\s]+)$/i

export class ImageRenderer {
  readonly #assets: JsonObject
  readonly #hrefs = new Map<string, string | undefined>()
  /** Remaining budget for decoded pixels: a small file can decode to a very large image. */
  #pixelsLeft: number

  constructor(assets: JsonObject, maxPixels: number) {
    this.#assets = assets
    this.#pixelsLeft = maxPixels
  }

  /** The image of an element in its box, or a crossed frame if the image cannot be drawn. */
  render(element: NormalizedElement): string {
    const { source, width, height } = element
    const href = typeof source.fileId === 'string' ? this.#getHref(source.fileId) : undefined
    if (href === undefined) return placeholderSvg(width, height)
    const [scaleX, scaleY] = Array.isArray(source.scale) ? source.scale : []
    const flip = scaleX === -1 || scaleY === -1
    const transform = `translate(${scaleX === -1 ? width : 0} ${scaleY === -1 ? height : 0}) scale(${scaleX === -1 ? -1 : 1} ${scaleY === -1 ? -1 : 1})`
    const tag = croppedImageTag(source.crop, element, href) ?? imageTag(width, height, href)
    return flip ? `<g transform="${transform}">${tag}</g>` : tag
  }

  #getHref(fileId: string): string | undefined {
    if (!this.#hrefs.has(fileId)) this.#hrefs.set(fileId, this.#resolveHref(fileId))
    return this.#hrefs.get(fileId)
  }

  #resolveHref(fileId: string): string | undefined {
    const asset = Object.hasOwn(this.#assets, fileId) ? this.#assets[fileId] : undefined
    const { dataURL } = (asset ?? {}) as { dataURL?: unknown }
    const [, base64] = (typeof dataURL === 'string' && DATA_URL.exec(dataURL)) || []
    if (base64 === undefined) return undefined
    try {
      const { width, height, type = '' } = imageSize(Buffer.from(base64, 'base64'))
      this.#pixelsLeft -= width * height
      if (!IMAGE_TYPES.has(type) || this.#pixelsLeft < 0) return undefined
      return `data:image/${type === 'jpg' ? 'jpeg' : type};base64,${base64.replace(/\s/g, '')}`
    } catch {
      return undefined
    }
  }
}

const imageTag = (width: number, height: number, href: string): string =>
  `<image width="${round(width)}" height="${round(height)}" preserveAspectRatio="none" href="${href}"/>`

/** The cropped part of an image, stretched to the box: the whole image is scaled up and clipped. */
function croppedImageTag(crop: unknown, { id, width, height }: NormalizedElement, href: string): string | undefined {
  if (typeof crop !== 'object' || crop === null) return undefined
  const cropFields = crop as JsonObject
  const [x, y] = [clampNumber(cropFields.x, 0), clampNumber(cropFields.y, 0)]
  const [partWidth, partHeight] = [clampNumber(cropFields.width, 0, 1), clampNumber(cropFields.height, 0, 1)]
  const whole = [clampNumber(cropFields.naturalWidth, 0, 1), clampNumber(cropFields.naturalHeight, 0, 1)] as const
  if (partWidth === 0 || partHeight === 0 || whole[0] === 0 || whole[1] === 0) return undefined
  const [zoomX, zoomY] = [width / partWidth, height / partHeight]
  const name = `crop-${Buffer.from(id).toString('hex')}`
  const cut = `<clipPath id="${name}"><rect width="${round(width)}" height="${round(height)}"/></clipPath>`
  const image = `<g transform="translate(${round(-x * zoomX)} ${round(-y * zoomY)})">${imageTag(whole[0] * zoomX, whole[1] * zoomY, href)}</g>`
  return `${cut}<g clip-path="url(#${name})">${image}</g>`
}

export const placeholderSvg = (width: number, height: number): string => {
  const [right, bottom] = [round(width), round(height)]
  return `<path d="M0 0H${right}V${bottom}H0ZL${right} ${bottom}M0 ${bottom}L${right} 0" fill="#f1f3f5" stroke="#adb5bd"/>`
}

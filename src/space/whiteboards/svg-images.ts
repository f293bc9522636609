/** Pictures on a board: from the data that their assets hold, and from nowhere else. */
import { imageSize } from 'image-size'
import { PICTURE_PIXELS } from '../../limits.ts'
import { type Drawn, numberOf } from './drawn.ts'
import type { Json } from './input.ts'
import { round } from './svg-values.ts'

/** What can be drawn. An SVG could ask for files, and is not. */
const TYPES: ReadonlySet<string> = new Set(['png', 'jpg', 'gif'])
const DATA = /^data:image\/[a-z.+-]{1,20};base64,([a-z0-9+/=\s]+)$/i

export class Images {
  readonly #assets: Json
  readonly #read = new Map<string, string | undefined>()
  /** What unpacking pictures may still take: a small file can hold a very large one. */
  #pixels = PICTURE_PIXELS

  constructor(assets: Json) {
    this.#assets = assets
  }

  /** The picture of an element in its box, or a crossed frame where there is none that could be drawn. */
  tags(one: Drawn): string {
    const { given, width, height } = one
    const href = typeof given.fileId === 'string' ? this.#hrefOf(given.fileId) : undefined
    if (href === undefined) return crossed(width, height)
    const [across, down] = Array.isArray(given.scale) ? given.scale : []
    const flip = across === -1 || down === -1
    const turned = `translate(${across === -1 ? width : 0} ${down === -1 ? height : 0}) scale(${across === -1 ? -1 : 1} ${down === -1 ? -1 : 1})`
    const tag = croppedOf(given.crop, one, href) ?? imageTag(width, height, href)
    return flip ? `<g transform="${turned}">${tag}</g>` : tag
  }

  #hrefOf(fileId: string): string | undefined {
    if (!this.#read.has(fileId)) this.#read.set(fileId, this.#readHref(fileId))
    return this.#read.get(fileId)
  }

  #readHref(fileId: string): string | undefined {
    const asset = Object.hasOwn(this.#assets, fileId) ? this.#assets[fileId] : undefined
    const { dataURL } = (asset ?? {}) as { dataURL?: unknown }
    const [, base64] = (typeof dataURL === 'string' && DATA.exec(dataURL)) || []
    if (base64 === undefined) return undefined
    try {
      const { width, height, type = '' } = imageSize(Buffer.from(base64, 'base64'))
      this.#pixels -= width * height
      if (!TYPES.has(type) || this.#pixels < 0) return undefined
      return `data:image/${type === 'jpg' ? 'jpeg' : type};base64,${base64.replace(/\s/g, '')}`
    } catch {
      return undefined
    }
  }
}

const imageTag = (width: number, height: number, href: string): string =>
  `<image width="${round(width)}" height="${round(height)}" preserveAspectRatio="none" href="${href}"/>`

/** A part of a picture, which fills the box: the whole of it is drawn as much larger, and cut. */
function croppedOf(crop: unknown, { id, width, height }: Drawn, href: string): string | undefined {
  if (typeof crop !== 'object' || crop === null) return undefined
  const given = crop as Json
  const [x, y] = [numberOf(given.x, 0), numberOf(given.y, 0)]
  const [partWidth, partHeight] = [numberOf(given.width, 0, 1), numberOf(given.height, 0, 1)]
  const whole = [numberOf(given.naturalWidth, 0, 1), numberOf(given.naturalHeight, 0, 1)] as const
  if (partWidth === 0 || partHeight === 0 || whole[0] === 0 || whole[1] === 0) return undefined
  const [zoomX, zoomY] = [width / partWidth, height / partHeight]
  const name = `crop-${Buffer.from(id).toString('hex')}`
  const cut = `<clipPath id="${name}"><rect width="${round(width)}" height="${round(height)}"/></clipPath>`
  const image = `<g transform="translate(${round(-x * zoomX)} ${round(-y * zoomY)})">${imageTag(whole[0] * zoomX, whole[1] * zoomY, href)}</g>`
  return `${cut}<g clip-path="url(#${name})">${image}</g>`
}

export const crossed = (width: number, height: number): string => {
  const [right, bottom] = [round(width), round(height)]
  return `<path d="M0 0H${right}V${bottom}H0ZL${right} ${bottom}M0 ${bottom}L${right} 0" fill="#f1f3f5" stroke="#adb5bd"/>`
}

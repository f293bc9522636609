/** An icon in what scripts add: see ../icons.ts. */
import type { IconName } from '../icon-names.ts'

const SVG = 'http://www.w3.org/2000/svg'

export function drawnIcon(name: IconName): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg')
  icon.setAttribute('class', 'icon')
  icon.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `${document.body.dataset.icons}#${name}`)
  icon.append(use)
  return icon
}

/** The drawing on the page: the server's SVG with a handle on each element, and its size. */

import { text } from '../page-text.ts'
import { type BoardElement, describeElement, type Point } from './elements.ts'

const SVG = 'http://www.w3.org/2000/svg'
/** Margin around the drawing, and the minimum visible size, in board units. */
const ROOM = 120
const LEAST: Point = [900, 560]
/** Width of the invisible line by which an arrow can be grabbed. */
const LINE_WIDTH = 18

export class Picture {
  readonly #host: HTMLElement
  #svg: SVGSVGElement | undefined
  #scale = 0

  /** @param host  the element that contains the drawing */
  constructor(host: HTMLElement) {
    this.#host = host
  }

  get svg(): SVGSVGElement | undefined {
    return this.#svg
  }

  show(source: string, elements: readonly BoardElement[]): void {
    const drawn = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement
    if (!(drawn instanceof SVGSVGElement)) return
    const svg = document.importNode(drawn, true)
    this.#addRoom(svg)
    svg.setAttribute('role', 'group')
    svg.setAttribute('aria-label', text('Drawing'))
    // In reading order: each element follows those below it.
    for (const element of elements) this.#prepare(svg, element, elements)
    this.#host.replaceChildren(svg)
    this.#svg = svg
    for (const element of elements) this.#addHold(element)
    this.resize(1)
  }

  #addRoom(svg: SVGSVGElement): void {
    const { x, y, width, height } = svg.viewBox.baseVal
    const [more, taller] = [Math.max(ROOM, (LEAST[0] - width) / 2), Math.max(ROOM, (LEAST[1] - height) / 2)]
    svg.setAttribute('viewBox', `${x - more} ${y - taller} ${width + 2 * more} ${height + 2 * taller}`)
    svg.removeAttribute('width')
    svg.removeAttribute('height')
    const ground = svg.querySelector(':scope > path, :scope > rect')
    this.#host.style.backgroundColor = ground?.getAttribute('fill') ?? ''
  }

  groupOf(id: string): SVGGElement | undefined {
    const group = this.#svg?.querySelector(`[id="${CSS.escape(groupName(id))}"]`)
    return group instanceof SVGGElement ? group : undefined
  }

  #prepare(svg: SVGSVGElement, element: BoardElement, elements: readonly BoardElement[]): void {
    const group = svg.querySelector(`[id="${CSS.escape(groupName(element.id))}"]`)
    if (group === null) return
    group.classList.add('element')
    group.setAttribute('data-element', element.containerId ?? element.id)
    if (element.containerId) return
    group.setAttribute('tabindex', '0')
    group.setAttribute('role', 'button')
    group.setAttribute('aria-label', describeElement(elements, element))
  }

  /** An element can be grabbed anywhere in its box, an arrow along its line. */
  #addHold(element: BoardElement): void {
    const group = this.groupOf(element.id)
    const [line] = group?.querySelectorAll('path') ?? []
    if (group === undefined) return
    if (element.type === 'arrow' || element.type === 'line') {
      const hold = line?.cloneNode()
      if (!(hold instanceof SVGPathElement)) return
      for (const [name, value] of Object.entries({ fill: 'none', stroke: 'transparent', 'stroke-width': LINE_WIDTH })) {
        hold.setAttribute(name, String(value))
      }
      hold.removeAttribute('stroke-dasharray')
      hold.setAttribute('class', 'hold line')
      group.append(hold)
      return
    }
    const { x, y, width, height } = group.getBBox()
    const hold = document.createElementNS(SVG, 'rect')
    // A frame is grabbed by its name and border, so that its contents stay reachable.
    const isFrame = element.type === 'frame' || element.type === 'magicframe'
    const style = {
      x,
      y,
      width,
      height,
      fill: isFrame ? 'none' : 'transparent',
      stroke: 'transparent',
      'stroke-width': 10,
    }
    for (const [name, value] of Object.entries(style)) hold.setAttribute(name, String(value))
    hold.setAttribute('class', 'hold')
    group.append(hold)
  }

  /** Converts window coordinates to board coordinates. */
  toBoard({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const matrix = this.#svg?.getScreenCTM()?.inverse()
    if (matrix === undefined) return [0, 0]
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix)
    return [Math.round(x), Math.round(y)]
  }

  /** The center of the visible part of the board. */
  get middle(): Point {
    const { left, top, width, height } = (this.#host.parentElement ?? this.#host).getBoundingClientRect()
    return this.toBoard({ clientX: left + width / 2, clientY: top + height / 2 })
  }

  /** Shows elements at an offset until the board is rendered again. */
  shift(ids: Iterable<string>, [dx, dy]: Point): void {
    for (const id of ids) {
      const group = this.groupOf(id)
      if (group === undefined) continue
      group.dataset.placed ??= group.getAttribute('transform') ?? ''
      group.setAttribute('transform', `translate(${dx} ${dy}) ${group.dataset.placed}`)
    }
  }

  /** Previews the shape that is being drawn. */
  sketch(from: Point | undefined, to: Point, isLine: boolean): void {
    this.#svg?.querySelector('.sketch')?.remove()
    if (from === undefined || this.#svg === undefined) return
    const shape = document.createElementNS(SVG, isLine ? 'line' : 'rect')
    const style = isLine
      ? { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }
      : {
          ...{ x: Math.min(from[0], to[0]), y: Math.min(from[1], to[1]) },
          ...{ width: Math.abs(to[0] - from[0]), height: Math.abs(to[1] - from[1]) },
        }
    for (const [name, value] of Object.entries(style)) shape.setAttribute(name, String(value))
    shape.classList.add('sketch')
    this.#svg.append(shape)
  }

  /** @param by  a factor; 0 to fit the drawing into the window */
  resize(by: number): void {
    const canvas = this.#host.parentElement
    if (this.#svg === undefined || canvas === null) return
    const { width, height } = this.#svg.viewBox.baseVal
    const fit = Math.min((canvas.clientWidth - 2) / width, (canvas.clientHeight - 2) / height)
    this.#scale = by === 0 ? 0 : Math.min(8, Math.max(0.05, (this.#scale || fit) * by))
    if (this.#scale <= fit) this.#scale = 0
    const scale = this.#scale || fit
    canvas.classList.toggle('zoomed', this.#scale > 0)
    this.#svg.style.width = `${Math.round(width * scale)}px`
    this.#svg.style.height = `${Math.round(height * scale)}px`
  }
}

/** The name that the server gives to the group of an element. */
const groupName = (id: string): string => `element-${encodeURIComponent(id.toWellFormed())}`

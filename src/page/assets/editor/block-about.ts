/**
 * What the server renders about a block, which is not part of its text: who wrote it, comments, links to it, the date of
 * a task, and colors.
 */
import { RenderedFormulas } from './formula-view.ts'

/** The parts of the server's element that the editor keeps. */
export interface About {
  /** Before the text: the titles of callouts. */
  above: HTMLElement[]
  /** In the line of a list item, after the text. */
  inLine: HTMLElement[]
  /** After the text. */
  below: HTMLElement[]
  classes: string[]
  attributes: [name: string, value: string][]
  /** All of its content. Blocks that are not edited here show it as it is. */
  content: readonly ChildNode[]
  /** A rendered formula. */
  formula: readonly ChildNode[]
  /** The server's element; undefined before there is one. */
  element: HTMLElement | undefined
  /** What the page itself shows below the block. */
  beside?: HTMLElement
}

const NONE: About = {
  ...{ above: [], inLine: [], below: [], classes: [], attributes: [], content: [], formula: [], element: undefined },
}
const KEPT_CLASS = /^(?:tone|align|font)-|^(?:fresh|waits)$/
const KEPT_ATTRIBUTE = /^data-(?:light|dark|details)$/

export class BlockAbout {
  readonly #elements: (id: string) => HTMLElement | undefined
  readonly #known = new Map<string, About>()
  /** The formulas within texts. */
  readonly formulas = new RenderedFormulas()
  /** What the page itself shows below a block. */
  readonly #beside = new Map<string, HTMLElement>()

  /** @param elements  the server's element of a block, taken once */
  constructor(elements: (id: string) => HTMLElement | undefined) {
    this.#elements = elements
  }

  of(id: string): About {
    const about = this.#known.get(id) ?? this.#read(id)
    const beside = this.#beside.get(id)
    return beside === undefined ? about : { ...about, beside }
  }

  #read(id: string): About {
    const element = id === '' ? undefined : this.#elements(id)
    if (element === undefined) return NONE
    const about = readAbout(element)
    this.#known.set(id, about)
    this.formulas.read(element)
    return about
  }

  set(id: string, element: HTMLElement | undefined): About {
    this.#known.set(id, element === undefined ? NONE : readAbout(element))
    if (element !== undefined) this.formulas.read(element)
    return this.of(id)
  }

  setBeside(id: string, element: HTMLElement | undefined): About {
    if (element === undefined) this.#beside.delete(id)
    else {
      element.contentEditable = 'false'
      this.#beside.set(id, element)
    }
    return this.of(id)
  }
}

function readAbout(element: HTMLElement): About {
  const find = (selector: string) => [...element.querySelectorAll<HTMLElement>(selector)]
  // The editor draws these itself: see suggestions.ts.
  for (const one of find(':scope > .suggestion')) one.remove()
  const about: About = {
    above: find(':scope > .callout-title'),
    inLine: find(':scope > .line > :not(.box, .item-text)'),
    below: find(':scope > :is(.who, .comments, .linked)'),
    classes: [...element.classList].filter((name) => KEPT_CLASS.test(name)),
    attributes: [...element.attributes].flatMap(({ name, value }) =>
      KEPT_ATTRIBUTE.test(name) ? [[name, value] satisfies [string, string]] : [],
    ),
    content: [...element.childNodes],
    formula: [...(element.querySelector(':scope > .formula')?.childNodes ?? [])],
    element,
  }
  for (const part of [...about.above, ...about.inLine, ...about.below]) part.contentEditable = 'false'
  return about
}

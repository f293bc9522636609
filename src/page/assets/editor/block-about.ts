/**
 * What the server renders about a block, which is not part of its text: who wrote it, comments, links to it, the date of
 * a task, and colors.
 */

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
  /** The element itself. Blocks that are not edited here show it as it is. */
  element: HTMLElement | undefined
}

const NONE: About = { above: [], inLine: [], below: [], classes: [], attributes: [], element: undefined }
const KEPT_CLASS = /^(?:tone|align|font)-|^(?:fresh|waits)$/
const KEPT_ATTRIBUTE = /^data-(?:light|dark)$/

export class BlockAbout {
  readonly #elements: (id: string) => HTMLElement | undefined
  readonly #known = new Map<string, About>()

  /** @param elements  the server's element of a block, taken once */
  constructor(elements: (id: string) => HTMLElement | undefined) {
    this.#elements = elements
  }

  of(id: string): About {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const element = id === '' ? undefined : this.#elements(id)
    const about = element === undefined ? NONE : readAbout(element)
    if (element !== undefined) this.#known.set(id, about)
    return about
  }

  set(id: string, element: HTMLElement | undefined): About {
    const about = element === undefined ? NONE : readAbout(element)
    this.#known.set(id, about)
    return about
  }
}

function readAbout(element: HTMLElement): About {
  const find = (selector: string) => [...element.querySelectorAll<HTMLElement>(selector)]
  const about: About = {
    above: find(':scope > .callout-title'),
    inLine: find(':scope > .line > :not(.box, .words)'),
    below: find(':scope > :is(.who, .comments, .linked, .versions)'),
    classes: [...element.classList].filter((name) => KEPT_CLASS.test(name)),
    attributes: [...element.attributes].flatMap(({ name, value }) =>
      KEPT_ATTRIBUTE.test(name) ? [[name, value] satisfies [string, string]] : [],
    ),
    element,
  }
  for (const part of [...about.above, ...about.inLine, ...about.below]) part.contentEditable = 'false'
  return about
}

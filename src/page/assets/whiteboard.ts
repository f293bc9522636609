/**
 * Edits a whiteboard: elements are moved by mouse, touch and keys, their text is edited, and simple shapes and arrows
 * are drawn. Each change is one call, after which the server renders the board again.
 */

import { CallError, calls } from './calls.ts'
import { inBackground } from './page-background.ts'
import './unsent.ts'
import { count, text } from './page-text.ts'
import { ARROWS, HINTS, isShape, ZOOMS } from './whiteboard/board-keys.ts'
import {
  applyChanges,
  type BoardElement,
  changeText,
  drawShape,
  type ElementChange,
  hasText,
  importElements,
  moveElements,
  type Point,
  placeBelow,
  type Shape,
  textOf,
  withFollowers,
} from './whiteboard/elements.ts'
import { followPointer } from './whiteboard/follow-pointer.ts'
import { askText, type Place } from './whiteboard/label-field.ts'
import { Picture } from './whiteboard/picture.ts'

const canvas = document.querySelector<HTMLElement>('[data-whiteboard]')
const host = document.getElementById('drawing')
const tools = document.getElementById('tools')
const status = document.getElementById('board-status')

/** Pixels within which a press does not count as a drag. */
const SLOP = 4
/** Board units by which an arrow key moves an element, without and with Shift. */
const STEP = 10
const SMALL_STEP = 1
/** Maximum number of elements per call. */
const ELEMENTS_PER_CALL = 1_000

interface Board {
  elements: BoardElement[]
}

class Whiteboard {
  readonly #canvas: HTMLElement
  readonly #picture: Picture
  readonly #id: string
  #elements: BoardElement[] = []
  #chosen: string | undefined
  /** The shape that the next press draws; undefined to select elements. */
  #tool: Shape | undefined
  /** The start element of an arrow that is drawn by keys. */
  #arrowStart: string | undefined
  #isHeld = false
  /** The pending move of the selected element by keys, which is saved after a pause. */
  #nudge: { id: string; by: Point; timer: ReturnType<typeof setTimeout> } | undefined

  constructor(canvas: HTMLElement, host: HTMLElement) {
    this.#canvas = canvas
    this.#picture = new Picture(host)
    this.#id = canvas.dataset.whiteboard ?? ''
  }

  async start(): Promise<void> {
    await this.#read()
    this.#canvas.addEventListener('pointerdown', (event) => this.#press(event))
    // Touch on an element moves it; elsewhere, it scrolls. The CSS property `touch-action` can only say this for the
    // whole drawing.
    const keepStill = (event: TouchEvent) => {
      if (this.#tool !== undefined || elementAt(event.target) !== undefined) event.preventDefault()
    }
    this.#canvas.addEventListener('touchstart', keepStill, { passive: false })
    this.#canvas.addEventListener('dblclick', (event) => {
      const id = elementAt(event.target)
      if (id !== undefined) this.#write(id)
    })
    this.#canvas.addEventListener('keydown', (event) => this.#key(event))
    this.#canvas.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLTextAreaElement)) this.#select(elementAt(target))
    })
    this.#canvas.addEventListener('focusout', () => this.#saveNudge())
    this.#canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return
        event.preventDefault()
        this.#picture.resize(event.deltaY < 0 ? 1.1 : 1 / 1.1)
      },
      { passive: false },
    )
    for (const button of document.querySelectorAll<HTMLElement>('[data-zoom] [data-by]')) {
      button.addEventListener('click', () => this.#picture.resize(Number(button.dataset.by)))
    }
    tools?.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-tool], [data-act]') : null
      if (button !== null) this.#pressTool(button)
    })
    document.body.addEventListener('spacechange', () => {
      if (!this.#isHeld && this.#nudge === undefined) inBackground(() => this.#read())
    })
    document.getElementById('import')?.addEventListener('change', ({ target }) => {
      const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined
      if (file !== undefined) inBackground(() => this.#import(file))
      if (target instanceof HTMLInputElement) target.value = ''
    })
  }

  async #read(): Promise<void> {
    const [board, answer] = await Promise.all([
      calls.read<Board>({ tool: 'elements_list', arguments: { whiteboardBlockId: this.#id } }),
      fetch(this.#canvas.dataset.picture ?? ''),
    ])
    if (!answer.ok || this.#isHeld) return
    const isFocused = this.#canvas.contains(document.activeElement) && document.activeElement !== this.#canvas
    this.#elements = board.elements.filter(({ isDeleted }) => isDeleted !== true)
    this.#picture.show(await answer.text(), this.#elements)
    const chosen = this.#chosen
    this.#select(chosen)
    if (isFocused && chosen !== undefined) this.#picture.groupOf(chosen)?.focus()
  }

  #find(id: string | undefined): BoardElement | undefined {
    return this.#elements.find((one) => one.id === id)
  }

  #select(id: string | undefined): void {
    this.#picture.svg?.querySelector('.is-chosen')?.classList.remove('is-chosen')
    const element = this.#find(id)
    this.#chosen = element?.id
    if (element !== undefined) this.#picture.groupOf(element.id)?.classList.add('is-chosen')
    for (const button of tools?.querySelectorAll<HTMLButtonElement>('[data-act]') ?? []) {
      button.disabled = element === undefined || (button.dataset.act === 'write' && !hasText(element))
    }
  }

  // Tools

  #selectTool(tool: Shape | undefined): void {
    this.#tool = tool
    this.#arrowStart = undefined
    this.#canvas.classList.toggle('draws', tool !== undefined)
    for (const button of tools?.querySelectorAll<HTMLElement>('[data-tool]') ?? []) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === tool))
    }
  }

  #pressTool(button: HTMLElement): void {
    const { tool, act } = button.dataset
    if (act === 'write' && this.#chosen !== undefined) this.#write(this.#chosen)
    else if (act === 'delete' && this.#chosen !== undefined) this.#remove(this.#chosen)
    if (tool === undefined || !isShape(tool)) return
    const isOn = this.#tool === tool
    this.#selectTool(isOn ? undefined : tool)
    if (!isOn) this.#showMessage(HINTS[tool])
  }

  // Pointers

  #press(event: PointerEvent): void {
    if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest('.board-text') !== null) return
    const id = elementAt(event.target)
    if (this.#tool !== undefined) this.#draw(event, this.#tool)
    else if (id !== undefined) this.#drag(event, id)
    else this.#select(undefined)
  }

  #drag(event: PointerEvent, id: string): void {
    event.preventDefault()
    this.#picture.groupOf(id)?.focus()
    this.#select(id)
    const moving = withFollowers(this.#elements, id)
    const from = this.#picture.toBoard(event)
    const at: Point = [event.clientX, event.clientY]
    let by: Point = [0, 0]
    let isDrag = false
    this.#isHeld = true
    followPointer(event, {
      move: (move) => {
        isDrag ||= Math.hypot(move.clientX - at[0], move.clientY - at[1]) > SLOP
        if (!isDrag) return
        const [x, y] = this.#picture.toBoard(move)
        by = [x - from[0], y - from[1]]
        this.#picture.shift(moving, by)
      },
      end: (isCanceled) => {
        this.#isHeld = false
        if (isCanceled) this.#picture.shift(moving, [0, 0])
        else if (isDrag) inBackground(() => this.#update(moveElements(this.#elements, moving, by)))
      },
    })
  }

  #draw(event: PointerEvent, type: Shape): void {
    event.preventDefault()
    const from = this.#picture.toBoard(event)
    const start = elementAt(event.target)
    let to = from
    this.#isHeld = true
    followPointer(event, {
      move: (move) => {
        to = this.#picture.toBoard(move)
        this.#picture.sketch(from, to, type === 'arrow')
      },
      end: (isCanceled, last) => {
        this.#isHeld = false
        this.#picture.sketch(undefined, to, false)
        if (isCanceled) return
        const end = elementAt(document.elementFromPoint(last.clientX, last.clientY))
        this.#selectTool(undefined)
        inBackground(() => this.#add({ type, from, to, start, end }))
      },
    })
  }

  // Keys

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLTextAreaElement) return
    const { key } = event
    const id = elementAt(event.target)
    const zoom = ZOOMS.get(key)
    const arrow = ARROWS.get(key)
    if (zoom !== undefined) this.#picture.resize(zoom)
    else if (key === 'Escape') this.#selectTool(undefined)
    else if (key === 'Enter' || key === ' ') this.#enter(event, id)
    else if (id !== undefined && (key === 'Delete' || key === 'Backspace')) this.#remove(id)
    else if (id !== undefined && arrow !== undefined) {
      event.preventDefault()
      const [x, y] = arrow
      const step = event.shiftKey ? SMALL_STEP : STEP
      this.#nudgeBy(id, [x * step, y * step])
    }
  }

  /** Enter draws in the middle of the window, connects elements with an arrow, or edits text. */
  #enter(event: KeyboardEvent, id: string | undefined): void {
    event.preventDefault()
    const tool = this.#tool
    if (tool === undefined) {
      if (id !== undefined) this.#write(id)
    } else if (tool === 'arrow' && id !== undefined && this.#arrowStart === undefined) {
      this.#arrowStart = id
      this.#showMessage(text('The arrow begins here. Go to where it ends, and press Enter.'))
    } else {
      const from = this.#picture.middle
      const start = this.#arrowStart
      this.#selectTool(undefined)
      inBackground(() => this.#add({ type: tool, from, to: from, start, end: tool === 'arrow' ? id : undefined }))
    }
  }

  /** Combines several key presses into one call. */
  #nudgeBy(id: string, [x, y]: Point): void {
    const before = this.#nudge
    if (before !== undefined) clearTimeout(before.timer)
    const by: Point = [(before?.by[0] ?? 0) + x, (before?.by[1] ?? 0) + y]
    this.#picture.shift(withFollowers(this.#elements, id), by)
    this.#nudge = { id, by, timer: setTimeout(() => this.#saveNudge(), NUDGE_MS) }
  }

  #saveNudge(): void {
    const nudge = this.#nudge
    if (nudge === undefined) return
    clearTimeout(nudge.timer)
    this.#nudge = undefined
    inBackground(() => this.#update(moveElements(this.#elements, withFollowers(this.#elements, nudge.id), nudge.by)))
  }

  // Words

  #write(id: string): void {
    const element = this.#find(id)
    const group = this.#picture.groupOf(id)
    if (element === undefined || group === undefined || !hasText(element)) return
    const text = textOf(this.#elements, element)
    this.#ask(group.getBoundingClientRect(), text, (written) => {
      const change = changeText(element, written)
      if (change !== undefined && written !== text) inBackground(() => this.#update([change]))
      else this.#picture.groupOf(id)?.focus()
    })
  }

  /** @param done  called with the text to save, or with the previous text if there is nothing to save */
  #ask(place: Place, text: string, done: (text: string) => void): void {
    this.#isHeld = true
    askText(this.#canvas, place, text, (kept) => {
      this.#isHeld = false
      done(kept)
    })
  }

  // Calls

  async #add(drawn: Omit<Parameters<typeof drawShape>[0], 'id'>): Promise<void> {
    const id = newId()
    if (drawn.type === 'text') {
      const { svg } = this.#picture
      const matrix = svg?.getScreenCTM()
      const at = new DOMPoint(...drawn.from).matrixTransform(matrix ?? undefined)
      this.#ask({ left: at.x, top: at.y, width: 220 }, '', (text) => {
        if (text !== '')
          inBackground(() => this.#make('elements_add', { elements: [drawShape({ ...drawn, id, text })] }, id))
      })
      return
    }
    await this.#make('elements_add', { elements: [drawShape({ ...drawn, id })] }, id)
  }

  async #update(changes: readonly ElementChange[]): Promise<void> {
    if (changes.length === 0) return
    // Further moves continue from here before the elements are reloaded.
    this.#elements = applyChanges(this.#elements, changes)
    await this.#make('elements_update', { elements: changes }, this.#chosen)
  }

  #remove = (id: string): void => inBackground(() => this.#delete(id))

  async #delete(id: string): Promise<void> {
    const labels = this.#elements.filter(({ containerId }) => containerId === id).map((label) => label.id)
    await this.#make('elements_delete', { elementIds: [id, ...labels] }, undefined)
  }

  /** @param chosen  the element to select afterwards */
  async #make(tool: string, input: Record<string, unknown>, chosen: string | undefined): Promise<void> {
    try {
      await calls.make({
        document: this.#id,
        tool,
        arguments: { whiteboardBlockId: this.#id, ...input, ...(tool !== 'elements_delete' && { answer: 'ids' }) },
      })
      this.#chosen = chosen
      this.#showMessage('')
    } catch (error) {
      this.#showMessage(error instanceof CallError ? error.message : String(error), true)
    }
    await this.#read()
    if (chosen !== undefined) this.#picture.groupOf(chosen)?.focus()
  }

  /** Adds an Excalidraw drawing from a file to the board. */
  async #import(file: File): Promise<void> {
    const drawing = await file.text().then(
      (text) => JSON.parse(text) as { elements?: BoardElement[]; files?: Record<string, unknown> },
      () => undefined,
    )
    const given = drawing?.elements
    if (!Array.isArray(given)) {
      this.#showMessage(text('{name} is not an Excalidraw drawing.', { name: file.name }), true)
      return
    }
    const named = importElements(given, new Set(this.#elements.map(({ id }) => id)), newId)
    const elements = placeBelow(named, this.#elements)
    for (let from = 0; from < elements.length; from += ELEMENTS_PER_CALL) {
      const part = elements.slice(from, from + ELEMENTS_PER_CALL)
      const isFirst = from === 0 && drawing?.files !== undefined
      await this.#make('elements_add', { elements: part, ...(isFirst && { assets: drawing?.files }) }, undefined)
    }
    if (status?.classList.contains('late') === false) {
      this.#showMessage(count(elements.length, { one: '1 element was added.', other: '{n} elements were added.' }))
    }
  }

  #showMessage(message: string, isFault = false): void {
    if (status === null) return
    status.textContent = message
    status.classList.toggle('late', isFault)
  }
}

/** Milliseconds without a key press after which moves by keys are saved. */
const NUDGE_MS = 500

function elementAt(target: EventTarget | null): string | undefined {
  const group = target instanceof Element ? target.closest<SVGElement>('[data-element]') : null
  return group?.dataset.element
}

/** `crypto.randomUUID` is only available in secure contexts. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(36).padStart(2, '0')).join('')

if (canvas !== null && host !== null) inBackground(() => new Whiteboard(canvas, host).start())

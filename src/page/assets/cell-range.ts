/**
 * Ranges of cells, as in a spreadsheet: Shift with an arrow or a click extends one, copying takes its texts to other
 * programs, and what is pasted from these becomes values. Texts that are pasted below the last row become new rows.
 */
import { readAgain, showStatus } from './card-drag.ts'
import { inBackground } from './page-background.ts'
import { count, countKey, text } from './page-text.ts'

const CELL = '[data-cells] [data-key]'
const base = document.body.dataset.base ?? ''

/** The corners of the range, by their items and columns: reloading a table replaces its elements. */
interface Corner {
  item: string
  key: string
}
let corners: { from: Corner; to: Corner } | undefined

const cellAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(CELL) : null
const cornerOf = (cell: HTMLElement): Corner => ({
  item: cell.closest<HTMLElement>('[data-item]')?.dataset.item ?? '',
  key: cell.dataset.key ?? '',
})
const elementAt = ({ item, key }: Corner): HTMLElement | null =>
  document.querySelector(`[data-cells] [data-item="${CSS.escape(item)}"] > [data-key="${CSS.escape(key)}"]`)

/** The cells of a table, row by row. */
const gridOf = (table: Element): HTMLElement[][] =>
  [...table.querySelectorAll('tr:has([data-key])')].map((row) => [...row.querySelectorAll<HTMLElement>('[data-key]')])

/** The cells between the corners; that with the focus alone if there is no range. */
function rangeCells(cell: HTMLElement): HTMLElement[][] {
  const [from, to] = corners === undefined ? [cell, cell] : [elementAt(corners.from), elementAt(corners.to)]
  const table = cell.closest('[data-cells]')
  if (table === null || !from || !to || !table.contains(from) || !table.contains(to)) return [[cell]]
  const grid = gridOf(table)
  const placeOf = (one: HTMLElement) => {
    const row = grid.findIndex((cells) => cells.includes(one))
    return { row, column: grid[row]?.indexOf(one) ?? -1 }
  }
  const [one, other] = [placeOf(from), placeOf(to)]
  const [top, bottom] = [Math.min(one.row, other.row), Math.max(one.row, other.row)]
  const [left, right] = [Math.min(one.column, other.column), Math.max(one.column, other.column)]
  return grid.slice(top, bottom + 1).map((row) => row.slice(left, right + 1))
}

/** Marks the cells of the range. */
function draw(): void {
  for (const cell of document.querySelectorAll('.in-range')) {
    cell.classList.remove('in-range')
    cell.removeAttribute('aria-selected')
  }
  const from = corners && elementAt(corners.from)
  if (!from) return
  for (const cell of rangeCells(from).flat()) {
    cell.classList.add('in-range')
    cell.setAttribute('aria-selected', 'true')
  }
}

/** Forgets the range. */
function clear(): void {
  if (corners === undefined) return
  corners = undefined
  draw()
}

// The focus is on the corner where a range began. Elsewhere, another one begins.
document.addEventListener('focusin', ({ target }) => {
  const cell = cellAt(target)
  const isFirst = cell !== null && JSON.stringify(cornerOf(cell)) === JSON.stringify(corners?.from)
  if (!isFirst) clear()
})

const STEPS: ReadonlyMap<string, readonly [rows: number, columns: number]> = new Map(
  Object.entries({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }),
)

// Runs before the listeners of cells.ts, which move the focus, and edit.
document.addEventListener(
  'keydown',
  (event) => {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || !target.matches(CELL) || event.ctrlKey || event.metaKey || event.altKey)
      return
    const step = STEPS.get(key)
    if (step !== undefined && event.shiftKey) {
      event.preventDefault()
      event.stopImmediatePropagation()
      extend(target, step)
    } else if (key === 'Delete' || key === 'Backspace') {
      event.preventDefault()
      const cells = rangeCells(target)
      inBackground(() =>
        write(
          cells,
          cells.map((row) => row.map(() => '')),
          'cleared',
        ),
      )
    } else if (key !== 'Shift') clear()
  },
  { capture: true },
)

function extend(cell: HTMLElement, [rows, columns]: readonly [number, number]): void {
  const from = corners?.from ?? cornerOf(cell)
  const to = corners === undefined ? cell : elementAt(corners.to)
  const table = cell.closest('[data-cells]')
  if (table === null || to === null) return
  const grid = gridOf(table)
  const row = grid.findIndex((cells) => cells.includes(to))
  const column = grid[row]?.indexOf(to) ?? 0
  const next = grid[row + rows]?.[column + columns]
  if (next !== undefined) corners = { from, to: cornerOf(next) }
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  draw()
}

document.addEventListener(
  'click',
  (event) => {
    const cell = cellAt(event.target)
    const active = cellAt(document.activeElement)
    if (!event.shiftKey || cell === null || active === null) return clear()
    event.preventDefault()
    event.stopImmediatePropagation()
    corners = { from: corners?.from ?? cornerOf(active), to: cornerOf(cell) }
    getSelection()?.removeAllRanges()
    draw()
  },
  { capture: true },
)
// The focus stays on the first corner while the other one is chosen.
document.addEventListener('mousedown', (event) => {
  if (event.shiftKey && cellAt(event.target) !== null && cellAt(document.activeElement) !== null) event.preventDefault()
})

const textOf = (cell: HTMLElement): string =>
  cell.dataset.v ?? (cell.querySelector(':scope > a') ?? cell).textContent?.trim() ?? ''

document.addEventListener('copy', (event) => {
  const cell = cellAt(document.activeElement)
  if (cell === null || document.activeElement !== cell || event.clipboardData === null) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const texts = rangeCells(cell).map((row) => row.map(textOf))
  const quoted = (text: string) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  event.clipboardData.setData('text/plain', texts.map((row) => row.map(quoted).join('\t')).join('\n'))
  const table = document.createElement('table')
  for (const row of texts) {
    const line = table.insertRow()
    for (const content of row) line.insertCell().textContent = content
  }
  event.clipboardData.setData('text/html', table.outerHTML)
  showStatus(count(texts.flat().length, { one: 'Copied.', other: '{n} cells copied.' }))
})

document.addEventListener('paste', (event) => {
  const cell = cellAt(document.activeElement)
  if (cell === null || document.activeElement !== cell || event.clipboardData === null) return
  event.preventDefault()
  const texts = readLines(event.clipboardData.getData('text/plain'))
  const range = rangeCells(cell)
  const [first = []] = texts
  const isOne = texts.length === 1 && first.length === 1
  const filled = isOne ? range.map((row) => row.map(() => first[0] ?? '')) : texts
  if (filled.length > 0) inBackground(() => write(range, filled, 'pasted'))
})

/** Reads lines of cells between tabs. Quotes surround cells with line breaks. */
export function readLines(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (const [, quoted, bare = '', end] of cells.matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === '\n') rows.push([])
    else if (end === '') break
  }
  return rows
}

interface PasteAnswer {
  error?: string
  cells?: number
  /** True if the link proposes, so that nothing is written yet. */
  isProposed?: boolean
  callId?: string
}

const DONE = {
  pasted: countKey({ one: '{n} cell pasted.', other: '{n} cells pasted.' }),
  cleared: countKey({ one: '{n} cell cleared.', other: '{n} cells cleared.' }),
} as const

/** Writes texts from the first cell of a range on. */
async function write(
  range: readonly (readonly HTMLElement[])[],
  texts: string[][],
  done: keyof typeof DONE,
): Promise<void> {
  const corner = range[0]?.[0]
  const table = corner?.closest<HTMLElement>('[data-cells]')
  if (corner === undefined || !table) return
  const grid = gridOf(table)
  const top = grid.findIndex((cells) => cells.includes(corner))
  const left = grid[top]?.indexOf(corner) ?? 0
  const width = Math.max(...texts.map((row) => row.length))
  const keys = (grid[top] ?? []).slice(left, left + width).map(({ dataset }) => dataset.key ?? '')
  const rows = grid.slice(top, top + texts.length).map(([cell]) => (cell === undefined ? '' : cornerOf(cell).item))
  const cells = JSON.stringify({ rows, keys, texts })
  const body = new URLSearchParams({ token: document.body.dataset.token ?? '', cells })
  const response = await fetch(`${table.dataset.cells}/cells`, { method: 'POST', body }).catch(() => undefined)
  if (response === undefined)
    return showStatus(text('The server was not reached. Nothing was changed; try again.'), true)
  const answer = (await response.json().catch(() => ({}))) as PasteAnswer
  if (!response.ok) return showStatus(answer.error ?? text('This was refused. Nothing was changed.'), true)
  const forms = answer.isProposed
    ? countKey({
        one: 'A change of {n} cell waits for approval.',
        other: 'A change of {n} cells waits for approval.',
      })
    : DONE[done]
  showDone(count(answer.cells ?? 0, forms), answer.callId)
  readAgain()
}

/** Says what was done, with a button that takes it back. */
function showDone(sentence: string, callId: string | undefined): void {
  showStatus('')
  // It takes the place of the notice before.
  document.getElementById('notice')?.remove()
  const place = document.getElementById('ticked') ?? document.createElement('div')
  place.id = 'ticked'
  place.setAttribute('role', 'status')
  if (!place.isConnected) document.getElementById('main')?.append(place)
  const notice = document.createElement('div')
  notice.className = 'notice'
  notice.append(sentence)
  if (callId !== undefined) {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: `${base}/undo` })
    const back = `${location.pathname.slice(base.length)}${location.search}`
    for (const [name, value] of Object.entries({ token: document.body.dataset.token ?? '', calls: callId, back })) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    }
    form.append(Object.assign(document.createElement('button'), { textContent: text('Undo') }))
    notice.append(form)
  }
  place.replaceChildren(notice)
}

document.addEventListener('htmx:after:swap', draw)

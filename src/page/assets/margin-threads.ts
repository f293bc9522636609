/**
 * Comments in a document. Where there is room, the threads stand beside their words; otherwise they open from their
 * number below the block. The threads in the blocks, as the server renders them, are the ones that count: what stands in
 * the margin are copies. Loaded with the first comment.
 */
import { announce, speak } from './announcement.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'
import { keepReadingPlace } from './reading-place.ts'
import { type PlacedThread, threadTops } from './thread-places.ts'

/** Pixels from the text to the threads: the author of a block stands between them. */
const FROM_TEXT = 112
const WIDEST = 280
const GAP = 12
/** Pixels that the text and threads of a readable width need. */
const LEAST_ROOM = 996
/** Pixels beside the text, within its article. */
const BESIDE_TEXT = 104

const margin = document.createElement('div')
margin.className = 'threads'
margin.setAttribute('role', 'region')
margin.setAttribute('aria-label', text('Comments'))
/** Marks the words of a thread. The text is the editor's, and what is changed in it there is drawn again. */
const marks = new CSSStyleSheet()
/** The copies in the margin, by the IDs of their threads, with the threads that they were made from. */
const copies = new Map<string, { copy: HTMLElement; html: string }>()
/** Blocks whose threads were opened from their number. They stay open when the block is drawn again. */
const unfolded = new Set<string>()
/** The boxes that were drawn before. Each is opened once, since the browser reports late that a person closed one. */
const drawn = new WeakSet<Element>()
let shownId: string | undefined
/** Where the focus was before it went to a thread. */
let before: HTMLElement | undefined
let isDue = false
/** The block whose number of comments has the focus, which it keeps when the block is drawn again. */
let focusedBlock: string | undefined

const articleOf = (): HTMLElement | null => document.querySelector('article')
const threadsIn = (place: ParentNode | null): HTMLElement[] => [
  ...(place?.querySelectorAll<HTMLElement>('.part .comments > .thread') ?? []),
]
const idOf = (thread: Element): string => (thread instanceof HTMLElement ? thread.dataset.thread : undefined) ?? ''
const blockOf = (thread: Element): HTMLElement | null => thread.closest<HTMLElement>('[id^="b"]')
const sourceOf = (id: string): HTMLElement | undefined => threadsIn(articleOf()).find((one) => idOf(one) === id)
const isInMargin = (): boolean => margin.isConnected
/** The words that a thread is about, if they are marked in the text. */
const wordsOf = (id: string): HTMLElement | null =>
  articleOf()?.querySelector<HTMLElement>(`.part ${selectorOf(id)}`) ?? null
const selectorOf = (id: string): string => `.commented[data-comment$="${CSS.escape(id)}"]`

/** Shows the comments of this page from now on. */
export function startThreads(): void {
  document.adoptedStyleSheets.push(marks)
  document.addEventListener('click', onClick)
  document.addEventListener('keydown', onKey)
  document.addEventListener('toggle', onToggle, { capture: true })
  document.addEventListener('focusin', ({ target }) => {
    const isNumber = target instanceof Element && target.matches('.comments > summary')
    focusedBlock = isNumber ? blockOf(target)?.id : undefined
  })
  margin.addEventListener('focusin', ({ target, relatedTarget }) => {
    const thread = target instanceof Element ? target.closest('.thread') : null
    if (relatedTarget instanceof HTMLElement && !margin.contains(relatedTarget)) before = relatedTarget
    if (thread !== null && idOf(thread) !== shownId) show(idOf(thread))
  })
  margin.addEventListener('pointerover', ({ target }) => {
    const thread = target instanceof Element ? target.closest('.thread') : null
    mark(thread === null ? shownId : idOf(thread))
  })
  margin.addEventListener('pointerleave', () => mark(shownId))
  window.addEventListener('resize', updateThreads)
  const article = articleOf()
  if (article !== null) new ResizeObserver(updateThreads).observe(article)
  draw()
  showAddressed()
}

/** Draws the threads again, before the browser draws the page. */
export function updateThreads(): void {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    draw()
  })
}

function draw(): void {
  const threads = threadsIn(articleOf())
  const main = document.getElementById('main')
  const hasRoom = main !== null && main.clientWidth >= LEAST_ROOM && threads.length > 0
  makeRoom(hasRoom)
  if (hasRoom) {
    if (!margin.isConnected) main.append(margin)
    copyAll(threads)
    place(threads)
  } else {
    margin.remove()
    for (const thread of threads) {
      thread.classList.toggle('shown', idOf(thread) === shownId)
      const { parentElement: box } = thread
      if (!(box instanceof HTMLDetailsElement) || drawn.has(box)) continue
      drawn.add(box)
      if (unfolded.has(blockOf(box)?.id ?? '')) box.open = true
    }
    if (focusedBlock !== undefined && document.activeElement === document.body)
      document.querySelector<HTMLElement>(`#${focusedBlock} .comments > summary`)?.focus({ preventScroll: true })
  }
  if (shownId !== undefined && !threads.some((one) => idOf(one) === shownId)) hide()
}

/** The text is narrower beside threads, and has none below its blocks. */
function makeRoom(hasRoom: boolean): void {
  const { classList } = document.documentElement
  const article = articleOf()
  if (article === null || classList.contains('margin-threads') === hasRoom) return
  const edited = article.contains(document.activeElement) ? article.querySelector('.block.open') : null
  keepReadingPlace(article, edited, () => classList.toggle('margin-threads', hasRoom))
}

function copyAll(threads: readonly HTMLElement[]): void {
  const left = new Set(copies.keys())
  let last: HTMLElement | undefined
  for (const thread of threads) {
    const id = idOf(thread)
    left.delete(id)
    const copy = copyOf(id, thread)
    copy.classList.toggle('shown', id === shownId)
    const isInPlace = copy.parentElement === margin && copy.previousElementSibling === (last ?? null)
    if (!isInPlace && last === undefined) margin.prepend(copy)
    else if (!isInPlace) last?.after(copy)
    last = copy
  }
  for (const id of left) {
    copies.get(id)?.copy.remove()
    copies.delete(id)
  }
}

function copyOf(id: string, thread: HTMLElement): HTMLElement {
  const html = thread.innerHTML
  const known = copies.get(id)
  if (known?.html === html) return known.copy
  const copy = thread.cloneNode(true) as HTMLElement
  copy.tabIndex = 0
  for (const one of copy.querySelectorAll('[id]')) one.removeAttribute('id')
  copies.set(id, { copy, html })
  if (known === undefined) return copy
  const { activeElement } = document
  const name = known.copy.contains(activeElement) ? (activeElement?.textContent ?? '') : undefined
  known.copy.replaceWith(copy)
  // What had the focus may be gone, as *Resolve* is.
  const same = [...copy.querySelectorAll<HTMLElement>('a, button')].find(({ textContent }) => textContent === name)
  if (name !== undefined) (same ?? copy).focus({ preventScroll: true })
  return copy
}

function place(threads: readonly HTMLElement[]): void {
  const article = articleOf()
  const main = document.getElementById('main')
  if (article === null || main === null) return
  const { right, top } = article.getBoundingClientRect()
  const left = right - BESIDE_TEXT + FROM_TEXT
  const width = Math.min(WIDEST, main.getBoundingClientRect().right - left - GAP)
  const placed: (PlacedThread & { copy: HTMLElement; id: string; start: number })[] = []
  for (const thread of threads) {
    const copy = copies.get(idOf(thread))?.copy
    const block = blockOf(thread)
    if (copy === undefined || block === null) continue
    // Blocks in what is folded have no place.
    copy.hidden = block.getClientRects().length === 0
    if (copy.hidden) continue
    copy.style.width = `${width}px`
    const at = (wordsOf(idOf(thread)) ?? block).getBoundingClientRect()
    placed.push({ copy, id: idOf(thread), top: at.top + scrollY, start: at.left, height: 0 })
  }
  placed.sort((one, other) => one.top - other.top || one.start - other.start)
  for (const one of placed) one.height = one.copy.offsetHeight
  const index = placed.findIndex(({ id }) => id === shownId)
  const shown = index === -1 ? undefined : index
  const tops = threadTops(placed, { least: top + scrollY, gap: GAP, shown })
  for (const [at, { copy }] of placed.entries()) {
    copy.style.left = `${left + scrollX}px`
    copy.style.top = `${tops[at]}px`
  }
}

/** Shows a thread at its words, and its words in the text. */
function show(id: string): HTMLElement | undefined {
  shownId = id
  const source = sourceOf(id)
  const box = source?.parentElement
  if (!isInMargin() && box instanceof HTMLDetailsElement) box.open = true
  mark(id)
  draw()
  return isInMargin() ? copies.get(id)?.copy : source
}

function hide(): void {
  shownId = undefined
  mark(undefined)
  draw()
}

function mark(id: string | undefined): void {
  const block = id === undefined ? undefined : sourceOf(id)
  const selector =
    id === undefined ? '' : wordsOf(id) !== null ? selectorOf(id) : block && `#${CSS.escape(blockOf(block)?.id ?? '')}`
  marks.replaceSync(selector ? `${selector} { background: var(--wait-soft) }` : '')
}

function onClick(event: MouseEvent): void {
  const { target } = event
  if (!(target instanceof Element)) return
  const button = target.closest<HTMLButtonElement>('button[form="comment"]')
  if (button !== null) {
    decide(button, event)
    return
  }
  const words = target.closest<HTMLElement>('article .commented[data-comment]')
  if (words !== null && target.closest('a') === null) {
    const { comment = '' } = words.dataset
    const thread = threadsIn(articleOf()).find((one) => comment.endsWith(idOf(one)))
    if (thread === undefined) return
    const seen = show(idOf(thread))
    seen?.scrollIntoView({ block: 'nearest' })
    speak(`${thread.getAttribute('aria-label')}: ${thread.querySelector('li')?.textContent ?? ''}`)
    return
  }
  const thread = target.closest('.threads > .thread, .comments > .thread')
  if (thread === null) {
    if (shownId !== undefined && target.closest('#panel') === null) hide()
    return
  }
  show(idOf(thread))
  if (target.closest('a, button') === null)
    (wordsOf(idOf(thread)) ?? blockOf(sourceOf(idOf(thread)) ?? thread))?.scrollIntoView({ block: 'nearest' })
}

function onKey({ key, target }: KeyboardEvent): void {
  if (key !== 'Escape' || shownId === undefined) return
  const source = sourceOf(shownId)
  const isInside = target instanceof Element && target.closest('.threads, .comments') !== null
  hide()
  if (!isInside) return
  const box = source?.parentElement
  if (!isInMargin() && box instanceof HTMLDetailsElement) {
    box.open = false
    box.querySelector('summary')?.focus()
  } else if (before?.isConnected) before.focus({ preventScroll: true })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

function onToggle({ target }: Event): void {
  if (!(target instanceof HTMLDetailsElement) || !target.matches('.comments')) return
  const id = blockOf(target)?.id ?? ''
  if (target.open) unfolded.add(id)
  else unfolded.delete(id)
}

/** Resolves or reopens a thread, or confirms a comment. It waits with the other calls while there is no connection. */
function decide(button: HTMLButtonElement, event: Event): void {
  const { form } = button
  if (form === null) return
  if (button.getAttribute('aria-busy') === 'true') {
    event.preventDefault()
    return
  }
  const sent = new FormData(form)
  sent.append(button.name, button.value)
  const fields = [...sent].flatMap(([name, value]) =>
    name === 'token' || typeof value !== 'string' ? [] : [[name, value]],
  )
  const { base = '' } = document.body.dataset
  const name = button.closest('.thread')?.getAttribute('aria-label') ?? ''
  const detail: { form: object; outcome?: Promise<{ leadsTo?: string; isRefused?: true; waits?: true }> } = {
    form: { action: new URL(form.action).pathname.slice(base.length), fields, text: `${button.textContent}: ${name}` },
  }
  form.dispatchEvent(new CustomEvent('formsend', { bubbles: true, detail }))
  // A page without a queue sends the form.
  if (detail.outcome === undefined) return
  event.preventDefault()
  button.setAttribute('aria-busy', 'true')
  inBackground(async () => {
    try {
      const { leadsTo = '', isRefused, waits } = (await detail.outcome) ?? {}
      if (waits === true) announce(text('You are offline. This is sent as soon as there is a connection.'))
      else if (isRefused) announce(text('The server refused this. Load the page again to see what is stored.'))
      else if (new URL(leadsTo, location.href).searchParams.has('notice')) location.assign(leadsTo)
    } finally {
      button.removeAttribute('aria-busy')
    }
  })
}

/** Shows the comment that the address names, as that of the list of open comments does. */
function showAddressed(): void {
  const [, id] = /^#c(\w+)$/.exec(location.hash) ?? [undefined, new URLSearchParams(location.search).get('comment')]
  const thread = id ? document.getElementById(`c${id}`)?.closest('.thread') : undefined
  if (!thread) return
  show(idOf(thread))
  const place = wordsOf(idOf(thread)) ?? blockOf(thread)
  place?.scrollIntoView({ block: 'center' })
}

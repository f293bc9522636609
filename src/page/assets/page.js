/**
 * Interaction beyond HTML: quick open, keyboard shortcuts, and relative times. Everything else
 * works without this script.
 */
const { body, documentElement } = document
documentElement.classList.add('scripted')
const base = body.dataset.base ?? ''

/**
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 */
function find(selector, kind, within = /** @type {ParentNode} */ (document)) {
  const found = within.querySelector(selector)
  return found instanceof kind ? found : undefined
}

// Quick open

const dialog = find('#find', HTMLDialogElement)
const field = find('#find input', HTMLInputElement)

function openFinder() {
  if (dialog === undefined || field === undefined || dialog.open) return
  dialog.showModal()
  field.select()
  htmxReady().then(() => {
    if ('htmx' in globalThis) field.dispatchEvent(new Event('findopen'))
    else sayUnloaded(found)
  }, console.error)
}

/** @param {number} step */
function choose(step) {
  const links = [...document.querySelectorAll('#found a')]
  const at = links.findIndex((link) => link.classList.contains('chosen'))
  for (const link of links) link.classList.remove('chosen')
  const next = links[(at + step + links.length) % links.length]
  next?.classList.add('chosen')
  next?.scrollIntoView({ block: 'nearest' })
}

/** True if Enter was pressed before the results for the typed text had arrived. */
let isAwaited = false

/** Opens the chosen or first result, once the results belong to the typed text. */
function goToFound() {
  isAwaited = find('#found ul', HTMLElement)?.dataset.query !== field?.value.trim()
  if (isAwaited) return
  const link = find('#found a.chosen', HTMLAnchorElement) ?? find('#found a', HTMLAnchorElement)
  if (link !== undefined) location.assign(link.href)
}

const found = find('#found', HTMLElement)
field?.addEventListener('htmx:error', () => sayUnloaded(found))
if (found !== undefined) {
  new MutationObserver(() => {
    if (isAwaited) goToFound()
  }).observe(found, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-query'] })
}
dialog?.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    choose(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Enter' && event.target === field) {
    event.preventDefault()
    goToFound()
  }
})
field?.addEventListener('input', () => {
  isAwaited = false
})
dialog?.addEventListener('close', () => {
  isAwaited = false
})
// A click outside of the dialog closes it.
dialog?.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})
for (const link of document.querySelectorAll('[data-find]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault()
    openFinder()
  })
}

// Keys

/** The page that each key after `g` opens. @type {Readonly<Record<string, string>>} */
const PLACES = { h: '/', n: '/now', w: '/waiting', d: '/documents', t: '/days/today', a: '/tasks', c: '/collections' }
/** Milliseconds within which the second key of a sequence must follow. */
const SEQUENCE_MS = 1_500
let wentAt = Number.NEGATIVE_INFINITY

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [data-cells] [data-key]'))

/** True while somebody has pressed on a text that can be edited, or begins one, and its editor is not there yet. */
let awaitsEditor = location.hash === '#write' && find('article[data-page]', HTMLElement) !== undefined
document.addEventListener('pointerdown', ({ target }) => {
  awaitsEditor = target instanceof Element && target.closest('article[data-page]') !== null
})

/** The code of all keys that an input method takes, also of the Enter that ends its text in Safari. */
const IN_COMPOSITION = 229

// Enter and Escape within a composition choose characters, and are no keys of the page: they would save or discard. The
// editor of texts knows that itself.
window.addEventListener(
  'keydown',
  (event) => {
    const { key, target, isComposing, keyCode } = event
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (!isField || !(isComposing || keyCode === IN_COMPOSITION)) return
    event.stopImmediatePropagation()
    // Browsers close dialogs and popovers by it.
    if (key === 'Escape') event.preventDefault()
  },
  { capture: true },
)

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  // The editor has keys of its own.
  if (event.defaultPrevented) return
  if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === 'k') {
    event.preventDefault()
    openFinder()
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return
  // Letters are words for the text, and no commands.
  if (awaitsEditor && !documentElement.classList.contains('edits')) {
    if (key.length > 1) return
    event.preventDefault()
    body.dataset.typed = (body.dataset.typed ?? '') + key
    return
  }
  const place = performance.now() - wentAt < SEQUENCE_MS ? PLACES[key] : undefined
  wentAt = key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
  if (place !== undefined) location.assign(`${base}${place}`)
  else if (key === '?') find('#keys', HTMLElement)?.togglePopover()
  else if (key === '/') {
    event.preventDefault()
    openFinder()
  } else if (key === 'w') find('[data-toggle]', HTMLButtonElement)?.click()
  else {
    const found = find(`[data-key="${CSS.escape(key)}"]`, HTMLElement)
    if (found === undefined) return
    event.preventDefault()
    if (found instanceof HTMLAnchorElement) found.click()
    else found.focus()
  }
})

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-toggle]') : null
  if (!(button instanceof HTMLButtonElement)) return
  const isOn = find('#main', HTMLElement)?.classList.toggle(button.dataset.toggle ?? '') ?? false
  for (const one of document.querySelectorAll('[data-toggle]')) one.setAttribute('aria-pressed', String(isOn))
})

// Callouts: folding and unfolding. Editing replaces blocks, so what a person chose is kept beside them.

/** True for callouts that a person unfolded, by block and depth. @type {Map<string, boolean>} */
const chosenFolds = new Map()

/** @param {HTMLElement} fold  the button of a callout */
const foldKey = (fold) => `${fold.closest('.block')?.id} ${fold.dataset.depth}`

/** Shows or hides what is in each callout. Blocks that something else hides stay hidden. */
function foldCallouts() {
  const linked = document.getElementById(location.hash.slice(1))
  /** The depth of the outermost folded callout around the block, and its button. */
  let depth = Number.POSITIVE_INFINITY
  let outer = /** @type {HTMLElement | undefined} */ (undefined)
  for (const block of document.querySelectorAll('article .block')) {
    if (!(block instanceof HTMLElement)) continue
    if (Number(block.dataset.goesOn ?? 0) < depth) depth = Number.POSITIVE_INFINITY
    const isFolded = depth < Number.POSITIVE_INFINITY
    if (
      isFolded &&
      outer !== undefined &&
      linked !== null &&
      block.contains(linked) &&
      !chosenFolds.has(foldKey(outer))
    ) {
      chosenFolds.set(foldKey(outer), true)
      return foldCallouts()
    }
    if (isFolded && !block.hidden) block.dataset.inFolded = ''
    if (isFolded || block.dataset.inFolded !== undefined) block.hidden = isFolded
    if (!isFolded) delete block.dataset.inFolded
    for (const fold of block.querySelectorAll('.callout-fold')) {
      if (!(fold instanceof HTMLElement) || fold.closest('.block') !== block) continue
      const isOpen = chosenFolds.get(foldKey(fold)) ?? fold.dataset.folded === undefined
      fold.setAttribute('aria-expanded', String(isOpen))
      if (isOpen || depth < Number.POSITIVE_INFINITY) continue
      depth = Number(fold.dataset.depth)
      outer = fold
    }
  }
}

document.addEventListener('click', (event) => {
  const fold = event.target instanceof Element ? event.target.closest('.callout-fold') : null
  if (!(fold instanceof HTMLElement)) return
  // In a toggle, the button is part of its summary.
  event.preventDefault()
  chosenFolds.set(foldKey(fold), fold.getAttribute('aria-expanded') !== 'true')
  foldCallouts()
})
window.addEventListener('hashchange', foldCallouts)
foldCallouts()
const article = find('article', HTMLElement)
if (article !== undefined) {
  new MutationObserver((records) => {
    if (records.some(({ target }) => target === article || (target instanceof Element && target.matches('.part'))))
      foldCallouts()
  }).observe(article, { childList: true, subtree: true })
}

// Pictures: a click shows one as large as the window.

document.addEventListener('click', (event) => {
  const { target, ctrlKey, metaKey, shiftKey } = event
  const link = target instanceof Element ? target.closest('article figure:not(.board) > a') : null
  if (!link?.querySelector('img') || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  load(body.dataset.pictures, link)
})

const unloaded = document.createElement('p')

/** Says that what somebody asked for could not be loaded. */
function sayUnloaded(place = find('#main', HTMLElement)) {
  Object.assign(unloaded, {
    className: 'notice',
    role: 'alert',
    textContent: pageText('This could not be loaded. Try again.'),
  })
  place?.prepend(unloaded)
}

/**
 * Loads a script when it is first needed, and tells it where. If it cannot be loaded, a link leads to a page, and all
 * others say so.
 *
 * @param {string | undefined} script  @param {Element} at
 */
const load = (script, at, type = 'opened') => {
  if (script === undefined) return
  import(script).then(
    () => at.dispatchEvent(new Event(type, { bubbles: true })),
    () => (type === 'opened' && at instanceof HTMLAnchorElement ? location.assign(at.href) : sayUnloaded()),
  )
}

// A script that a server does not send while it starts is asked for again. Without it, texts would stay as they are.

window.addEventListener(
  'error',
  ({ target }) => {
    // htmx has a loader of its own, and as a module it would run beside the one that this loads.
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
    const again = Object.assign(document.createElement('script'), { type: 'module', src: target.src })
    setTimeout(() => target.replaceWith(again), 5_000)
  },
  { capture: true },
)

// What was opened can be read without a connection: see offline.ts.

const { offline, saved, forMe } = body.dataset
if (offline !== undefined && 'serviceWorker' in navigator) {
  const start = () => {
    import(offline).catch(console.error)
  }
  if (saved !== undefined || document.readyState === 'complete') start()
  else window.addEventListener('load', start)
}

// Browser notifications: see notifications.ts.

if (
  forMe &&
  'Notification' in window &&
  (Notification.permission === 'granted' || find('[data-notifications]', HTMLElement))
)
  import(forMe).catch(console.error)

// Signing out: the next session begins with nothing that this one did not send. See session-name.ts.

document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || !target.matches('.leave')) return
  localStorage.removeItem(`scriptorium ${base} session ${body.dataset.owner}`)
})

// What opens from the page

document.addEventListener('click', (event) => {
  const opener = event.target instanceof Element ? event.target.closest('[data-script]') : null
  if (!(opener instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  load(opener.dataset.script || body.dataset.pictures, opener)
})

// The tree: documents, folders and pages are dragged and renamed by tree.ts.

const treeScript = () => find('#nav', HTMLElement)?.dataset.tree

// A quick drag is over before a script arrives that is loaded when it begins.
find('#nav', HTMLElement)?.addEventListener(
  'pointerover',
  () => {
    const tree = treeScript()
    if (tree !== undefined) import(tree).catch(console.error)
  },
  { once: true },
)
// Whatever is dragged next is something else.
document.addEventListener('dragend', () => {
  delete body.dataset.dragged
})

document.addEventListener('dragstart', ({ target }) => {
  const tree = treeScript()
  if (tree === undefined || !(target instanceof HTMLAnchorElement) || target.closest('article') !== null) return
  const [path] = /\/(?:d|folders)\/\d{12}$/.exec(target.pathname) ?? []
  if (path === undefined) return
  body.dataset.dragged = path
  import(tree).catch(() => sayUnloaded())
})

/** @param {EventTarget | null} target */
const treeLink = (target) => (target instanceof Element ? target.closest('#nav .tree a:not(.entry-menu)') : null)
document.addEventListener('keydown', (event) => {
  const link = event.key === 'F2' ? treeLink(event.target) : null
  if (link !== null) load(treeScript(), link, 'rename')
})
// A click on what is open leads nowhere, so that a second one can change its name.
document.addEventListener('click', (event) => {
  const link = treeLink(event.target)
  if (link === null || link.getAttribute('aria-current') === null || treeScript() === undefined) return
  event.preventDefault()
  if (event.detail === 2) load(treeScript(), link, 'rename')
})

// Updates relative times, and removes the marks of fresh text after a while

const MINUTE = 60_000

function growOld() {
  for (const element of document.querySelectorAll('time[data-ago]')) {
    const age = Date.now() - Date.parse(element.getAttribute('datetime') ?? '')
    const minutes = Math.floor(age / MINUTE)
    if (minutes >= 60) element.removeAttribute('data-ago')
    else if (age > 10_000) {
      const ago =
        minutes > 0
          ? pageText('{n} min ago', { n: minutes })
          : pageText('{n} s ago', { n: Math.floor(age / 10_000) * 10 })
      // A long document has one of these at each block.
      if (element.textContent !== ago) element.textContent = ago
    }
  }
  for (const element of document.querySelectorAll('.fresh')) {
    const time = element.querySelector('.who time')?.getAttribute('datetime') ?? ''
    if (!(Date.now() - Date.parse(time) < MINUTE)) element.classList.remove('fresh')
  }
}
setInterval(growOld, 10_000)

// Dates in words

/**
 * A field for a date or time takes words once a letter is typed, such as `tomorrow`. While a time is being filled in, a
 * letter is that of its half of the day.
 */
document.addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event
  if (!(target instanceof HTMLInputElement) || (target.type !== 'date' && target.type !== 'datetime-local')) return
  if (!/^[\p{L}+]$/u.test(key) || ctrlKey || metaKey || altKey) return
  const isFilled = target.value !== '' || target.validity.badInput
  if (target.type === 'datetime-local' && isFilled) return
  event.preventDefault()
  target.dataset.dateType = target.type
  target.type = 'text'
  target.value = key
  target.focus()
  target.setSelectionRange(key.length, key.length)
})
document.addEventListener('focusout', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.value.trim() !== '') return
  if (target.dataset.dateType !== undefined) target.type = target.dataset.dateType
})

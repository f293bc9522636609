/** Shows the forms of a collection beside what opened them, as a menu, instead of in the middle of the window. */

const OPENERS = '.rules a[data-panel], .items thead a[data-panel], .menu a[data-panel], .board-view a[data-panel]'
/** Pixels around the dialog. */
const GAP = 8
const panel = document.getElementById('panel')

let opener: DOMRect | undefined
document.addEventListener(
  'click',
  ({ target }) => {
    const link = target instanceof Element ? target.closest('a[data-panel]') : null
    if (link === null) return
    // The menu closes as the dialog opens, and the button that opened the menu stays.
    const menu = link.closest('[popover]')
    const button = menu === null ? link : document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`)
    opener = link.matches(OPENERS) ? button?.getBoundingClientRect() : undefined
  },
  { capture: true },
)

document.addEventListener('formshown', ({ target }) => {
  if (panel === null || !(target instanceof Node) || !panel.contains(target)) return
  panel.classList.toggle('beside', opener !== undefined)
  panel.style.margin = ''
  // A narrow window has no room beside anything.
  const at = innerWidth > 640 ? opener : undefined
  if (at === undefined) return
  requestAnimationFrame(() => {
    const { width, height } = panel.getBoundingClientRect()
    const left = Math.max(GAP, Math.min(at.left, innerWidth - width - GAP))
    const top = Math.max(GAP, Math.min(at.bottom + GAP, innerHeight - height - GAP))
    panel.style.margin = `${top}px auto auto ${left}px`
  })
})
panel?.addEventListener('close', () => {
  panel.classList.remove('beside')
  panel.style.margin = ''
})

// The form of a column follows its choice.
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement) target.closest<HTMLFormElement>('#panel form[data-chooses]')?.requestSubmit()
})

// The form for selected rows opens in the dialog.
document.addEventListener('submit', (event) => {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || !form.matches('.picked')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const link = Object.assign(document.createElement('a'), { href: `${form.action}?${query}`, hidden: true })
  link.dataset.panel = ''
  form.append(link)
  link.click()
  link.remove()
})

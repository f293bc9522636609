/**
 * Shows pages with forms in a dialog over the current page. Without this script they are normal pages.
 */
{
  const panel = document.getElementById('panel')
  const isDialog = panel instanceof HTMLDialogElement

  /** Milliseconds within which a change must appear on the page. */
  const LONGEST_MS = 5_000

  /** Requests with this header are answered without the layout. */
  const headers = { 'hx-request': 'true' }

  /** @param {string} text  the main part of a page, or a whole page with an error */
  const show = (text) => {
    if (!isDialog) return
    const page = new DOMParser().parseFromString(text, 'text/html')
    const main = page.querySelector('main') ?? page.body
    panel.replaceChildren(...main.childNodes)
    panel.setAttribute('aria-label', panel.querySelector('h1')?.textContent ?? '')
    // htmx only handles elements that it has processed.
    const { htmx } = /** @type {{ htmx?: { process(element: Element): void } }} */ (globalThis)
    htmx?.process(panel)
    if (!panel.open) panel.showModal()
    const first = panel.querySelector('[autofocus], .page input:not([type="hidden"]), .page select, .page textarea')
    if (first instanceof HTMLElement) first.focus()
    if (first instanceof HTMLInputElement && first.type === 'text') first.select()
  }

  /** @param {string} href  @param {RequestInit} [options] */
  const load = async (href, options = {}) => {
    panel?.setAttribute('aria-busy', 'true')
    try {
      const response = await fetch(href, { ...options, headers })
      const to = response.headers.get('x-leads-to')
      if (to !== null) leave(to)
      else show(await response.text())
    } catch {
      const fault = document.createElement('p')
      Object.assign(fault, {
        className: 'notice',
        textContent: 'The server was not reached. Nothing was sent; try again.',
      })
      fault.setAttribute('role', 'alert')
      panel?.querySelector('form')?.before(fault)
    } finally {
      panel?.removeAttribute('aria-busy')
    }
  }

  /**
   * Releases the focus, since a block that contains it would not be replaced by its new version. The focus then moves
   * to the corresponding element of the new version.
   */
  const letGo = () => {
    const active = document.activeElement
    const block = active?.closest('article .block')
    if (!(active instanceof HTMLElement) || block === null || block === undefined) return
    // Elements of items stay when items change.
    if (active.closest('[data-items]') !== null) return
    const purpose = active.closest('.comments') === null ? 'a.due' : '.comments a, .comments button'
    active.blur()
    const observer = new MutationObserver(() => {
      const fresh = document.getElementById(block.id)
      if (fresh === null || fresh === block) return
      observer.disconnect()
      const same = fresh.querySelector(purpose)
      if (document.activeElement === document.body && same instanceof HTMLElement) same.focus({ preventScroll: true })
    })
    const article = document.querySelector('article')
    if (article !== null) observer.observe(article, { childList: true, subtree: true })
    setTimeout(() => observer.disconnect(), LONGEST_MS)
  }
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.comments button') !== null) setTimeout(letGo)
  })

  /** An address without the notice about what was just done. @param {URL} address */
  const placeOf = ({ pathname, searchParams }) => {
    const query = new URLSearchParams(searchParams)
    for (const passing of ['notice', 'call', 'document']) query.delete(passing)
    return `${pathname}?${query}`
  }

  /** Called after an action. Pages that update themselves are not reloaded. @param {string} address */
  const leave = (address) => {
    const to = new URL(address, location.href)
    const isHere = placeOf(to) === placeOf(new URL(location.href)) && !to.searchParams.has('notice')
    const isLive = document.querySelector('#main [hx-trigger^="spacechange"], article[data-document]') !== null
    if (isDialog) panel.close()
    letGo()
    if (isHere && isLive) document.body.dispatchEvent(new CustomEvent('spacechange'))
    else if (isHere) location.reload()
    else location.assign(address)
  }

  document.addEventListener('click', (event) => {
    const { target } = event
    if (!isDialog || !(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
    const link = target.closest('a[data-panel]')
    if (link instanceof HTMLAnchorElement) {
      event.preventDefault()
      load(link.href).catch(console.error)
    } else if (panel.contains(target) && target.closest('[data-close]') !== null) {
      event.preventDefault()
      panel.close()
    }
  })

  /** The forms of a block that open with Ctrl Alt and a key, by the code of the key. */
  const blockForms = new Map([
    ['KeyM', '/comments/new'],
    ['KeyR', '/reminders/new'],
  ])
  document.addEventListener('keydown', (event) => {
    const form = blockForms.get(event.code)
    // AltGr, which some keyboards report as Ctrl and Alt, types characters such as µ and ®.
    if (form === undefined || !event.altKey || event.getModifierState('AltGraph')) return
    if (!event.ctrlKey && !event.metaKey) return
    const at = document.getSelection()?.anchorNode ?? document.activeElement
    const block = (at instanceof Element ? at : at?.parentElement)?.closest('.block')
    const link = block?.querySelector(`.who a[href*="${form}"]`)
    if (!(link instanceof HTMLAnchorElement)) return
    event.preventDefault()
    link.click()
  })

  // Enter in a search field clicks its button.
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.type !== 'search') return
    const button = target.form?.classList.contains('edit') && target.parentElement?.querySelector('button')
    if (!(button instanceof HTMLButtonElement)) return
    event.preventDefault()
    button.click()
  })

  panel?.addEventListener('submit', (event) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
    event.preventDefault()
    const address = new URL(form.getAttribute('action') ?? '', location.href)
    const fields = new URLSearchParams()
    for (const [name, value] of new FormData(form, submitter)) {
      if (typeof value === 'string') fields.append(name, value)
    }
    if (form.method === 'get') {
      address.search = fields.toString()
      load(address.href).catch(console.error)
    } else load(address.href, { method: 'POST', body: fields }).catch(console.error)
  })
}

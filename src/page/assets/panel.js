/**
 * Shows pages with forms in a dialog over the current page, and sends forms with text, so that the text stays when the
 * server cannot be reached. Without this script they are normal pages and forms.
 */
{
  const panel = document.getElementById('panel')
  const isDialog = panel instanceof HTMLDialogElement

  /** Milliseconds within which a change must appear on the page. */
  const LONGEST_MS = 5_000

  /** Requests with this header are answered without the layout. */
  const headers = { 'hx-request': 'true' }

  /** Fields that a person types text into. */
  const TEXT_FIELDS = 'textarea, input:is([type="text"], [type="url"], [type="email"], [type="tel"], [type="number"])'

  /**
   * @param {string} text  the main part of a page, or a whole page with an error
   * @param {HTMLElement} place  the dialog, or the main part of this page
   */
  const show = (text, place) => {
    const page = new DOMParser().parseFromString(text, 'text/html')
    const main = page.querySelector('main') ?? page.body
    place.replaceChildren(...main.childNodes)
    if (place === panel) panel.setAttribute('aria-label', panel.querySelector('h1')?.textContent ?? '')
    // htmx only handles elements that it has processed.
    const { htmx } = /** @type {{ htmx?: { process(element: Element): void } }} */ (globalThis)
    htmx?.process(place)
    for (const form of place.querySelectorAll('form')) report('formshown', form)
    if (place !== panel) scrollTo(0, 0)
    else if (isDialog && !panel.open) panel.showModal()
    const first = place.querySelector('[autofocus], .page input:not([type="hidden"]), .page select, .page textarea')
    if (first instanceof HTMLElement) first.focus()
    if (first instanceof HTMLInputElement && first.type === 'text') first.select()
  }

  /** See form-drafts.ts. @param {string} type  @param {HTMLFormElement} form */
  const report = (type, form) => form.dispatchEvent(new CustomEvent(type, { bubbles: true }))

  /**
   * What the server answers: HTML, or the address to which a form leads. A form without a connection waits.
   *
   * @typedef {{ page?: string, isRefused?: boolean, leadsTo?: string, waits?: true }} Outcome
   */

  /** @param {string} href  @param {RequestInit} options  @returns {Promise<Outcome>} */
  const ask = async (href, options) => {
    const response = await fetch(href, { ...options, headers })
    const leadsTo = response.headers.get('x-leads-to')
    return leadsTo === null ? { page: await response.text(), isRefused: !response.ok } : { leadsTo }
  }

  /**
   * Offers a form to the queue of this page (unsent.ts), which sends it once, also later.
   *
   * @param {HTMLFormElement} form  @param {URLSearchParams} fields
   * @returns {Promise<Outcome> | undefined} undefined if there is no queue
   */
  const queue = (form, fields) => {
    /** @type {{ form: object, outcome?: Promise<Outcome> }} */
    const detail = {
      form: { action: pathOf(form), fields: [...fields].filter(([name]) => name !== 'token'), text: typedIn(form) },
    }
    form.dispatchEvent(new CustomEvent('formsend', { bubbles: true, detail }))
    return detail.outcome
  }

  /** @param {HTMLFormElement} form */
  const typedIn = (form) =>
    [...form.querySelectorAll(TEXT_FIELDS)]
      .map((field) => /** @type {HTMLInputElement | HTMLTextAreaElement} */ (field).value)
      .filter((value) => value.trim() !== '')
      .join('\n')

  /** @param {HTMLFormElement} form */
  const pathOf = (form) => (form.getAttribute('action') ?? '').slice((document.body.dataset.base ?? '').length)

  /**
   * @param {() => Promise<Outcome>} asking
   * @param {HTMLElement} place  where the answer is shown
   * @param {HTMLFormElement} [form]  the form that is sent
   * @returns {Promise<boolean>} true once the form is done
   */
  const load = async (asking, place, form) => {
    const busy = place === panel ? panel : form
    busy?.setAttribute('aria-busy', 'true')
    place.querySelector('.unreached')?.remove()
    try {
      const { page = '', isRefused, leadsTo, waits } = await asking()
      // Some forms come back before they are done: with a list of what was searched for, or a question.
      const comesBack = page.includes(`action="${form?.getAttribute('action')}"`)
      if (form !== undefined && !isRefused && !comesBack) report('formdone', form)
      if (leadsTo !== undefined) leave(leadsTo)
      else if (waits === undefined) show(page, place)
      else if (place === panel && isDialog) {
        panel.close()
        letGo()
      }
      return leadsTo !== undefined || waits !== undefined
    } catch {
      const fault = document.createElement('p')
      Object.assign(fault, {
        className: 'notice unreached',
        textContent: pageText('The server was not reached. Nothing was sent; try again.'),
      })
      fault.setAttribute('role', 'alert')
      ;(form ?? place.querySelector('form'))?.before(fault)
    } finally {
      busy?.removeAttribute('aria-busy')
    }
    return false
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
      if (fresh === null || active.isConnected) return
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
    if (isHere && isLive) {
      htmxReady().then(() => document.body.dispatchEvent(new CustomEvent('spacechange')), console.error)
    } else if (isHere) location.reload()
    else location.assign(address)
  }

  document.addEventListener('click', (event) => {
    const { target } = event
    if (!isDialog || !(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
    const link = target.closest('a[data-panel]')
    if (link instanceof HTMLAnchorElement) {
      event.preventDefault()
      // The entry of a menu is gone with it, so that the focus returns to its button.
      const menu = document.querySelector(`[popovertarget="${link.closest('[popover]')?.id}"]`)
      if (menu instanceof HTMLElement) panel.addEventListener('close', () => menu.focus(), { once: true })
      load(() => ask(link.href, {}), panel).catch(console.error)
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

  // Ctrl Enter in a text sends its form, as Enter in a line does.
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (key !== 'Enter' || (!event.ctrlKey && !event.metaKey) || event.isComposing) return
    if (!(target instanceof HTMLTextAreaElement) || target.form?.method !== 'post') return
    event.preventDefault()
    target.form.requestSubmit(target.form.querySelector('button:not([type="button"])'))
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

  /**
   * Empties the fields of a form on the page after it was saved, except for what was typed meanwhile.
   *
   * @param {HTMLFormElement} form  @param {URLSearchParams} sent
   */
  const empty = (form, sent) => {
    const texts = [...form.querySelectorAll('textarea, input[type="text"]')].map((field) => {
      const { name, value } = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (field)
      const before = sent.get(name) ?? ''
      return { field, rest: value.startsWith(before) ? value.slice(before.length) : value }
    })
    form.reset()
    for (const { field, rest } of texts) {
      if (rest === '') continue
      Object.assign(field, { value: rest })
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }

  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
    const place = panel?.contains(form) ? panel : document.getElementById('main')
    const isSent = form.method === 'post' && place?.contains(form) && form.querySelector(TEXT_FIELDS) !== null
    if (place === null || (place !== panel && !isSent) || form.enctype.startsWith('multipart')) return
    event.preventDefault()
    if (form.closest('[aria-busy]') !== null) return
    const address = new URL(form.getAttribute('action') ?? '', location.href)
    const fields = new URLSearchParams()
    for (const [name, value] of new FormData(form, submitter)) {
      if (typeof value === 'string') fields.append(name, value)
    }
    if (form.method === 'get') {
      address.search = fields.toString()
      load(() => ask(address.href, {}), place).catch(console.error)
      return
    }
    // A button with a name does something else than to save: it searches, or shows what would be changed.
    const isSaved = !(submitter instanceof HTMLButtonElement) || submitter.name === ''
    const asking = () =>
      (isSaved ? queue(form, fields) : undefined) ?? ask(address.href, { method: 'POST', body: fields })
    load(asking, place, form)
      .then((isDone) => isDone && place !== panel && empty(form, fields))
      .catch(console.error)
  })
}

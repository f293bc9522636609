/**
 * Keeps what is typed into the forms of pages in this browser until the server has it, and shows it when the form is
 * opened again. Scripts that show and send forms dispatch events on them: `formshown`, and `formdone` once the form
 * was saved or discarded. Passwords are not kept. Signing out deletes everything.
 */
{
  const { base = '', owner = '' } = document.body.dataset

  /** The start of the keys of this session; undefined after signing out in another tab. See session-name.ts. */
  const prefix = () => {
    const random = localStorage.getItem(`scriptorium ${base} session ${owner}`)
    return random === null ? undefined : `scriptorium ${base} ${owner}-${random} form `
  }

  /** Hidden fields that distinguish forms with the same action. */
  const IDENTITY = ['block', 'key', 'part']

  /** @param {HTMLFormElement} form  @returns {string | undefined} the key of its draft */
  const keyOf = (form) => {
    const start = prefix()
    if (start === undefined) return undefined
    const hiddenValue = (/** @type {string} */ name) =>
      form.querySelector(`[type="hidden"][name="${name}"]`)?.getAttribute('value')
    return `${start}${[form.getAttribute('action')?.slice(base.length), ...IDENTITY.map(hiddenValue)].join(' ').trim()}`
  }

  /** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

  /** @param {Element} element  @returns {element is Field} */
  const isKept = (element) => {
    if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return element.name !== ''
    if (!(element instanceof HTMLInputElement) || element.name === '' || element.readOnly) return false
    if (/password|one-time-code/.test(element.autocomplete)) return false
    return !/^(?:hidden|password|file|submit|button|reset|image|search)$/.test(element.type)
  }

  /** The fields of a form, each with its name and its place among those with this name. @param {HTMLFormElement} form */
  const fieldsOf = (form) => {
    /** @type {Map<string, Field>} */
    const fields = new Map()
    for (const field of [...form.elements].filter(isKept)) {
      let place = 0
      while (fields.has(`${field.name} ${place}`)) place++
      fields.set(`${field.name} ${place}`, field)
    }
    return fields
  }

  /** @param {Field} field */
  const isTicked = (field) => field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)

  /** @param {Field} field */
  const readField = (field) => {
    if (field instanceof HTMLInputElement && isTicked(field)) return field.checked ? 'on' : ''
    if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value).join('\n')
    return field.value
  }

  /** @param {Field} field  @param {string} value  @returns {boolean} false if the field no longer offers the value */
  const writeField = (field, value) => {
    if (field instanceof HTMLInputElement && isTicked(field)) field.checked = value !== ''
    else if (field instanceof HTMLSelectElement) {
      const chosen = value.split('\n')
      for (const option of field.options) option.selected = chosen.includes(option.value)
    } else field.value = value
    return readField(field) === value
  }

  /** The values that each form had when the server rendered it. @type {WeakMap<HTMLFormElement, Map<string, string>>} */
  const rendered = new WeakMap()
  /** What was last kept of each form. @type {WeakMap<HTMLFormElement, string>} */
  const kept = new WeakMap()

  /** @typedef {Record<string, { before: string, value: string }>} Draft  the changed fields */

  /** @param {HTMLFormElement} form */
  const keep = (form) => {
    const key = keyOf(form)
    if (key === undefined) return
    /** @type {Draft} */
    const draft = {}
    for (const [name, field] of fieldsOf(form)) {
      const before = rendered.get(form)?.get(name) ?? ''
      const value = readField(field)
      if (value !== before) draft[name] = { before, value }
    }
    if (Object.keys(draft).length === 0) return discard(form)
    const text = JSON.stringify(draft)
    try {
      localStorage.setItem(key, text)
      kept.set(form, text)
    } catch {
      showMessage(form, 'This browser cannot keep what you type here. Save it before you leave.')
    }
  }

  /** What another tab has kept meanwhile stays. @param {HTMLFormElement} form */
  const discard = (form) => {
    const key = keyOf(form)
    const own = kept.get(form)
    if (key !== undefined && (own === undefined || own === localStorage.getItem(key))) localStorage.removeItem(key)
    kept.delete(form)
    form.querySelector('.kept')?.remove()
  }

  /** @param {HTMLFormElement} form */
  const show = (form) => {
    const fields = fieldsOf(form)
    const values = new Map([...fields].map(([name, field]) => [name, readField(field)]))
    rendered.set(form, values)
    const key = keyOf(form)
    const text = key === undefined ? null : localStorage.getItem(key)
    if (text === null) return
    kept.set(form, text)
    const lines = []
    let isDifferent = false
    for (const [name, { before, value }] of Object.entries(/** @type {Draft} */ (JSON.parse(text)))) {
      const field = fields.get(name)
      const current = values.get(name)
      if (field === undefined || current === undefined) continue
      // After a refusal, the form comes back as it was sent.
      if (current === value) {
        values.set(name, before)
        continue
      }
      isDifferent = true
      if (!writeField(field, value)) lines.push(`“${value}” can no longer be chosen.`)
      else if (current !== before) lines.push(`It was changed since, to “${current}”.`)
    }
    if (isDifferent)
      showMessage(form, ['What you typed before was not saved. Here it is again.', ...lines].join(' '), true)
  }

  /** @param {HTMLFormElement} form  @param {string} sentence  @param {boolean} [isDraft] */
  const showMessage = (form, sentence, isDraft = false) => {
    form.querySelector('.kept')?.remove()
    const note = document.createElement('p')
    note.className = 'kept'
    note.setAttribute('role', 'status')
    note.append(sentence)
    if (isDraft) {
      const button = document.createElement('button')
      Object.assign(button, { type: 'button', className: 'plain', textContent: 'Discard' })
      button.addEventListener('click', () => {
        for (const [name, field] of fieldsOf(form)) writeField(field, rendered.get(form)?.get(name) ?? '')
        discard(form)
      })
      note.append(' ', button)
    }
    form.prepend(note)
  }

  /** The form of this space that an event is about. @param {EventTarget | null} target */
  const formOf = (target) => {
    const form = target instanceof Element ? target.closest('form') : null
    return form?.method === 'post' && form.getAttribute('action')?.startsWith(base) ? form : undefined
  }

  /** @param {string} type  @param {(form: HTMLFormElement) => void} act */
  const on = (type, act) => {
    document.addEventListener(type, ({ target }) => {
      const form = formOf(target)
      if (form !== undefined) act(form)
    })
  }
  on('input', keep)
  on('change', keep)
  on('formshown', show)
  on('formdone', discard)
  document.addEventListener('click', ({ target }) => {
    const form = formOf(target instanceof Element ? target.closest('[data-close]') : null)
    if (form !== undefined) discard(form)
  })

  /** Forms that are part of the page, or that htmx put there. */
  const showNew = () => {
    for (const form of document.querySelectorAll('form')) {
      if (!rendered.has(form) && formOf(form) !== undefined) show(form)
    }
  }
  showNew()
  document.addEventListener('htmx:after:swap', showNew)

  // The next session begins with nothing that was typed in this one. Capturing, since signing out first waits for calls.
  document.addEventListener(
    'submit',
    (event) => {
      if (!(event.target instanceof HTMLFormElement) || !event.target.matches('.leave')) return
      const start = prefix() ?? ''
      const drafts = start === '' ? [] : Object.keys(localStorage).filter((key) => key.startsWith(start))
      const question = 'What you typed into a form was not saved. Sign out and delete it?'
      if (drafts.length > 0 && !confirm(question)) {
        event.preventDefault()
        event.stopImmediatePropagation()
        return
      }
      for (const key of drafts) localStorage.removeItem(key)
    },
    true,
  )
}

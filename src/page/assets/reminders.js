/**
 * Shows reminders as browser notifications, if allowed. Also handles the keys that set a reminder of a block, and that
 * comment on it.
 */
{
  const base = document.body.dataset.base ?? ''
  const offer = document.querySelector('[data-notifications]')

  const canAsk = 'Notification' in window && Notification.permission === 'default'
  if (offer instanceof HTMLElement && canAsk) {
    offer.hidden = false
    offer.querySelector('button')?.addEventListener('click', async () => {
      await Notification.requestPermission()
      offer.hidden = true
    })
  }

  /** Only one tab receives feed events, so each reminder is shown once. */
  document.body.addEventListener('reminderdue', async (event) => {
    if (!('Notification' in window) || Notification.permission !== 'granted') return
    const { reminderId = '' } = event instanceof CustomEvent ? event.detail : {}
    const response = await fetch(`${base}/reminders`, { headers: { 'hx-request': 'true' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const link = page.querySelector(`[data-reminder="${CSS.escape(reminderId)}"] a`)
    if (!(link instanceof HTMLAnchorElement)) return
    const href = link.getAttribute('href') ?? ''
    // Phones only allow notifications of service workers.
    try {
      const shown = new Notification(link.textContent ?? '', { tag: reminderId })
      shown.addEventListener('click', () => {
        window.focus()
        location.assign(href)
      })
    } catch {}
  })

  /** The forms of a block that open with Ctrl Alt and a key, by the code of the key. */
  const forms = new Map([
    ['KeyM', '/comments/new'],
    ['KeyR', '/reminders/new'],
  ])
  document.addEventListener('keydown', (event) => {
    const form = forms.get(event.code)
    if (!(event.ctrlKey || event.metaKey) || !event.altKey || form === undefined) return
    const at = document.getSelection()?.anchorNode ?? document.activeElement
    const block = (at instanceof Element ? at : at?.parentElement)?.closest('.block')
    const link = block?.querySelector(`.who a[href*="${form}"]`)
    if (!(link instanceof HTMLAnchorElement)) return
    event.preventDefault()
    link.click()
  })
}

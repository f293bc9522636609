/** Shows reminders as browser notifications, if allowed. */
{
  const { base = '', owner, forMe } = document.body.dataset
  const offer = document.querySelector('[data-notifications=""]')

  if (
    forMe &&
    (document.querySelector('[data-notifications="for-me"]') ||
      localStorage.getItem(`scriptorium ${base} for-me ${owner}`))
  )
    import(forMe).catch(console.error)

  const canAsk = 'Notification' in window && Notification.permission === 'default'
  if (offer instanceof HTMLElement && canAsk) {
    offer.hidden = false
    offer.querySelector('button')?.addEventListener('click', () => {
      Notification.requestPermission()
        .then(() => {
          offer.hidden = true
        })
        .catch(console.error)
    })
  }

  /** Only one tab receives feed events, so each reminder is shown once. */
  document.body.addEventListener('reminderdue', (event) => {
    show(event).catch(console.error)
  })

  /** @param {Event} event */
  async function show(event) {
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
  }
}

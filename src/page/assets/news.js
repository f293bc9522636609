/**
 * Live updates: reloads parts of the page when something in the space has changed. One tab of a browser listens to the
 * server, and notifies the other tabs of the same space that were opened with the same link.
 */
{
  const body = document.body
  const { base = '', owner = '' } = body.dataset
  const TYPES = ['call.committed', 'proposal.waiting', 'proposal.decided', 'reminder.due']
  /** Milliseconds during which changes are collected, and between two reloads. */
  const GATHER_MS = 120
  const PAUSE_MS = 500
  /** Milliseconds until a stream that was refused is opened again. */
  const RETRY_MS = 5_000

  /** Documents that were changed since the last reload. @type {Set<string>} */
  const changed = new Set()
  let isDue = false
  let askedAt = Number.NEGATIVE_INFINITY
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  // The server answers only those parts of the layout that have changed.
  body.addEventListener('htmx:config:request', (event) => {
    const { sourceElement, request } = /** @type {CustomEvent} */ (event).detail.ctx
    if (sourceElement.id !== 'nav') return
    const had = [...document.querySelectorAll('[data-had]')].map(
      (part) => `${part.id}:${/** @type {HTMLElement} */ (part).dataset.had}`,
    )
    request.action += `&had=${had}`
  })

  const shownDocument = () =>
    /** @type {HTMLElement | null} */ (document.querySelector('article[data-document]'))?.dataset.document ?? ''

  /** Parts that are replaced would take an open menu along, under somebody's pointer. */
  const isWaiting = () => document.hidden || document.querySelector('.menu:popover-open') !== null

  const ask = () => {
    timer = undefined
    if (isWaiting()) return
    isDue = false
    askedAt = performance.now()
    htmxReady().then(() => body.dispatchEvent(new CustomEvent('spacechange')), console.error)
    if (changed.has(shownDocument())) {
      // A long document is only reloaded on request.
      const notice = document.getElementById('changed')
      if (notice === null) body.dispatchEvent(new CustomEvent('documentchange'))
      else notice.hidden = false
    }
    changed.clear()
  }

  /** A hidden page reloads once it becomes visible, and one with an open menu once that is closed. */
  const schedule = () => {
    if (!isDue || isWaiting() || timer !== undefined) return
    timer = setTimeout(ask, Math.max(GATHER_MS, askedAt + PAUSE_MS - performance.now()))
  }
  document.addEventListener('visibilitychange', schedule)
  document.addEventListener('toggle', schedule, true)

  // What a busy server did not send is asked for again.
  body.addEventListener('htmx:response:error', (event) => {
    const { status } = /** @type {CustomEvent} */ (event).detail.ctx.response
    if (status === 429 || status > 499)
      setTimeout(() => {
        isDue = true
        schedule()
      }, RETRY_MS)
  })

  /**
   * @param {readonly string[]} documents
   * @param {readonly string[]} ids  of the changed things in them
   * @param {boolean} isProposal  true if something is proposed for them, or was decided
   */
  const note = (documents, ids, isProposal = false) => {
    body.dispatchEvent(new CustomEvent('spacefeed', { detail: { documents, ids, isProposal } }))
    for (const id of documents) changed.add(id)
    isDue = true
    schedule()
  }

  // Messages between tabs: { documents, ids, cursor } or { isLost } from the one that listens, { loadedAt } from a new one.
  const channel = new BroadcastChannel(`scriptorium ${base} ${owner}`)
  let cursor = body.dataset.cursor ?? ''
  let heardAt = 0
  let isListening = false
  channel.addEventListener('message', ({ data }) => {
    if (data.documents !== undefined) {
      cursor = data.cursor
      note(data.documents, data.ids, data.isProposal)
    } else if (data.isLost) note([shownDocument()], [])
    else if (isListening && heardAt > data.loadedAt) channel.postMessage({ documents: [...changed], ids: [], cursor })
  })
  channel.postMessage({ loadedAt: performance.timeOrigin })

  /** @param {Event} event */
  const hear = (event) => {
    if (!(event instanceof MessageEvent)) return
    const news = JSON.parse(event.data)
    body.dispatchEvent(new Event('spaceheard'))
    if (event.type === 'reminder.due') body.dispatchEvent(new CustomEvent('reminderdue', { detail: news }))
    const { documents = [], goneDocuments = [], made = [], changed = [], moved = [], deleted = [] } = news
    const ids = [.../** @type {{ documentId: string }[]} */ (documents).map(({ documentId }) => documentId)]
    ids.push(...goneDocuments)
    cursor = event.lastEventId
    heardAt = Date.now()
    const touched = [...made, ...changed, ...moved, ...deleted]
    const isProposal = event.type.startsWith('proposal')
    note(ids, touched, isProposal)
    channel.postMessage({ documents: ids, ids: touched, isProposal, cursor })
  }

  let isRefused = false
  const listen = () => {
    isListening = true
    const source = new EventSource(`${base}/changes?${cursor && new URLSearchParams({ cursor })}`)
    for (const type of TYPES) source.addEventListener(type, hear)
    source.addEventListener('open', () => {
      if (!cursor) {
        note([shownDocument()], [])
        channel.postMessage({ isLost: true })
      }
      isRefused = false
    })
    const again = () => {
      source.close()
      // A server that starts refuses for a while. After that, the cursor may be too old.
      if (isRefused) cursor = ''
      isRefused = true
      setTimeout(listen, RETRY_MS)
    }
    source.addEventListener('refused', again)
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) again()
    })
  }

  // The lock is held until the tab is closed. Browsers only have locks in secure contexts.
  if (navigator.locks === undefined) listen()
  else navigator.locks.request(`scriptorium ${base} ${owner}`, () => new Promise(listen)).catch(console.error)
}

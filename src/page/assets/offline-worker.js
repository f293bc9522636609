/**
 * Runs beside the pages of a space, as their service worker. Pages come from the server whenever it answers, and what was
 * opened is kept for when it does not. The server names the session of each answer in a header. What is kept belongs to
 * one such name, and is deleted as soon as an answer has another name or none, or refuses access.
 */
{
  const worker = /** @type {any} */ (self)
  const base = new URL(worker.registration.scope).pathname.replace(/\/$/, '')
  const files = `${base.slice(0, base.lastIndexOf('/view/'))}/page/`
  /** The names of caches. That of pages ends with the name of a session. */
  const KEPT = `scriptorium pages ${base} `
  const FILES = `scriptorium files ${base}`
  const OFFLINE = `${base}/offline`

  const MOST_PAGES = 100
  const MOST_BYTES = 50 * 1024 * 1024
  const MOST_BYTES_OF_ONE = 4 * 1024 * 1024
  const MOST_FILES = 200
  /** Documents that are kept without being opened, and milliseconds after which they are read again. */
  const MOST_PINNED = 30
  const PINNED_MS = 60 * 60_000
  /** Milliseconds until a page that is being left is read again: what was typed last is on its way to the server. */
  const LAST_CALLS_MS = 2_000

  /** Where a session may begin or end. */
  const ENTERING = /^\/(?:enter|sign-in|sign-out)$/
  /** Pages that manage access, forms, and pages with what somebody sends, which are of no use without a connection. */
  const NEVER_KEPT =
    /^\/(?:links|people|settings|password|export|import|share|search|find|undo|news|calls|activity)\b|\/(?:new|edit|move|rename|icon|cover|actions|empty)$/
  const HEADERS = [
    'content-type',
    'content-security-policy',
    'x-content-type-options',
    'referrer-policy',
    'x-page-session',
  ]

  // Requests are numbered. The answer to one that was sent before the session changed is not kept.
  let sent = 0
  let outdated = 0
  /** The session of the latest request that was answered. */
  let latest = { session: '', number: 0 }

  /** Changes of what is kept happen one after the other. */
  let turn = Promise.resolve()
  /** @param {() => Promise<unknown>} work */
  const inTurn = (work) => {
    turn = turn.then(work).then(
      () => undefined,
      (error) => console.error(error),
    )
    return turn
  }

  const keptNames = async () => (await caches.keys()).filter((name) => name.startsWith(KEPT))

  const forget = () => {
    outdated = sent
    latest = { session: '', number: sent }
    return inTurn(async () => Promise.all((await keptNames()).map((name) => caches.delete(name))))
  }

  /** @param {string | null} header  @returns {{ session: string, until: number }} */
  const sessionOf = (header) => {
    const [, session = '', until = '0'] = /^([\w-]{10,60}); until=(\d{1,16})$/.exec(header ?? '') ?? []
    return { session, until: Number(until) }
  }

  /** True if the answer is the newest of its session, which then is the one that pages are kept for. */
  const isCurrent = async (/** @type {string} */ session, /** @type {number} */ number) => {
    if (number <= outdated) return false
    if (session !== latest.session && number < latest.number) return false
    if (session !== latest.session) outdated = Math.max(outdated, latest.number)
    latest = { session, number: Math.max(number, latest.number) }
    for (const name of await keptNames()) if (name !== KEPT + session) await caches.delete(name)
    return true
  }

  /** An address without its notice. @param {string} address */
  const addressOf = (address) => {
    const url = new URL(address)
    for (const passing of ['notice', 'call', 'document', 'back']) url.searchParams.delete(passing)
    url.hash = ''
    return url
  }

  /**
   * Keeps an answer, or deletes what it shows to be over.
   *
   * @param {string} address  @param {Response} response  @param {number} number  of the request
   */
  const note = async (address, response, number) => {
    const { status, headers } = response
    const url = addressOf(address)
    const path = url.pathname.slice(base.length)
    const { session } = sessionOf(headers.get('x-page-session'))
    if (status === 401 || status === 403) return forget()
    // A redirect that the browser follows says nothing.
    if (response.type === 'opaqueredirect') return
    // Another page of this address, such as the one for signing in, or that of a person whose pages are not kept.
    if (session === '') return status === 200 && isPage(headers) ? forget() : undefined
    if (status === 404 || status === 410) {
      return inTurn(async () => {
        for (const name of await keptNames()) await (await caches.open(name)).delete(url.href, { ignoreVary: true })
      })
    }
    const isKept = status === 200 && !response.redirected && !NEVER_KEPT.test(path)
    const body = isKept ? await bodyOf(response) : undefined
    return inTurn(async () => {
      if (!(await isCurrent(session, number)) || body === undefined) return
      const cache = await caches.open(KEPT + session)
      await cache.put(url.href, new Response(body, { headers: await keptHeaders(headers, body) }))
      await bound(cache)
    })
  }

  /**
   * Keeps a picture beside the pages of the session. Its answer may come from the cache of the browser, and names none.
   *
   * @param {string} address  @param {Response} response  @param {number} number
   */
  const notePicture = async (address, response, number) => {
    const body = await bodyOf(response)
    return inTurn(async () => {
      const [name] = await keptNames()
      if (name === undefined || body === undefined || number <= outdated) return
      const cache = await caches.open(name)
      await cache.put(address, new Response(body, { headers: await keptHeaders(response.headers, body) }))
      await bound(cache)
    })
  }

  /** @param {Response} response  @returns {Promise<Blob | undefined>} nothing if it is too large */
  const bodyOf = async (response) => {
    const reader = response.body?.getReader()
    if (reader === undefined) return undefined
    const parts = []
    let bytes = 0
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length
      if (bytes > MOST_BYTES_OF_ONE) {
        await reader.cancel()
        return undefined
      }
      parts.push(read.value)
    }
    return new Blob(parts)
  }

  /** @param {Headers} headers  @param {Blob} body */
  const keptHeaders = async (headers, body) => {
    const kept = new Headers({ 'x-saved-at': new Date().toISOString(), 'x-saved-bytes': `${body.size}` })
    for (const name of HEADERS) {
      const value = headers.get(name)
      if (value !== null) kept.set(name, value)
    }
    if (!isPage(headers)) return kept
    const [, title = ''] = /<title>([^<]{0,500})/.exec(await body.slice(0, 4_000).text()) ?? []
    kept.set('x-saved-title', encodeURIComponent(title))
    return kept
  }

  /** @param {Headers} headers */
  const isPage = (headers) => headers.get('content-type')?.startsWith('text/html') ?? false

  /** Deletes what was saved first, until there is room. @param {Cache} cache */
  const bound = async (cache) => {
    const keys = [...(await cache.keys())].reverse()
    let [count, bytes] = [0, 0]
    for (const key of keys) {
      const found = await cache.match(key, { ignoreVary: true })
      count += 1
      bytes += Number(found?.headers.get('x-saved-bytes') ?? 0)
      if (count > MOST_PAGES || bytes > MOST_BYTES) await cache.delete(key, { ignoreVary: true })
    }
  }

  /** What is kept of an address, while its session may still last. @param {string} address */
  const keptAnswer = async (address) => {
    const [name] = await keptNames()
    if (name === undefined) return undefined
    const cache = await caches.open(name)
    const url = addressOf(address).href
    const found =
      (await cache.match(url, { ignoreVary: true })) ??
      (await cache.match(url, { ignoreVary: true, ignoreSearch: true }))
    const session = found?.headers.get('x-page-session') ?? null
    if (session !== null && sessionOf(session).until <= Date.now()) {
      await forget()
      return undefined
    }
    return found
  }

  /** The page that was saved, and says so; else the page that lists those that were. @param {string} address */
  const savedPage = async (address) => {
    const found = await keptAnswer(address)
    const isToday = !/\/days\/today$/.test(new URL(address).pathname) || isOfToday(found)
    const shown =
      found !== undefined && isPage(found.headers) && isToday ? found : await keptAnswer(`${location.origin}${OFFLINE}`)
    if (shown === undefined) return undefined
    const at = shown === found ? shown.headers.get('x-saved-at') : ''
    const text = (await shown.text()).replace('<body', `<body data-saved="${at}"`)
    return new Response(text, { headers: shown.headers })
  }

  /** @param {Response | undefined} found */
  const isOfToday = (found) =>
    new Date(found?.headers.get('x-saved-at') ?? 0).toDateString() === new Date().toDateString()

  /** Pages: from the server, whenever it answers. @param {any} event */
  const openPage = async (event) => {
    const { request } = event
    const isEntering = ENTERING.test(new URL(request.url).pathname.slice(base.length))
    if (isEntering) await forget()
    const number = ++sent
    try {
      const response = await fetch(request)
      if (isEntering) event.waitUntil(forget())
      else if (request.method === 'GET') event.waitUntil(note(request.url, response.clone(), number))
      return response
    } catch (error) {
      const saved = request.method === 'GET' && !isEntering ? await savedPage(request.url) : undefined
      if (saved === undefined) throw error
      return saved
    }
  }

  /** Pictures and parts of pages. @param {any} event  @param {boolean} isKept */
  const openPart = async (event, isKept) => {
    const { request } = event
    const number = ++sent
    try {
      const response = await fetch(request)
      const { status } = response
      if (status === 401 || status === 403) event.waitUntil(forget())
      else if (isKept && status === 200) event.waitUntil(notePicture(request.url, response.clone(), number))
      return response
    } catch (error) {
      const saved = isKept ? await keptAnswer(request.url) : undefined
      if (saved === undefined) throw error
      return saved
    }
  }

  /** Styles and scripts: their addresses have a hash of their content. @param {any} event */
  const openFile = async (event) => {
    const { request } = event
    // A disk that is full or broken must not keep a page from its scripts.
    const cache = await caches.open(FILES).catch(() => undefined)
    const found = await cache?.match(request.url, { ignoreVary: true }).catch(() => undefined)
    if (found !== undefined) return found
    const response = await fetch(request)
    if (cache !== undefined && response.status === 200)
      event.waitUntil(keepFile(cache, request.url, response.clone()).catch(() => undefined))
    return response
  }

  /** @param {Cache} cache  @param {string} address  @param {Response} response */
  const keepFile = async (cache, address, response) => {
    await cache.put(address, response)
    const keys = await cache.keys()
    for (const key of keys.slice(0, Math.max(0, keys.length - MOST_FILES)))
      await cache.delete(key, { ignoreVary: true })
  }

  /**
   * Keeps files that a page has loaded already, and what they load later.
   *
   * @param {string[]} addresses  @param {boolean} isDeep
   */
  const keepFiles = async (addresses, isDeep) => {
    const cache = await caches.open(FILES)
    const seen = new Set(
      addresses.filter((address) => new URL(address).pathname.startsWith(files)).slice(0, MOST_FILES),
    )
    for (const address of seen) {
      let found = await cache.match(address, { ignoreVary: true })
      if (found === undefined) {
        const response = await fetch(address)
        if (response.status !== 200) continue
        await keepFile(cache, address, response.clone())
        found = response
      }
      if (!isDeep || !address.endsWith('.js') || seen.size >= MOST_FILES) continue
      for (const [, file] of (await found.text()).matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g))
        seen.add(new URL(file ?? '', address).href)
    }
  }

  /** Reads a page that no one sees now. @param {string} address */
  const keepPage = async (address) => {
    if (!new URL(address).pathname.startsWith(`${base}/`)) return
    const number = ++sent
    const response = await fetch(address, { headers: { 'x-for-later': 'yes' } })
    await note(address, response, number)
  }

  /** @param {string[]} addresses  pages to keep that may not have been opened */
  const keepPinned = async (addresses) => {
    for (const address of addresses.slice(0, MOST_PINNED)) {
      const saved = (await keptAnswer(address))?.headers.get('x-saved-at')
      if (Date.now() - Date.parse(saved ?? '') < PINNED_MS) continue
      await keepPage(address)
    }
  }

  // Calls go straight to the server where browsers allow it: one that a closing tab sends must not wait until this
  // script runs. Others come by below, and are let through. Forms come by: signing out deletes what is kept.
  worker.addEventListener('install', (/** @type {any} */ event) => {
    const condition = { requestMethod: 'POST', requestMode: 'cors' }
    event.addRoutes?.({ condition, source: 'network' }).catch(console.error)
    worker.skipWaiting()
  })
  worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()))
  worker.addEventListener('fetch', (/** @type {any} */ event) => {
    const { request } = event
    const { origin, pathname } = new URL(request.url)
    if (origin !== location.origin) return
    if (request.method === 'GET' && pathname.startsWith(files)) return event.respondWith(openFile(event))
    if (!pathname.startsWith(`${base}/`)) return
    // A PDF within a page is no page of its own.
    if (request.destination === 'iframe') return
    if (request.mode === 'navigate') return event.respondWith(openPage(event))
    // Calls, files that are sent and the stream of changes go their own way: nothing may come between them and the server.
    if (request.method !== 'GET') return
    if (request.destination === 'image') event.respondWith(openPart(event, true))
    else if (request.headers.has('hx-request')) event.respondWith(openPart(event, false))
  })
  worker.addEventListener('message', (/** @type {any} */ event) => {
    const { loaded = [], isDeep = false, pinned = [], left } = event.data ?? {}
    /** @param {() => Promise<unknown>} work  what fails without a connection */
    const attempt = (work) => work().catch(() => undefined)
    const later = async () => {
      await new Promise((resolve) => setTimeout(resolve, LAST_CALLS_MS))
      await keepPage(left)
    }
    event.waitUntil(
      left === undefined
        ? attempt(() => keepPinned(pinned)).then(() => attempt(() => keepFiles(loaded, isDeep)))
        : attempt(later),
    )
  })
}

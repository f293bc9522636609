/** A browser without scripts: it stores cookies, follows redirects within the server, and submits forms. */

/** A page, or the address to which the browser was redirected outside of the server. */
export interface Seen {
  status: number
  headers: Headers
  /** The HTML of the page; empty after a redirect to elsewhere. */
  html: string
  /** The address of the page, or of the redirect. */
  url: URL
}

export class Browser {
  readonly #cookies = new Map<string, { path: string; value: string }>()
  readonly #headers: Record<string, string>
  seen: Seen = { status: 0, headers: new Headers(), html: '', url: new URL('about:blank') }

  /** @param headers  sent with every request, as a proxy adds them */
  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers
  }

  async open(url: URL | string, form?: URLSearchParams): Promise<Seen> {
    let next = new URL(url)
    let body = form
    for (;;) {
      const { status, headers, html } = await this.#ask(next, body)
      const location = headers.get('location')
      if (location === null) return this.#see({ status, headers, html, url: next })
      const target = new URL(location, next)
      if (target.origin !== next.origin) return this.#see({ status, headers, html: '', url: target })
      next = target
      body = undefined
    }
  }

  /** Submits the form of the page with these fields; `do` is the button. */
  submit(filled: Record<string, string | readonly string[]>): Promise<Seen> {
    const form = new URLSearchParams({ token: this.hidden('token') })
    for (const [name, values] of Object.entries(filled)) for (const value of [values].flat()) form.append(name, value)
    return this.open(this.seen.url, form)
  }

  hidden(name: string): string {
    return new RegExp(`name="${name}" value="([^"]*)"`).exec(this.seen.html)?.[1] ?? ''
  }

  /** The `Cookie` header for an address. */
  cookieFor(url: URL): string {
    return [...this.#cookies]
      .filter(([, { path }]) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }

  async #ask(url: URL, form: URLSearchParams | undefined) {
    const cookie = this.cookieFor(url)
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { ...this.#headers, accept: 'text/html', cookie, ...(form && { origin: url.origin }) },
      ...(form && { body: form }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      const path = /;\s*path=([^;]*)/i.exec(set)?.[1] ?? '/'
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, { path, value })
    }
    return { status: response.status, headers: response.headers, html: await response.text() }
  }

  #see(seen: Seen): Seen {
    this.seen = seen
    return seen
  }
}

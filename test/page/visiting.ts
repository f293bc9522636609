/** A browser without scripts that visits the pages of a served space. */

import { expect } from 'vitest'
import type { NewAccessLink } from '../../src/auth/access-links/access-links.ts'
import { createEntryToken } from '../../src/auth/browser-sessions/browser-session.ts'
import type { AddressCheck } from '../../src/base/public-addresses.ts'
import { type AddressLimiter, AddressRateLimiter } from '../../src/call/rate-limiter.ts'
import { createPages } from '../../src/page/pages.ts'
import { endpoints } from '../../tools/index.ts'
import { makeLink, type Serving, type ServingOptions, serveBuilt } from '../http/serving.ts'
import { enterPages } from '../support/enter-pages.ts'

export interface Visited {
  status: number
  headers: Headers
  text: string
  /** The final address. */
  url: string
}

export interface Visitor {
  /** The address of the pages: `http://127.0.0.1:…/view/key`. */
  base: string
  cookie: string
  get(path: string, headers?: Record<string, string>): Promise<Visited>
  /** Submits a form like the page: with its token and origin, unless others are given. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Visited>
  /** The same, and follows the redirect. */
  send(path: string, fields?: Record<string, string>): Promise<Visited>
  /** Presses the first button with this label in a page, and follows the redirect. @param fields  the input */
  press(page: Visited, words: string, fields?: Record<string, string>): Promise<Visited>
}

/** The form of the first button with this label: its address, and its current fields. */
function formWith({ text }: Visited, words: string): { method: string; action: string; fields: URLSearchParams } {
  for (const [, head = '', content = ''] of text.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
    const button = [...content.matchAll(/<button([^>]*)>([^<]*)<\/button>/g)].find(([, , name]) => name === words)
    if (button === undefined) continue
    const fields = new URLSearchParams()
    for (const [, input = ''] of content.matchAll(/<input([^>]*)>/g)) {
      const isChosen = !/type="(?:radio|checkbox)"/.test(input) || / checked/.test(input)
      if (isChosen && attribute(input, 'name') !== '')
        fields.append(attribute(input, 'name'), attribute(input, 'value'))
    }
    for (const [, area = '', value = ''] of content.matchAll(/<textarea([^>]*)>([\s\S]*?)<\/textarea>/g)) {
      fields.append(attribute(area, 'name'), plain(value))
    }
    const name = attribute(button[1] ?? '', 'name')
    if (name !== '') fields.append(name, attribute(button[1] ?? '', 'value'))
    return { method: attribute(head, 'method'), action: attribute(head, 'action'), fields }
  }
  throw new Error(`Expected a button ${words} in a form, found none.`)
}

const attribute = (tag: string, name: string): string => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** True if a page has a button or link with this label. */
export const offers = ({ text }: Visited, content: string): boolean =>
  new RegExp(`<(button|a|summary)\\b[^>]*>${content}</\\1>`).test(text)

export const servePages = (
  options: ServingOptions & { isOperator?: boolean; pageLimiter?: AddressLimiter; isAllowed?: AddressCheck } = {},
): Promise<Serving> => {
  const { isOperator = true, pageLimiter = new AddressRateLimiter(0), isAllowed, ...serving } = options
  return serveBuilt({
    ...serving,
    pages: {
      load: async () => createPages(endpoints),
      addressLimiter: pageLimiter,
      ...(isAllowed && { isAllowed }),
      ...(isOperator && { operatorSince: 0 }),
    },
  })
}

/** The operator. */
export function visitAsOperator({ server, space, clock }: Serving): Promise<Visitor> {
  return enter(`${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`)
}

/** Visits the pages with an access link. */
export async function visitByLink(serving: Serving, options: Partial<NewAccessLink> = {}): Promise<Visitor> {
  const { secret } = await makeLink(serving, serving.server.origin, options)
  return enter(`${serving.server.origin}/links/${secret}/view`)
}

/** Follows the entry address of a browser. */
export async function enter(address: string): Promise<Visitor> {
  const { base, cookie } = await enterPages(address)
  return visitorWith(base, cookie)
}

/** Labels as they are read: without the icons beside them, and what can be hidden where there is no room. */
const withoutIcons = (text: string): string =>
  text
    .replace(/<svg class="icon"[^>]*><use [^>]*><\/svg> ?/g, '')
    .replace(/<span class="(?:word|name|emoji)">([^<]*)<\/span>/g, '$1')

/** A browser that has a session already. */
export function visitorWith(base: string, cookie: string): Visitor {
  const { origin } = new URL(base)
  const ask = async (path: string, init: RequestInit = {}): Promise<Visited> => {
    const response = await fetch(`${base}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { cookie, ...init.headers },
    })
    const text = withoutIcons(await response.text())
    return { status: response.status, headers: response.headers, text, url: response.url }
  }
  const get = (path: string, headers: Record<string, string> = {}) => ask(path, { headers })
  const post = async (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const token = /name="token" value="([^"]+)"/.exec((await get('/')).text)?.[1] ?? ''
    const body = new URLSearchParams({ token, ...fields })
    return ask(path, { method: 'POST', body, headers: { origin, ...headers } })
  }
  const pathOf = (address: string) => {
    const { pathname, search } = new URL(address, base)
    return `${pathname.slice(new URL(base).pathname.length)}${search}`
  }
  return {
    base,
    cookie,
    get,
    post,
    async send(path, fields) {
      const sent = await post(path, fields)
      expect(sent.status, sent.text).toBe(303)
      return get(pathOf(sent.headers.get('location') ?? ''))
    },
    async press(page, words, more = {}) {
      const { method, action, fields } = formWith(page, words)
      for (const [name, value] of Object.entries(more)) fields.set(name, value)
      if (method === 'get') return get(`${pathOf(action)}?${fields}`)
      const sent = await ask(pathOf(action), { method: 'POST', body: fields, headers: { origin, referer: page.url } })
      return sent.status === 303 ? get(pathOf(sent.headers.get('location') ?? '')) : sent
    },
  }
}

/** The text of a page, without tags. */
export const textOf = ({ text }: Visited): string =>
  text
    .replace(/<(script|style|head)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<\/?(?:a|b|code|del|em|i|ins|mark|strong|time)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&\w+;|&#\d+;/g, plain)
    .replace(/\s+/g, ' ')

const plain = (escaped: string): string =>
  escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Renders page templates outside of pages, where no actions are offered. */
import type { Caller } from '../call/caller.ts'
import type { Comparer } from '../difference/comparer.ts'
import type { Endpoint } from '../endpoint.ts'
import { PageCall } from './page-call.ts'

export interface ViewOptions {
  caller: Caller
  /** The complete base address of the space's pages, for links; empty if there is none. */
  base: string
  /** Milliseconds since 1970. */
  now: number
  log(line: string): void
  /** The `Accept-Language` of the reader, if known. */
  language?: string | null
}

export class ViewCall extends PageCall {
  /** @param endpoints  all endpoints; those that this kind of connection does not have are filtered out */
  constructor({ caller, base, now, log, language }: ViewOptions, endpoints: readonly Endpoint[], comparer: Comparer) {
    // There is no browser request, so its data is empty.
    const headers = typeof language === 'string' ? { 'accept-language': language } : {}
    const request = new Request(URL.canParse(base) ? base : 'http://localhost/', { headers })
    const asked = { request, url: new URL(request.url), path: '/', base, root: '', origin: '' }
    const session = { caller, isOperator: false, formToken: '', isKept: false, owner: '', form: new URLSearchParams() }
    super({ ...asked, ...session, now, log, markLongLived: () => {} }, endpoints, comparer)
  }

  override may(): boolean {
    return false
  }
}

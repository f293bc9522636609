/** What is shown to somebody elsewhere than on a page: by the templates of pages, which offer nothing to do there. */
import type { Caller } from '../call/caller.ts'
import type { Endpoint } from '../endpoint.ts'
import { PageCall } from './page-call.ts'

export interface ViewOptions {
  caller: Caller
  /** The whole address of the pages of the space, to which its links lead; empty where there is none. */
  base: string
  /** Milliseconds since 1970. */
  now: number
  log(line: string): void
}

export class ViewCall extends PageCall {
  /** @param endpoints  what the caller may call, as far as the kind of connection has it */
  constructor({ caller, base, now, log }: ViewOptions, endpoints: readonly Endpoint[]) {
    // No browser asks for it: what only a browser's request says is empty.
    const request = new Request(URL.canParse(base) ? base : 'http://localhost/')
    const asked = { request, url: new URL(request.url), path: '/', base, root: '', origin: '' }
    const session = { caller, isOperator: false, formToken: '', form: new URLSearchParams() }
    super({ ...asked, ...session, now, log, markLongLived: () => {} }, endpoints)
  }

  override may(): boolean {
    return false
  }
}

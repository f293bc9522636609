/** How a browser gets its session for the pages of a space: it follows an address, and takes the session it is offered. */

export interface EnteredPages {
  /** The address of the pages: `http://127.0.0.1:…/view/key`. */
  base: string
  /** The `Cookie` header of the session. */
  cookie: string
}

/** @throws Error if the address opens nothing, or the pages ask something first */
export async function enterPages(address: string): Promise<EnteredPages> {
  const offered = await follow(address, '')
  const entered = await follow(offered.location, offered.cookie)
  return { base: entered.location.replace(/\/$/, ''), cookie: entered.cookie }
}

async function follow(address: string, cookie: string): Promise<{ location: string; cookie: string }> {
  const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
  const location = response.headers.get('location')
  if (response.status === 303 && location !== null) {
    const [set = ''] = response.headers.getSetCookie()
    return { location: new URL(location, address).href, cookie: set.split(';')[0] ?? '' }
  }
  throw new Error(`Expected a session from ${address}, found ${response.status}: ${await response.text()}`)
}

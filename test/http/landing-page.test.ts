/** What a browser sees at the addresses of programs. */
import { expect, test } from 'vitest'
import { rawRequest, serveBuilt } from './serving.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('a browser is told what the server is and where to go, at its own address and at those of programs', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const bearer = await serving.link({ isBearer: true })
  const { origin } = serving.server
  const open = async (path: string) => await rawRequest(new URL(path, origin).href, { headers: BROWSER })
  for (const path of ['/', '/mcp']) {
    const page = await open(path)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('<code>/view</code>')
  }
  const views = [
    [new URL(link.mcp).pathname, 'view'],
    [`/links/${link.secret}`, `${link.secret}/view`],
  ] as const
  for (const [path, view] of views) {
    const page = await open(path)
    expect(page.text).toContain(`<a href="${view}">`)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    expect((await open(new URL(view, `${origin}${path}`).pathname)).status).toBe(303)
  }
  expect((await open(new URL(bearer.mcp).pathname)).text).not.toContain('<a href')
  expect((await open(`/links/${encodeURIComponent('"><script>')}`)).text).not.toContain('<script>')
})

test('programs get what they ask for', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  for (const accept of ['application/json, text/event-stream', '*/*', 'text/event-stream', undefined]) {
    const headers = accept === undefined ? {} : { accept }
    expect((await rawRequest(link.mcp, { headers })).headers['content-type']).not.toContain('text/html')
    expect((await rawRequest(`${serving.server.origin}/`, { headers })).status).toBe(401)
  }
})

test('an address at which there is nothing says so to people, and to programs as before', async () => {
  const { ask } = await serveBuilt()
  const page = await ask('GET /nothing', undefined, { accept: 'text/html,*/*' })
  expect([page.status, page.text.includes('There is nothing at this address.')]).toEqual([404, true])
  const program = await ask('GET /nothing', undefined, { accept: 'application/json' })
  expect([program.status, program.json.code]).toEqual([401, 'INVALID_AUTH_HEADER'])
})

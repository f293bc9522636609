/** Hostile web pages, addresses that run scripts, and stolen tokens. */
import { request } from 'node:http'
import type { Attack } from '../attack.ts'
import { program, tokensFor } from '../sign-in.ts'

export const metrics: Attack = {
  finding: 17,
  name: 'a web page whose name leads to the port of metrics',
  async attempt(world) {
    const { metricsOrigin } = await world.shared()
    const status = await statusAs(`${metricsOrigin}/metrics`, 'evil.example')
    return status === 200 ? ['the port of metrics answered to the name evil.example'] : []
  },
}

/** Sends a request with another Host header, which `fetch` does not allow, and returns the status. */
function statusAs(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end()
  })
}

export const sniffed: Attack = {
  finding: 17,
  name: 'answers of REST that a browser takes for another type',
  async attempt(world) {
    const server = await world.shared()
    const id = await server.document('Page', '<script>alert(1)</script>')
    const faults: string[] = []
    for (const target of ['/connection', `/blocks?id=${id}`, '/blocks?id=nothing', '/openapi.json', '/nowhere']) {
      const { headers } = await server.rest(`GET ${target}`)
      if (headers.get('x-content-type-options') !== 'nosniff') {
        faults.push(`GET ${target.replace(id, 'ID')} is answered without nosniff`)
      }
    }
    return faults
  },
}

const RUNNING = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
]

export const running: Attack = {
  finding: 17,
  name: 'addresses that run something, kept in link cards',
  async attempt(world) {
    const server = await world.shared()
    const faults: string[] = []
    for (const url of RUNNING) {
      const pageId = await server.document('Card')
      const card = { type: 'richUrl', url, title: 'Card' }
      await server.rest('POST /blocks', { blocks: [card], position: { position: 'end', pageId } })
      const { content = [] } = await server.done(`GET /blocks?id=${pageId}`)
      const kept = content.some((block: { url?: string }) => block.url?.trim() === url.trim())
      if (kept) faults.push(`a link card keeps ${JSON.stringify(url)}`)
    }
    return faults
  },
}

export const refreshed: Attack = {
  finding: 17,
  name: 'a refresh token used twice at once, by whom it was stolen from and by the thief',
  async attempt(world) {
    const server = await world.shared()
    const host = await program(server)
    const { refresh_token: stolen = '' } = await tokensFor(host)
    const [one, other] = [await host.refresh(stolen), await host.refresh(stolen)]
    // Both sides refresh their tokens independently, for as long as they can.
    const alive = new Set<string>()
    for (const { refresh_token: own } of [one, other]) {
      const { refresh_token: next } = own === undefined ? {} : await host.refresh(own)
      if (next !== undefined) alive.add(next)
    }
    const still = await Promise.all([...alive].map(async (token) => (await host.refresh(token)).status))
    const families = still.filter((status) => status === 200).length
    return families > 1 ? [`${families} connections go on from one refresh token`] : []
  },
}

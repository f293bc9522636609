/** Sessions of the pages: who replaces whom in a browser, and what signing out ends. */
import { describe, expect, test, vi } from 'vitest'
import { revokeAccessLink, spaceKey } from '../../src/auth/access-links/access-links.ts'
import { createEntryToken } from '../../src/auth/browser-sessions/browser-session.ts'
import { ENDED_SESSIONS_PER_LINK, VIEW_SECONDS } from '../../src/base/limits.ts'
import { endSession } from '../../src/call/ended-sessions.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'

import { Browser } from '../auth/issuer/browser.ts'
import { PASSWORDS, serveIssuer } from '../auth/issuer/serving-issuer.ts'
import { serveSigningIn } from '../auth/resource-server/signing-in.ts'
import type { Serving } from '../http/serving.ts'
import { firstValue } from '../sqlite.ts'
import { writeOnDays } from '../support/written-days.ts'
import { servePages } from './visiting.ts'

/** A served space with two links, the addresses of its pages, and a browser. */
async function opened(options: Parameters<typeof servePages>[0] = {}) {
  const serving = await servePages(options)
  const { origin } = serving.server
  const viewOf = async (name: string) => {
    const { secret, info } = await serving.link({ name })
    return { address: `${origin}/links/${secret}/view`, id: info.id }
  }
  const [reader, writer] = [await viewOf('Reader'), await viewOf('Writer')]
  const key = spaceKey(serving.space.info.id)
  return { ...serving, base: `${origin}/view/${key}`, key, reader, writer, browser: new Browser() }
}

const ownerAddress = ({ space, clock, server }: Serving): string =>
  `${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`

/** Sends a request with cookies as they are, without following redirects. */
const askWith = (url: string, cookie: string) => fetch(url, { redirect: 'manual', headers: { cookie } })

const sessionIn = (browser: Browser, base: string): string => browser.cookieFor(new URL(`${base}/`))
const ownerOf = ({ html }: { html: string }): string => /data-owner="(\w+)"/.exec(html)?.[1] ?? ''
const endedRows = ({ space }: Serving): Promise<unknown> =>
  space.read(OPERATOR_LINK, ({ tx }) => firstValue(tx, 'SELECT count(*) FROM ended_session'))

describe('the address of another link', () => {
  test('changes nothing by itself: the page asks, and its address has no secret', async () => {
    const { browser, base, reader, writer, server, key } = await opened()
    await browser.open(reader.address)
    const before = sessionIn(browser, base)
    const { status, html, url } = await browser.open(writer.address)
    expect([status, url.href]).toEqual([200, `${server.origin}/view/${key}/enter?page=%2F`])
    expect(html).toContain('This browser has opened Test with the link “Reader”.')
    expect(html).toContain('opens it with the link “Writer” instead.')
    expect(sessionIn(browser, base)).toBe(before)
  })

  test('opens as before after Stay, and the other session is forgotten', async () => {
    const { browser, base, reader, writer } = await opened()
    await browser.open(reader.address)
    const before = sessionIn(browser, base)
    await browser.open(writer.address)
    const { url, status } = await browser.submit({ do: 'stay' })
    expect([status, url.href]).toEqual([200, `${base}/`])
    expect(sessionIn(browser, base)).toBe(before)
    expect(browser.cookieFor(new URL(`${base}/enter`))).toBe(before)
  })

  test('is used after Change, and the session before it ends', async () => {
    const { browser, base, reader, writer } = await opened()
    await browser.open(reader.address)
    const before = sessionIn(browser, base)
    await browser.open(writer.address)
    const { url, status } = await browser.submit({ do: 'change' })
    expect([status, url.href]).toEqual([200, `${base}/`])
    expect(sessionIn(browser, base)).not.toBe(before)
    expect((await askWith(`${base}/`, before)).status).toBe(401)
  })

  test.each([
    ['without the token of the session', {}, { do: 'change' }],
    ['from another site', { origin: 'https://elsewhere.example' }, undefined],
  ])('is not used by a form %s', async (_, headers, fields) => {
    const { browser, base, reader, writer, server } = await opened()
    await browser.open(reader.address)
    const { url, html } = await browser.open(writer.address)
    const token = /name="token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const sent = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: server.origin, cookie: browser.cookieFor(url), ...headers },
      body: new URLSearchParams(fields ?? { do: 'change', token }),
    })
    expect([sent.status, sent.headers.get('set-cookie')]).toEqual([403, null])
    expect((await browser.open(`${base}/`)).status).toBe(200)
  })

  test('opens at once if the session before it has ended, or its link was revoked', async () => {
    const serving = await opened()
    const { browser, base, reader, writer, space } = serving
    await browser.open(reader.address)
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, reader.id))
    expect((await browser.open(writer.address)).url.href).toBe(`${base}/`)
  })

  test('that was revoked before the answer opens nothing', async () => {
    const { browser, base, reader, writer, space } = await opened()
    await browser.open(reader.address)
    const before = sessionIn(browser, base)
    await browser.open(writer.address)
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, writer.id))
    await browser.submit({ do: 'change' })
    expect(sessionIn(browser, base)).toBe(before)
  })
})

test('the address of the same link keeps the session, so that the forms of open pages work, and renews it', async () => {
  const { browser, base, reader, clock } = await opened()
  const { html } = await browser.open(reader.address)
  const token = /name="token" value="([^"]*)"/.exec(html)?.[1]
  clock.now += VIEW_SECONDS * 1000 - 1
  const again = await browser.open(reader.address)
  expect([again.url.href, /name="token" value="([^"]*)"/.exec(again.html)?.[1]]).toEqual([`${base}/`, token])
  clock.now += VIEW_SECONDS * 1000 - 1
  expect((await browser.open(`${base}/`)).status).toBe(200)
})

test('scriptorium open asks as well, except for its own sessions', async () => {
  const serving = await opened()
  const { browser, base, reader } = serving
  await browser.open(reader.address)
  expect((await browser.open(ownerAddress(serving))).html).toContain('opens it as Owner instead.')
  await browser.submit({ do: 'change' })
  expect((await browser.open(ownerAddress(serving))).url.href).toBe(`${base}/`)
})

test('a sign-in at an identity provider asks as well', async () => {
  const serving = await serveSigningIn({ clientId: 'the-pages' })
  const { secret } = await serving.link({ name: 'Reader', participant: 'Owner' })
  const base = `${serving.server.origin}/view/${serving.key}`
  const browser = new Browser()
  await browser.open(`${serving.server.origin}/links/${secret}/view`)
  const before = sessionIn(browser, base)
  const { url: at } = await browser.open(`${base}/sign-in?page=%2Ftasks`)
  const back = (await fetch(at, { redirect: 'manual' })).headers.get('location') ?? ''
  const { html } = await browser.open(back)
  expect(html).toContain('opens it as Anna instead.')
  expect(sessionIn(browser, base)).toBe(before)
  expect((await browser.submit({ do: 'change' })).url.href).toBe(`${base}/tasks`)
})

test('the form of a sign-in with a password says that it ends the session of the browser, and does so', async () => {
  const serving = await serveIssuer()
  const { origin } = serving.server
  const { secret } = await serving.link({ name: 'Reader', participant: 'Owner' })
  const base = `${origin}/view/${spaceKey(serving.space.info.id)}`
  const browser = new Browser()
  expect((await browser.open(`${base}/sign-in`)).html).not.toContain('ends that session')
  await browser.open(`${origin}/links/${secret}/view`)
  const before = sessionIn(browser, base)
  const { html } = await browser.open(`${base}/sign-in`)
  expect(html).toContain('This browser has opened the space with the link “Reader”. Signing in ends that session.')
  await browser.submit({ name: 'Anna', password: PASSWORDS.Anna })
  expect((await askWith(`${base}/`, before)).status).toBe(401)
  expect((await browser.open(`${base}/`)).status).toBe(200)
})

describe('signing out', () => {
  const leave = (browser: Browser, base: string) =>
    browser.open(`${base}/sign-out`, new URLSearchParams({ token: browser.hidden('token') }))

  test('ends the session on every server of the space, so that no copy of its cookie works', async () => {
    const serving = await opened()
    const { browser, base, reader, key } = serving
    const { html } = await browser.open(reader.address)
    const cookie = sessionIn(browser, base)
    await leave(browser, base)
    const other = await servePages({ to: serving })
    for (const { origin } of [serving.server, other.server]) {
      expect((await askWith(`${origin}/view/${key}/`, cookie)).status).toBe(401)
      expect((await askWith(`${origin}/view/${key}/changes`, cookie)).status).toBe(401)
      const call = await fetch(`${origin}/view/${key}/calls`, {
        method: 'POST',
        headers: { cookie, origin, 'x-form-token': /name="token" value="([^"]*)"/.exec(html)?.[1] ?? '' },
        body: '{"tool":"documents_list"}',
      })
      expect(call.status).toBe(401)
    }
  })

  test('expires the cookies of this space by name, and clears the cache alone', async () => {
    const { browser, base, reader, key } = await opened()
    await browser.open(reader.address)
    const { headers, html } = await leave(browser, base)
    expect(headers.getSetCookie()).toEqual([
      `scriptorium=; Path=/view/${key}; Max-Age=0; HttpOnly; SameSite=Lax`,
      `scriptorium-offered=; Path=/view/${key}/enter; Max-Age=0; HttpOnly; SameSite=Lax`,
    ])
    expect(headers.get('clear-site-data')).toBe('"cache"')
    expect(html).toContain('This browser has left the space. To come back, open it the way you did before.')
  })

  test('does not end other sessions, also of the same link', async () => {
    const { browser, base, reader, writer } = await opened()
    const others = [new Browser(), new Browser()]
    await browser.open(reader.address)
    await others[0]?.open(reader.address)
    await others[1]?.open(writer.address)
    await leave(browser, base)
    for (const other of others) expect((await other.open(`${base}/`)).status).toBe(200)
    expect((await browser.open(reader.address)).status).toBe(200)
  })

  test('over and over fills no space: at some point older sessions of the link end', async () => {
    const serving = await opened()
    const { browser, base, reader, writer, space, clock } = serving
    const [old, recent, other] = [new Browser(), new Browser(), new Browser()]
    await old.open(reader.address)
    await other.open(writer.address)
    const started = clock.now
    const end = (count: number) =>
      space.write(OPERATOR_LINK, async (view) => {
        const from = started + 1 + count
        await endSession(view, { link: reader.id, nonce: `${count}`, from, until: from + VIEW_SECONDS * 1000 })
      })
    for (let count = 0; count < ENDED_SESSIONS_PER_LINK; count++) await end(count)
    clock.now = started + ENDED_SESSIONS_PER_LINK
    await recent.open(reader.address)
    expect(await endedRows(serving)).toBe(ENDED_SESSIONS_PER_LINK)
    expect((await old.open(`${base}/`)).status).toBe(200)
    await browser.open(reader.address)
    await leave(browser, base)
    expect(await endedRows(serving)).toBe(ENDED_SESSIONS_PER_LINK / 2 + 1)
    expect((await old.open(`${base}/`)).status).toBe(401)
    expect((await recent.open(`${base}/`)).status).toBe(200)
    expect((await other.open(`${base}/`)).status).toBe(200)
    expect((await old.open(reader.address)).status).toBe(200)
  })

  test('is forgotten once the session would have expired', async () => {
    const serving = await opened()
    const { browser, base, reader, clock } = serving
    await browser.open(reader.address)
    await leave(browser, base)
    clock.now += VIEW_SECONDS * 1000
    await writeOnDays(serving, 2)
    await browser.open(reader.address)
    await leave(browser, base)
    expect(await endedRows(serving)).toBe(1)
  })

  test('says so if the server could not store it, and expires the cookie all the same', async () => {
    const { browser, base, reader, space, noted } = await opened()
    await browser.open(reader.address)
    const failing = vi.spyOn(space, 'write').mockRejectedValueOnce(new Error('The disk is full.'))
    const { headers, html } = await leave(browser, base)
    failing.mockRestore()
    expect(headers.getSetCookie()).toContainEqual(expect.stringMatching(/^scriptorium=; .*Max-Age=0/))
    expect(html).toContain('so a copy of its cookie would still open the space.')
    expect(noted.join()).toContain('a session could not be ended: Error: The disk is full.')
  })
})

test('pages name whom a session stands for: the same for all sessions of a link, and another for each link', async () => {
  const serving = await opened()
  const { reader, writer } = serving
  const owners: string[] = []
  for (const address of [reader.address, reader.address, writer.address, ownerAddress(serving)]) {
    owners.push(ownerOf(await new Browser().open(address)))
  }
  const [first, again, other, operator] = owners
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  expect(again).toBe(first)
  expect(new Set([first, other, operator]).size).toBe(3)
})

test('a browser without a session gets the script that offers what it has not sent, and nothing of the space', async () => {
  const { base, space } = await opened()
  const response = await fetch(`${base}/tasks`)
  const html = await response.text()
  expect(response.status).toBe(401)
  expect(html).toContain(`<body class="alone" data-base="${new URL(base).pathname}" data-owner="">`)
  expect(html).toMatch(/<script src="\/page\/signedOut-[^"]+" type="module">/)
  expect(html).not.toContain(space.info.name)
})

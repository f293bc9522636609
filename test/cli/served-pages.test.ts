/** Web addresses are given over standard input and output only while `scriptorium open` serves the pages. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { spaceKey } from '../../src/auth/access-links/access-links.ts'
import { operatorAt, watchServedPages } from '../../src/cli/served-pages.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'

const PAGES = { url: 'http://127.0.0.1:4811', command: 'scriptorium open' }

test('looks again after a moment, and answers follow', async () => {
  const built = await buildSpace(':memory:', { pages: { ...PAGES } })
  const own = spaceKey(built.space.info.id)
  let now = 0
  let served: string | undefined
  const asked: string[] = []
  const check = watchServedPages(
    built.space,
    () => now,
    async (url) => {
      asked.push(url)
      return served
    },
  )
  const { call } = await connect('full', { to: built, beforeCall: check })
  const web = async () => (await call('connection_get')).urlTemplates.web
  expect(await web()).toBeUndefined()
  served = own
  expect(await web()).toBeUndefined()
  now += 5_000
  expect(await web()).toBe(`http://127.0.0.1:4811/d/${built.space.info.id}/{documentId}`)
  served = 'another space'
  now += 5_000
  expect(await web()).toBeUndefined()
  expect(asked).toEqual([PAGES.url, PAGES.url, PAGES.url])
})

test('does not look where people have an editor, or where there are no pages', async () => {
  for (const options of [{ editorUrl: 'https://docs.example.org', pages: { ...PAGES } }, {}]) {
    const built = await buildSpace(':memory:', options)
    const check = watchServedPages(built.space, Date.now, async () => expect.unreachable())
    await check()
  }
})

test('the operator of a port is that of the server which listens there', async () => {
  const server = createServer((_, response) => void response.end('{"operator":"k"}'))
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const closed = () => new Promise((done) => void server.close(done))
  onTestFinished(() => void server.close())
  expect(await operatorAt(`http://127.0.0.1:${port}`)).toBe('k')
  await closed()
  expect(await operatorAt(`http://127.0.0.1:${port}`)).toBeUndefined()
})

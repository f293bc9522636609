/**
 * Whatever anyone sends without a credential, little of it is parsed at once, so that no such request blocks others for
 * long. How many milliseconds it takes is measured by `npm run bench -- pauses`.
 */
import { expect, onTestFinished, test, vi } from 'vitest'
import { CLIENT_METADATA_BYTES, FORM_BYTES, PASSWORD_CODE_UNITS } from '../../src/base/limits.ts'
import { hostileBodies, openPage, ROUTES, send, serveIssuer } from './unauthenticated.ts'

/** The longest texts that were parsed as JSON, and normalized, which makes some characters many. */
function longestTexts(): { json: number; normalized: number } {
  const longest = { json: 0, normalized: 0 }
  const { parse } = JSON
  const { normalize } = String.prototype
  const spies = [
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      longest.json = Math.max(longest.json, text.length)
      return parse(text, reviver)
    }),
    vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
      longest.normalized = Math.max(longest.normalized, this.length)
      return normalize.call(this, form)
    }),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return longest
}

const SIZES: readonly (readonly [what: string, bytes: number])[] = [
  ['as large as a form may be', FORM_BYTES],
  ['too large', 4 * FORM_BYTES],
]

test.each(SIZES)('little of bodies that are %s is parsed at once', async (_, bytes) => {
  const serving = await serveIssuer()
  const { origin } = serving.server
  const page = await openPage(serving)
  const longest = longestTexts()
  for (const { type, body } of hostileBodies()) {
    const sent = { method: 'POST', headers: { 'content-type': type }, body: Buffer.from(body(bytes)) }
    for (const path of Object.values(ROUTES).flatMap((paths) => paths(serving.key))) await send(origin, path, sent)
  }
  // A short name, so that the password is looked at.
  for (const { type, body } of hostileBodies(`token=${page.token}&name=a&password=${'\ufdfa'.repeat(3_000)}&`)) {
    const headers = { 'content-type': type, cookie: page.cookie }
    await send(origin, page.path, { method: 'POST', headers, body: Buffer.from(body(bytes)) })
  }
  expect(longest.json).toBeLessThanOrEqual(CLIENT_METADATA_BYTES)
  expect(longest.normalized).toBeLessThanOrEqual(PASSWORD_CODE_UNITS)
})

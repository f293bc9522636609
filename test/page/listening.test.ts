/** Who listens to what, with a pause, on Links and people. */
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addWebhook, listWebhookStates } from '../../src/webhooks/webhooks.ts'
import { accessLinkById } from '../../storage/access-links.ts'
import { insertSubscription } from '../../storage/webhooks.ts'
import { makeLink } from '../http/serving.ts'
import { offers, servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

const HOUR = 3_600_000

async function serveListeners() {
  const serving = await servePages()
  const { space, clock } = serving
  const { info } = await makeLink(serving, serving.server.origin, { name: 'Researcher' })
  await space.write(OPERATOR_LINK, async (view) => {
    await addWebhook(view, info.id, 'https://crm.example/hook?key=hidden', ['document.changed'])
    const link = await accessLinkById(view.tx, info.id)
    await insertSubscription(view.tx, {
      ...{
        id: 'sub_0123456789ab',
        link: link?.n ?? 0,
        url: 'https://agent.example/inbox/hidden',
        secret: 'whsec_hidden',
      },
      ...{ events: null, createdAt: clock.now, call: 0, event: 0, reachChanges: 0, notBefore: null },
      ...{ eventName: 'comment.created', arguments: '{"author":"<b>Anna"}', cursor: 'none', client: 'ai-sdk' },
      ...{ connection: null, expiresAt: clock.now + HOUR },
    })
  })
  return serving
}

test('what each link listens to is shown, without what its addresses hide', async () => {
  const visitor = await visitAsOperator(await serveListeners())
  const page = await visitor.get('/links')
  const text = textOf(page)
  expect(text).toContain('Listens to document.changed at crm.example · not called yet')
  expect(text).toMatch(
    /Listens to comment\.created author: "<b>Anna" ai-sdk, at agent\.example · not called yet · until/,
  )
  for (const secret of ['hook?key', 'inbox', 'whsec']) expect(page.text).not.toContain(secret)
})

test('the person who runs the space pauses one, and lets it go on', async () => {
  const serving = await serveListeners()
  const visitor = await visitAsOperator(serving)
  const paused = await visitor.press(await visitor.get('/links'), 'Pause')
  expect(textOf(paused)).toContain('Paused. What happens waits until you resume it.')
  expect(textOf(paused)).toContain('at crm.example · not called yet, paused by you now')
  const states = () => serving.space.read(OPERATOR_LINK, listWebhookStates)
  expect((await states()).map(({ state }) => state)).toEqual(['paused', 'sending'])
  const resumed = await visitor.press(paused, 'Resume')
  expect(textOf(resumed)).toContain('It is called again')
  expect((await states()).map(({ state }) => state)).toEqual(['sending', 'sending'])
})

test('a visitor with a link sees none of it', async () => {
  const serving = await serveListeners()
  const visitor = await visitByLink(serving)
  expect((await visitor.get('/links')).status).toBe(404)
  const [{ id = '' } = {}] = await serving.space.read(OPERATOR_LINK, listWebhookStates)
  expect((await visitor.post(`/webhooks/${id}/pause`)).status).toBe(404)
  expect(offers(await visitor.get('/'), 'Pause')).toBe(false)
})

/** Resources that clients subscribe to, and their streams. */
import { describe, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { serveBuilt } from '../http/serving.ts'
import { eventually } from '../support/eventually.ts'

describe('subscriptions', () => {
  const full = 'Expected at most 200 resources to hear of at once, found 201; unsubscribe from some first.'

  test('of a session are limited, and fail for what does not exist or is out of reach', async () => {
    const serving = await connect()
    const titles = Array.from({ length: 202 }, (_, index) => ({ title: `Document ${index}` }))
    const { items } = await serving.call('documents_add', { documents: titles })
    const ids = (items as { id: string }[]).map(({ id }) => id)
    const [hidden = '', ...shown] = ids
    const { client } = await connect('selected', { to: serving, documents: shown, era: '2025' })
    const subscribe = (id: string) => client.subscribeResource({ uri: `scriptorium://documents/${id}` })
    const nowhere = (index: number) => `00000000-0000-7000-8000-999${String(index).padStart(9, '0')}`
    for (let index = 0; index < 250; index++) expect(await subscribe(nowhere(index))).toEqual({})
    expect(await subscribe(hidden)).toEqual({})
    for (const id of shown.slice(0, 200)) expect(await subscribe(id)).toEqual({})
    // A repeated subscription is not another one.
    expect(await subscribe(shown[0]?.toUpperCase() ?? '')).toEqual({})
    await expect(subscribe(shown[200] ?? '')).rejects.toThrow(full)
    expect(await subscribe(hidden)).toEqual({})
    await client.unsubscribeResource({ uri: `scriptorium://documents/${shown[0]}` })
    expect(await subscribe(shown[200] ?? '')).toEqual({})
  })

  test('to anything but a resource are rejected briefly', async () => {
    const { client } = await connect('full', { era: '2025' })
    const refused = async (uri: string) => client.subscribeResource({ uri }).catch((error: Error) => error)
    for (const uri of ['https://example.org/', 'scriptorium://documents/']) {
      const error = await refused(`${uri}${'x'.repeat(1_000_000)}`)
      expect(JSON.stringify(error).length + String(error).length).toBeLessThan(1_500)
      expect(String(error)).toContain('Expected the address of a resource (scriptorium://documents/{id}, ')
    }
    expect(await client.unsubscribeResource({ uri: 'https://example.org/' })).toEqual({})
  })

  test('of one link may have a hundred streams, and another one when one has ended', async () => {
    const serving = await serveBuilt()
    const [link, other] = [await serving.link(), await serving.link()]
    const client = await link.client()
    const listen = () => client.listen({ resourcesListChanged: true })
    const open = await Promise.all(Array.from({ length: 100 }, listen))
    await expect(listen()).rejects.toThrow(
      'Expected at most 100 streams of one link at once, found 101; end one first.',
    )
    await (await (await other.client()).listen({ resourcesListChanged: true })).close()
    await open[0]?.close()
    await eventually(async () => open.push(await listen()))
    expect(open).toHaveLength(101)
  })
})

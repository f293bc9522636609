/** From a comment in a browser to an approved edit: the client of the AI SDK is called, and its agent proposes. */
import { createMCPClient } from '@ai-sdk/mcp'
import { expect, onTestFinished, test } from 'vitest'
import { documentOf, idsOf } from '../document.ts'
import { memoryStore, startHandler } from '../events/ai-sdk-receiver.ts'
import { serveSubscriptions } from '../events/subscriber.ts'
import { callTool } from '../http/serving.ts'
import { launchBrowser } from '../prove/pages/browser.ts'

/** Milliseconds in which a browser starts and does all of it, beside other tests. */
const PATIENCE = 120_000

test(
  'a person comments in a browser, an agent is called and proposes an edit, and the person approves it',
  async () => {
    const served = await serveSubscriptions()
    const plan = await documentOf(served.writer, 'Ship on Monday.', 'Plan')
    const { 'Ship on Monday.': block = '' } = await idsOf(served.writer, plan)
    const store = memoryStore()
    const handler = await startHandler(store)
    const agent = await served.link({ access: 'propose' })
    const host = await createMCPClient({ transport: { type: 'http', url: agent.mcp }, experimental_events: { store } })
    onTestFinished(() => host.close())
    await host.experimental_events.subscribe({
      name: 'comment.created',
      arguments: { documentId: plan, mine: false },
      delivery: { mode: 'webhook', url: handler.url, allowInsecureLocalhost: true },
    })
    served.deliver()

    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const person = await served.link()
    await page.goto(person.rest.replace('/api/v1', '/view'))
    const pages = new URL(page.url()).pathname.replace(/(\/view\/[^/]+).*/, '$1')
    const open = (path: string) => page.goto(`${served.server.origin}${pages}${path}`)
    await open(`/comments/new?block=${block}`)
    await page.getByLabel('What you say').fill('Friday, please.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()

    await handler.until(() => handler.events.length === 1)
    const data = handler.events[0]?.data as { blockId: string; documentId: string }
    expect(data).toMatchObject({ blockId: block, documentId: plan, title: 'Plan' })
    const program = await agent.client()
    const thread = await callTool(program, 'blocks_get', { id: data.blockId, fetchMetadata: true })
    expect(thread.text).toContain('Friday, please.')
    await callTool(program, 'blocks_update', { blocks: [{ id: data.blockId, markdown: 'Ship on Friday.' }] })
    const text = async () => (await served.writer.call('blocks_get', { id: block, format: 'json' })).markdown
    expect(await text()).toContain('Ship on Monday.')

    await open('/waiting')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect.poll(text).toContain('Ship on Friday.')
    expect(handler.events).toHaveLength(1)
  },
  PATIENCE,
)

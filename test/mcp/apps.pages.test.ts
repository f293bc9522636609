/** The view of waiting proposals in a browser, in a frame as hosts of MCP Apps use it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { chromium, type Frame, type Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { serveBuilt } from '../http/serving.ts'

const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }

/**
 * A host: it answers the view, calls tools for it as far as they are meant for views, and notes the links that it is
 * to open.
 */
const HOST = `
  globalThis.opened = []
  globalThis.play = (html, result, callsTools) => {
    const frame = document.createElement('iframe')
    Object.assign(frame, { srcdoc: html, title: 'View' })
    frame.setAttribute('sandbox', 'allow-scripts')
    const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
    addEventListener('message', async ({ data: { id, method, params } }) => {
      if (method === 'ui/initialize') send({ id, result: {
        protocolVersion: params.protocolVersion, hostInfo: { name: 'host', version: '1' }, hostContext: {},
        hostCapabilities: callsTools ? { serverTools: {} } : {},
      } })
      if (method === 'ui/notifications/initialized') {
        send({ method: 'ui/notifications/tool-input', params: { arguments: {} } })
        send({ method: 'ui/notifications/tool-result', params: result })
      }
      if (method === 'ui/open-link') opened.push(params.url)
      if (method === 'tools/call') send({ id, result: await callTool(params) })
    })
    document.body.append(frame)
  }`

async function openView({ callsTools = true } = {}) {
  const serving = await serveBuilt()
  const person = await serving.link({ name: 'Anna' })
  const agent = await serving.link({ name: 'Robot', access: 'propose' })
  const { json } = await person.ask('POST /documents?ids=short', { documents: [{ title: 'Plan', markdown: 'one' }] })
  const position = { position: 'end', pageId: json.items[0].id }
  const markdown = '<img src=x onerror="globalThis.ran = 1"> two\n\nthree'
  const proposed = await agent.ask('POST /blocks?ids=short', { markdown, position })
  const options = { capabilities: UI, versionNegotiation: { mode: { pin: '2026-07-28' } } }
  const client = new Client({ name: 'host', version: '1.0.0' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL(person.mcp)))
  onTestFinished(() => client.close())
  const { contents } = await client.readResource({ uri: 'ui://scriptorium/view' })
  const result = await client.callTool({ name: 'proposals_list', arguments: {} })
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const called: string[] = []
  await page.exposeFunction('callTool', (params: { name: string; arguments: Record<string, unknown> }) => {
    called.push(params.name)
    return client.callTool(params)
  })
  await page.evaluate(HOST)
  const given = { html: (contents as { text: string }[])[0]?.text ?? '', result, callsTools }
  await page.evaluate((one) => {
    const host = globalThis as unknown as { play(html: string, result: unknown, callsTools: boolean): void }
    host.play(one.html, one.result, one.callsTools)
  }, given)
  const view = frameOf(page)
  await view.locator('.card').first().waitFor()
  return { ...serving, person, agent, page, view, called, proposalId: proposed.json.proposal.proposalId as string }
}

function frameOf(page: Page): Frame {
  const frame = page.frames().find((one) => one !== page.mainFrame())
  if (frame === undefined) throw new Error('Expected the frame of the view.')
  return frame
}

test('a person rejects a part and then the rest in the conversation, and approves on the page', async () => {
  const { server, person, page, view, called, proposalId } = await openView()
  expect(await view.evaluate('globalThis.ran')).toBeUndefined()
  await view.getByText('Its 2 parts').click()
  await view.getByRole('link', { name: 'Accept on its page' }).first().click()
  await view.getByRole('link', { name: 'Approve on its page' }).click()
  await page.waitForFunction('opened.length === 2')
  const [part, whole] = (await page.evaluate('opened')) as string[]
  expect(whole).toMatch(new RegExp(`^${server.origin}/view/[0-9a-f]{10}/waiting/${proposalId}$`))
  expect(part?.startsWith(`${whole}#part-`)).toBe(true)
  expect(called).toEqual([])

  const second = view.locator('.card .card').nth(1)
  await second.getByText('Reject', { exact: true }).first().click()
  await second.getByRole('button', { name: 'Reject' }).click()
  await view.getByText('Its 2 parts').waitFor({ state: 'detached' })
  await view.getByText('Reject', { exact: true }).first().click()
  await view.getByLabel('A word to the agent').fill('Not before Monday')
  await view.getByRole('button', { name: 'Reject' }).click()
  await view.getByText('Nothing waits.').waitFor()
  expect(called).toEqual(['proposals_reject', 'proposals_list', 'proposals_reject', 'proposals_list'])
  const { json } = await person.ask('GET /proposals?state=rejected&ids=short')
  expect(json.items).toMatchObject([{ proposalId, decidedBy: 'Anna', note: 'Not before Monday' }])
})

test('what cannot be rejected any more says why', async () => {
  const { person, view, proposalId } = await openView()
  await person.ask(`POST /proposals/${proposalId}/reject`, {})
  const acts = view.locator(`#proposal-${proposalId} > .acts`)
  await acts.getByText('Reject', { exact: true }).first().click()
  await acts.getByRole('button', { name: 'Reject' }).click()
  await view
    .getByRole('alert')
    .filter({ hasText: `found that ${proposalId} was rejected by Anna` })
    .waitFor()
})

test('a host that calls no tools for views has no button for it', async () => {
  const { view } = await openView({ callsTools: false })
  expect(await view.getByRole('link', { name: 'Approve on its page' }).count()).toBe(1)
  expect(await view.getByText('Reject', { exact: true }).count()).toBe(0)
})

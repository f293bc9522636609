/** Views of results in a conversation, in an iframe as hosts of MCP Apps use it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, Frame, Page } from 'playwright-core'
import { program } from '../../page/sample-space.ts'
import type { ProofContext, ProofResult } from '../proof.ts'
import { examine, saveScreenshot, THEMES, type Theme } from './browser.ts'
import type { PageServer } from './page-server.ts'

const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }

/** The strictest policy that a host may set for a view that requests nothing. Source: the extension, "Security". */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

export type ViewedCalls = Record<string, { name: string; args?: Record<string, unknown> }>

const callsOf = ({ sample }: PageServer, calendarId: string): ViewedCalls => ({
  history: { name: 'history_list', args: { documentId: sample.plan } },
  waiting: { name: 'proposals_list' },
  board: { name: 'items_list', args: { collectionId: sample.suppliers } },
  calendar: { name: 'items_list', args: { collectionId: sample.suppliers, viewId: calendarId } },
  whiteboard: { name: 'elements_list', args: { whiteboardBlockId: sample.board } },
})

/** Adds a view. @returns the ID of a view that is shown as a calendar */
async function addCalendar({ space, sample }: PageServer): Promise<string> {
  const view = { name: 'Answers', type: 'kanban', groupBy: [{ property: 'answered' }] }
  return (await program(space, 'editor')('views_add', { collectionId: sample.suppliers, view })).id
}

/** @param input  the calls whose results are shown; if absent, those that people would look at */
export async function appViews(
  browser: Browser,
  office: PageServer,
  { log }: Pick<ProofContext, 'log'>,
  input?: ViewedCalls,
): Promise<ProofResult> {
  const faults: string[] = []
  let views = 0
  const calls = input ?? callsOf(office, await addCalendar(office))
  const mcp = (await office.linkTo()).replace(/view$/, 'mcp')
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities: UI, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp)))
  const { contents } = await client.readResource({ uri: 'ui://scriptorium/view' })
  const [frame] = contents as { text: string }[]
  const page = await browser.newPage({ viewport: { width: 720, height: 700 } })
  page.on('request', (request) => {
    if (!/^(?:data|about|blob):/.test(request.url())) faults.push(`A view asked ${request.url()}.`)
  })
  for (const [name, { name: tool, args = {} }] of Object.entries(calls)) {
    const result = await client.callTool({ name: tool, arguments: args })
    for (const theme of THEMES) {
      const view = await show(page, { html: withPolicy(frame?.text ?? ''), result, theme })
      views += 1
      await saveScreenshot(page, 'apps', `${name}-${theme}`)
      faults.push(...(await inspect(page, view, { name, theme })))
    }
  }
  await page.close()
  await client.close()
  log('views of answers were shown')
  return { figures: { 'views of answers': views }, faults }
}

const withPolicy = (html: string): string =>
  html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`)

/** Acts as the host: creates a frame without permissions, does the handshake, and sends the result. */
async function show(page: Page, given: { html: string; result: unknown; theme: Theme }): Promise<Frame> {
  await page.goto('about:blank')
  await page.evaluate(HOST)
  await page.evaluate(({ html, result, theme }) => {
    ;(globalThis as unknown as { play(html: string, result: unknown, theme: string): void }).play(html, result, theme)
  }, given)
  const frame = page.frames().find((one) => one !== page.mainFrame())
  if (frame === undefined) throw new Error('Expected the frame of the view.')
  await frame.locator('#main > *').first().waitFor()
  return frame
}

const HOST = `
  globalThis.heard = []
  globalThis.play = (html, result, theme) => {
    const frame = document.createElement('iframe')
    Object.assign(frame, { srcdoc: html, title: 'View' })
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.style.cssText = 'border: 0; width: 100%; height: 100px; color-scheme: ' + theme
    document.body.style.margin = '0'
    const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
    addEventListener('message', ({ data: { id, method, params } }) => {
      heard.push({ method, params })
      if (method === 'ui/initialize') send({ id, result: {
        protocolVersion: params.protocolVersion, hostInfo: { name: 'host', version: '1' }, hostCapabilities: {}, hostContext: { theme },
      } })
      if (method === 'ui/notifications/initialized') send({ method: 'ui/notifications/tool-result', params: result })
      if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px'
      if (method === 'ui/open-link') send({ id, result: {} })
    })
    document.body.append(frame)
  }`

interface HostMessage {
  method: string
  params: { url?: string; height?: number }
}

async function inspect(page: Page, view: Frame, { name, theme }: { name: string; theme: Theme }): Promise<string[]> {
  const faults: string[] = []
  await view.locator('h1 a').click()
  await page.waitForFunction('heard.some(({ method }) => method === "ui/open-link")')
  const received = (await page.evaluate('heard')) as HostMessage[]
  const opened = received.find(({ method }) => method === 'ui/open-link')?.params.url ?? ''
  if (!/^http:\/\/127\.0\.0\.1:\d+\/view\//.test(opened)) faults.push(`Expected a page to open, found “${opened}”.`)
  const height = received.findLast(({ method }) => method === 'ui/notifications/size-changed')?.params.height ?? 0
  if (height < 60) faults.push(`Expected the height of the view, found ${height}.`)
  if ((await view.evaluate('globalThis.ran')) !== undefined) faults.push('Something ran.')
  if ((await view.locator('form, button').count()) > 0) faults.push('Expected nothing to decide with, found a form.')
  faults.push(...(await examine(view, theme)).faults)
  return faults.map((fault) => `view of ${name}, ${theme}: ${fault}`)
}

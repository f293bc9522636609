/**
 * A view in the frame of a host (MCP Apps). It shows the HTML in a tool's result, and asks the host to open links.
 * Source: modelcontextprotocol/ext-apps, specification/2026-01-26/apps.mdx
 */
const PROTOCOL_VERSION = '2026-01-26'
const INITIALIZE = 1

/** @param {object} message */
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

/** @param {{ theme?: string }} context */
function adapt({ theme }) {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme
}

/** @param {{ content?: { type: string, text?: string }[], _meta?: Record<string, unknown> }} result */
function show({ content = [], _meta = {} }) {
  const main = document.getElementById('main')
  if (main === null) return
  const view = _meta['scriptorium/view']
  if (typeof view === 'string') main.innerHTML = view
  else {
    // Without HTML, as for a refused call, show the text for agents.
    const text = document.createElement('pre')
    text.textContent = content.map((part) => part.text ?? '').join('\n')
    main.replaceChildren(text)
  }
  for (const link of main.querySelectorAll('a')) if (!/^https?:|^mailto:/.test(link.href)) link.removeAttribute('href')
}

let requests = INITIALIZE
addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  const { id, method, params = {}, result } = data
  if (method === undefined) {
    if (id !== INITIALIZE || result === undefined) return
    adapt(result.hostContext ?? {})
    send({ method: 'ui/notifications/initialized', params: {} })
  } else if (method === 'ui/notifications/tool-result') show(params)
  else if (method === 'ui/notifications/host-context-changed') adapt(params)
  else if (id !== undefined) send({ id, result: {} })
})

addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null) return
  event.preventDefault()
  if (link.href !== '') send({ id: ++requests, method: 'ui/open-link', params: { url: link.href } })
})

new ResizeObserver(() => {
  const { width, height } = document.body.getBoundingClientRect()
  const params = { width: Math.ceil(width), height: Math.ceil(height) }
  send({ method: 'ui/notifications/size-changed', params })
}).observe(document.body)

send({
  id: INITIALIZE,
  method: 'ui/initialize',
  params: {
    appInfo: { name: 'scriptorium', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    protocolVersion: PROTOCOL_VERSION,
  },
})

/**
 * A view in the frame of a host (MCP Apps). It shows the HTML in a tool's result, and asks the host to open links and to
 * call the tools of views.
 * Source: modelcontextprotocol/ext-apps, specification/2026-01-26/apps.mdx
 */
const PROTOCOL_VERSION = '2026-01-26'
const INITIALIZE = 1

/** @param {object} message */
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

/** What the host was asked, by the number of the request. @type {Map<number, (answer: Answer) => void>} */
const asked = new Map()
let requests = INITIALIZE
/** The arguments of the call whose result is shown. */
let input = {}
/** Whether the host calls tools for views. */
let callsTools = false

/**
 * @typedef {{ content?: { type: string, text?: string }[], isError?: boolean, _meta?: Record<string, unknown> }} Result
 * @typedef {{ result?: Result, error?: { message?: string } }} Answer
 */

/**
 * Asks the host to call a tool. Its result may be an error.
 *
 * @param {string} name
 * @param {object} args
 * @returns {Promise<Answer>}
 */
const callTool = (name, args) =>
  new Promise((resolve) => {
    const id = ++requests
    asked.set(id, resolve)
    send({ id, method: 'tools/call', params: { name, arguments: args } })
  })

/** @param {Result} result */
const textOf = ({ content = [] }) => content.map((part) => part.text ?? '').join('\n')

/** @param {{ theme?: string }} context */
function adapt({ theme }) {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme
}

/** @param {Result} result */
function show({ content = [], _meta = {} }) {
  const main = document.getElementById('main')
  if (main === null) return
  const view = _meta['scriptorium/view']
  if (typeof view === 'string') main.innerHTML = view
  else {
    // Without HTML, as for a refused call, show the text for agents.
    const text = document.createElement('pre')
    text.textContent = textOf({ content })
    main.replaceChildren(text)
  }
  for (const link of main.querySelectorAll('a')) if (!/^https?:|^mailto:/.test(link.href)) link.removeAttribute('href')
  if (!callsTools) for (const one of main.querySelectorAll('.reject')) one.remove()
}

/** Rejects a proposal or a part of it, and shows what waits then. @param {HTMLElement} button */
async function reject(button) {
  const { reject: proposalId, part } = button.dataset
  const note = button.parentElement?.querySelector('input')?.value.trim()
  button.toggleAttribute('disabled', true)
  const rejection = { proposalId, ...(part && { parts: [part] }), ...(note && { note }) }
  const rejected = await callTool('proposals_reject', rejection)
  const answer = isRefused(rejected) ? rejected : await callTool('proposals_list', input)
  if (answer.result !== undefined && !isRefused(answer)) show(answer.result)
  else report(button, answer.error?.message ?? textOf(answer.result ?? {}))
}

/**
 * Says beside a button why nothing was done.
 *
 * @param {HTMLElement} button
 * @param {string} sentence
 */
function report(button, sentence) {
  button.toggleAttribute('disabled', false)
  const fault = document.createElement('p')
  fault.role = 'alert'
  fault.textContent = sentence
  button.parentElement?.querySelector('[role=alert]')?.remove()
  button.parentElement?.append(fault)
}

/** @param {Answer} answer */
const isRefused = ({ result, error }) => error !== undefined || result === undefined || result.isError === true

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  const { id, method, params = {}, result, error } = data
  if (method === undefined) {
    asked.get(id)?.({ result, error })
    asked.delete(id)
    if (id !== INITIALIZE || result === undefined) return
    callsTools = result.hostCapabilities?.serverTools !== undefined
    adapt(result.hostContext ?? {})
    send({ method: 'ui/notifications/initialized', params: {} })
  } else if (method === 'ui/notifications/tool-input') input = params.arguments ?? {}
  else if (method === 'ui/notifications/tool-result') show(params)
  else if (method === 'ui/notifications/host-context-changed') adapt(params)
  else if (id !== undefined) send({ id, result: {} })
})

addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null
  const button = target?.closest('[data-reject]')
  if (button instanceof HTMLElement) reject(button).catch(({ message }) => report(button, message))
  const link = target?.closest('a') ?? null
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

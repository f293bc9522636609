/** The addresses of a link, which are shown only once. */
import { remoteForms } from '../hosts/remote-hosts.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import { text } from './texts/text.ts'

/** @param isCalendar  true for a link that opens a calendar, and nothing else */
export function linkAddresses({ request }: PageCall, secret: string, isCalendar = false): Html {
  const base = `${request.origin}/links/${secret}`
  const address = (label: string, url: string) =>
    html`<div><dt>${label}</dt><dd><input type="text" dir="auto" readonly value="${url}" aria-label="${label}"></dd></div>`
  if (isCalendar)
    return html`<dl class="addresses">${address(text('For programs with calendars'), `${base}/calendar.ics`)}</dl>`
  return html`<dl class="addresses">${address(text('For agents (MCP)'), `${base}/mcp`)}${address(text('For people'), `${base}/view`)}${address(text('For programs (REST)'), `${base}/api/v1`)}</dl>`
}

/** What to paste into each host, for a link that was just made. */
export const hostForms = ({ request }: PageCall, secret: string): Html =>
  html`<h2>Connect an agent</h2>
<p class="about">Open the program that you use. Each holds the secret of the link.</p>
${remoteForms(`${request.origin}/links/${secret}/mcp`).map(
  ({ title, where, text }) =>
    html`<details class="over host"><summary>${title}</summary><p class="about">${where}</p><pre tabindex="0" aria-label="${title}">${text}</pre></details>
`,
)}`

/** What to know of addresses that are shown once. */
export const addressesAbout = ({ request }: PageCall): Html =>
  html`<p class="about">These addresses answer while <code>scriptorium open</code> runs. For others, run <code>scriptorium serve</code> and put its address in place of ${request.origin}.</p>`

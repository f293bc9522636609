/** The addresses of a link, which are shown only once, and other values to paste elsewhere. */
import { remoteForms } from '../hosts/remote-hosts.ts'
import { choicesStyle } from './frame/choices.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import { scriptPath } from './scripts.ts'
import { text } from './texts/text.ts'

export type ShownValue = readonly [label: string, value: string]

/** Values in fields, each with a button that copies it. */
export async function valuesToCopy(call: PageCall, values: readonly ShownValue[]): Promise<Html> {
  const script = await scriptPath(call.request.root, 'copy')
  return html`${choicesStyle(call)}<dl class="addresses">${values.map(
    ([label, value]) =>
      html`<div><dt>${label}</dt><dd><input type="text" dir="auto" readonly value="${value}" aria-label="${label}">${copyButton(script, label)}</dd></div>`,
  )}</dl>`
}

/** Copies what stands before it: see copy.ts. */
const copyButton = (script: string, label: string): Html =>
  html`<button class="js" type="button" data-script="${script}" data-copy aria-label="${text('Copy: {label}', { label })}">Copy</button><span class="hidden" role="status"></span>`

/** @param isCalendar  true for a link that opens a calendar, and nothing else */
export function linkAddresses(call: PageCall, secret: string, isCalendar = false): Promise<Html> {
  const base = `${call.request.origin}/links/${secret}`
  return valuesToCopy(
    call,
    isCalendar
      ? [[text('For programs with calendars'), `${base}/calendar.ics`]]
      : [
          [text('For agents (MCP)'), `${base}/mcp`],
          [text('For people'), `${base}/view`],
          [text('For programs (REST)'), `${base}/api/v1`],
        ],
  )
}

/** What to paste into each host, for a link that was just made. */
export async function hostForms({ request }: PageCall, secret: string): Promise<Html> {
  const script = await scriptPath(request.root, 'copy')
  return html`<h2>Connect an agent</h2>
<p class="about">Open the program that you use. Each holds the secret of the link.</p>
${remoteForms(`${request.origin}/links/${secret}/mcp`).map(
  ({ title, where, text }) =>
    html`<details class="over host"><summary>${title}</summary><p class="about">${where}</p><div class="copied"><pre tabindex="0" aria-label="${title}">${text}</pre>${copyButton(script, title)}</div></details>
`,
)}`
}

/** What to know of addresses that are shown once. */
export const addressesAbout = ({ request }: PageCall): Html =>
  html`<p class="about">These addresses answer while <code>scriptorium open</code> runs. For others, run <code>scriptorium serve</code> and put its address in place of ${request.origin}.</p>`

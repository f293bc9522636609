/** What can be read without a connection. The script of the page lists it: offline.ts. */

import { html } from '../html.ts'
import type { Page } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

export const offlinePage: Page = {
  route: 'GET /offline',
  handle: async () => ({
    title: text('Saved in this browser'),
    main: html`<div class="page"><h1>Saved in this browser</h1>
<p class="about">These pages can be read without a connection, and documents can be written in. What you change is sent once there is one.</p>
<ul class="documents" id="kept"></ul></div>`,
  }),
}

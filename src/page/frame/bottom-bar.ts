/** The bar at the lower edge of phones: where one goes most often, with one thumb. */

import { formLink } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import type { PageCall } from '../page-call.ts'
import { text } from '../texts/text.ts'

/** @param current  the path of the page's entry in the navigation */
export function bottomBarHtml(call: PageCall, current: string | undefined): Html {
  const place = (path: string, icon: IconName, name: string, finds = false): Html =>
    html`<a href="${call.href(path)}"${path === current && html` aria-current="page"`}${finds && html` data-find`}>${call.icon(icon)}${name}</a>`
  const canMake = call.has('documents_add') && call.may('add')
  return html`<nav class="places" aria-label="Places">${call.kind !== 'daily' && place('/', 'house', text('Home'))}${place('/search', 'search', text('Search'), true)}${
    canMake && formLink(call, '/documents/new', html`${call.icon('plus')}${text('New')}`, { variant: '' })
  }${call.kind !== 'selected' && place('/days/today', 'calendar-days', text('Today'))}</nav>`
}

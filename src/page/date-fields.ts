/**
 * Fields for days and times. Browsers offer a calendar for them. A script makes a field take words as soon as a letter is
 * typed, such as `tomorrow`, `next friday` or `in 3 Tagen`, which the server reads. What was typed so is shown as it was.
 */
import { type Html, html } from './html.ts'

/** @param value  `YYYY-MM-DD`, words, or empty */
export const dayInput = (name: string, value: string, more: Html | false = false): Html =>
  html`<input type="${value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text'}" name="${name}" value="${value}"${more}>`

/** @param value  `YYYY-MM-DDTHH:MM`, words, or empty */
export const momentInput = (name: string, value: string, more: Html | false = false): Html =>
  html`<input type="${value === '' || /^\d{4}-\d{2}-\d{2}T[\d:]+$/.test(value) ? 'datetime-local' : 'text'}" name="${name}" value="${value}"${more}>`

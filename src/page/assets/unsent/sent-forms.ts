/** Sends forms through the queue, one after another, so that what was filled in is not lost without a connection. */
import { CallError, type Calls, type Outcome } from '../calls.ts'
import type { FormAnswer } from './call-transport.ts'
import type { SentForm } from './queued-call.ts'

/** What a page learns of a form that it has sent. */
export type FormOutcome = FormAnswer | { page: string; isRefused: true } | { waits: true }

/** Stands for the document of forms. */
export const FORMS = 'forms'

/** Forms that somebody waits for. */
const awaited = new Set<number>()

/**
 * Sends a form after all earlier ones.
 *
 * @returns the answer, or that the form waits since the server cannot be reached. If it is refused then, it is among the
 *   refused calls.
 * @throws CallError for a refusal without a page
 */
export async function sendForm(calls: Calls, filledIn: Omit<SentForm, 'at'>): Promise<FormOutcome> {
  const form = { ...filledIn, at: Date.now() }
  const order = await calls.keep({ document: FORMS, tool: '', arguments: {}, form, isKept: true })
  awaited.add(order)
  const { promise, resolve } = Promise.withResolvers<Outcome | undefined>()
  const hear = (event: Event) => {
    const { detail } = event as CustomEvent<Outcome>
    if (detail.order === order) resolve(detail)
  }
  const look = () => calls.connection !== 'online' && resolve(undefined)
  calls.addEventListener('outcome', hear)
  calls.addEventListener('state', look)
  calls.retry()
  look()
  const outcome = await promise
  awaited.delete(order)
  calls.removeEventListener('outcome', hear)
  calls.removeEventListener('state', look)
  if (outcome === undefined) return { waits: true }
  if ('answer' in outcome) return outcome.answer as FormAnswer
  await calls.forgetRefused(order)
  const { error, status, page } = outcome
  if (page === undefined) throw new CallError(error.message, error.code, status)
  return { page, isRefused: true }
}

/** Takes the forms that panel.js offers. A page without a database of calls sends them itself. */
export function takeForms(calls: Calls): void {
  document.addEventListener('formsend', (event) => {
    const { detail } = event as CustomEvent<{ form: Omit<SentForm, 'at'>; outcome?: Promise<FormOutcome> }>
    detail.outcome = sendForm(calls, detail.form)
  })
}

/** Calls a function when a form was refused that no one waits for any more. */
export function onUnseenRefusal(calls: Calls, act: () => void): void {
  calls.addEventListener('outcome', (event) => {
    const { detail } = event as CustomEvent<Outcome>
    if (detail.document === FORMS && 'error' in detail && !awaited.has(detail.order)) act()
  })
}

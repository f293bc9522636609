/** Reads form fields. Most come from unknown clients, so sizes are checked before anything else. */
import { invalid } from '../../base/errors.ts'
import { FORM_BYTES, FORM_FIELDS } from '../../base/limits.ts'
import { readBodyBytes } from './request-body.ts'

/**
 * @returns the fields, or the response for a form that is too large
 * @throws VALIDATION_ERROR for too many fields
 */
export async function readForm(request: Request): Promise<URLSearchParams | Response> {
  const body = await readBodyBytes(request, FORM_BYTES)
  return 'refused' in body ? body.refused : parseForm(Buffer.from(body.bytes).toString())
}

/** @throws VALIDATION_ERROR for more than {@link FORM_FIELDS} fields */
export function parseForm(text: string): URLSearchParams {
  assertFieldCount(text, FORM_FIELDS, 'a form')
  return new URLSearchParams(text)
}

/** Counts fields before they are parsed, since parsing takes time that grows with the square of their number. */
export function assertFieldCount(text: string, maxFields: number, where: string): void {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    fields += 1
    if (fields > maxFields) throw invalid(`Expected ${where} with at most ${maxFields} fields, found more; send fewer.`)
  }
}

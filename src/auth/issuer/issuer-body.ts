/** Bodies sent to the issuer, most of them by unknown clients: bounded before anything is done with them. */
import { invalid } from '../../base/errors.ts'
import { CLIENT_METADATA_BYTES, FORM_BYTES, FORM_FIELDS, QUERY_FIELDS } from '../../base/limits.ts'
import { readBodyBytes } from '../../call/request-body.ts'
import { normalizeClientMetadata } from './issuer-provider.ts'

/**
 * The fields of a form.
 *
 * @returns the refusal of one that is too large
 * @throws VALIDATION_ERROR for one with too many fields
 */
export async function readForm(request: Request): Promise<URLSearchParams | Response> {
  const body = await readBodyBytes(request, FORM_BYTES)
  return 'refused' in body ? body.refused : parseForm(Buffer.from(body.bytes).toString())
}

/** @throws VALIDATION_ERROR for more than {@link FORM_FIELDS} */
export function parseForm(text: string): URLSearchParams {
  assertFieldCount(text, FORM_FIELDS, 'a form')
  return new URLSearchParams(text)
}

/**
 * The provider looks for the values of each parameter among all of them.
 *
 * @param search  of an address, with its question mark
 * @throws VALIDATION_ERROR for more parameters than {@link QUERY_FIELDS}
 */
export const assertQueryFields = (search: string): void => assertFieldCount(search, QUERY_FIELDS, 'an address')

/** Fields are counted before they are read: that takes time that grows with the square of their number. */
function assertFieldCount(text: string, maxFields: number, where: string): void {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    fields += 1
    if (fields > maxFields) throw invalid(`Expected ${where} with at most ${maxFields} fields, found more; send fewer.`)
  }
}

/**
 * What is sent to an endpoint of the issuer, as its provider is to read it.
 *
 * @param path  of the endpoint within the issuer
 * @returns the refusal of one that is too large
 */
export async function readIssuerBody(request: Request, path: string): Promise<Uint8Array | Response> {
  const isRegistration = path === '/reg'
  const body = await readBodyBytes(request, isRegistration ? CLIENT_METADATA_BYTES : FORM_BYTES)
  if ('refused' in body) return body.refused
  return isRegistration ? Buffer.from(normalizeClientMetadata(Buffer.from(body.bytes).toString())) : body.bytes
}

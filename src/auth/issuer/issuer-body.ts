/** Bodies and addresses sent to the issuer, most of them by unknown clients: bounded before anything is done with them. */
import { CLIENT_METADATA_BYTES, FORM_BYTES, QUERY_FIELDS } from '../../base/limits.ts'
import { readBodyBytes } from '../../call/input/request-body.ts'
import { assertFieldCount } from '../../call/input/request-form.ts'
import { normalizeClientMetadata } from './issuer-provider.ts'

/**
 * The provider looks for the values of each parameter among all of them.
 *
 * @param search  of an address, with its question mark
 * @throws VALIDATION_ERROR for more parameters than {@link QUERY_FIELDS}
 */
export const assertQueryFields = (search: string): void => assertFieldCount(search, QUERY_FIELDS, 'an address')

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

/** Bodies and addresses sent to the issuer. Most come from unknown clients, so sizes are checked first. */
import { CLIENT_METADATA_BYTES, FORM_BYTES, QUERY_FIELDS } from '../../base/limits.ts'
import { readBodyBytes } from '../../call/input/request-body.ts'
import { assertFieldCount } from '../../call/input/request-form.ts'
import { normalizeClientMetadata } from './issuer-provider.ts'

/**
 * Limits parameters, since the provider searches all of them for each of its own.
 *
 * @param search  of an address, with its question mark
 * @throws VALIDATION_ERROR for more parameters than {@link QUERY_FIELDS}
 */
export const assertQueryFields = (search: string): void => assertFieldCount(search, QUERY_FIELDS, 'an address')

/**
 * Reads the body of a request to the issuer, in the form in which the provider must receive it.
 *
 * @param path  of the endpoint within the issuer
 * @returns the response for a body that is too large
 */
export async function readIssuerBody(request: Request, path: string): Promise<Uint8Array | Response> {
  const isRegistration = path === '/reg'
  const body = await readBodyBytes(request, isRegistration ? CLIENT_METADATA_BYTES : FORM_BYTES)
  if ('refused' in body) return body.refused
  return isRegistration ? Buffer.from(normalizeClientMetadata(Buffer.from(body.bytes).toString())) : body.bytes
}

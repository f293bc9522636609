/** Media types of files, as clients name them. */
import { ScriptoriumError } from '../../base/errors.ts'

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/
/** Types that HTTP clients send by default, without knowing the type of the file. */
const FORM_MEDIA_TYPES: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** @throws UNSUPPORTED_MEDIA_TYPE for a text that is no media type, and for the types of forms */
export function validateMediaType(type: string): string {
  if (MEDIA_TYPE.test(type.toLowerCase()) && !FORM_MEDIA_TYPES.has(type.toLowerCase())) return type
  throw new ScriptoriumError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Expected the type of the file such as image/png, found ${type.slice(0, 60)}; application/octet-stream will do.`,
  )
}

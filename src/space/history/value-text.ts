/**
 * Formats field names and values, so that each reads the same wherever it is shown, and none can look like
 * another.
 *
 *     deadline date: 2026-12-01, repeat: {type: fixed, weekly: {days: [monday, friday]}}
 */
import { createHash } from 'node:crypto'

/** Letters, digits and a few signs, which need no quotes. */
const PLAIN = /^[\p{L}\p{N}#][\p{L}\p{N}_.+/#%:-]*(?<!:)$/u
/** Characters of data in an address, such as a picture of a whiteboard, beyond which its hash is shown. */
const DATA_LENGTH = 200
const DATA_ADDRESS = /^data:([\w.+/-]*)(?:;[\w=-]+)*?(;base64)?,/

/** Turns `deadlineDate` into `deadline date`, and `pageId` into `page`. */
const labelOf = (field: string): string =>
  field
    .replace(/(?<=[a-z])Ids?$/, '')
    .replace(/(?<=[a-z\d])[A-Z]|_/g, (letter) => (letter === '_' ? ' ' : ` ${letter}`))
    .replace(/ ([A-Z])(?=[a-z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`)

/** The name of something, which stands without further quotes. */
export class Name {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** One value on one line. Texts are quoted unless they are a plain word. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return describeText(value)
  if (value === null || value === undefined) return 'none'
  if (value instanceof Name) return value.text
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  return `{${Object.entries(value)
    .map(([field, one]) => fieldText(field, one))
    .join(', ')}}`
}

/** A field with its value. */
export const fieldText = (field: string, value: unknown): string => `${fieldLabel(field)}: ${valueText(value)}`

/** The name of a field as people read it. One that a caller chose, such as the key of a property, stays as it is. */
export const fieldLabel = (field: string): string =>
  /^[A-Za-z][A-Za-z\d_]*$/.test(field) ? labelOf(field) : describeText(field)

function describeText(text: string): string {
  const data = text.length > DATA_LENGTH ? DATA_ADDRESS.exec(text) : null
  if (data !== null) return describeData(text, data)
  return PLAIN.test(text) ? text : JSON.stringify(text)
}

/** The bytes of a picture are not for reading. Their hash changes with any of them. */
function describeData(address: string, [head, mediaType = '', isBase64]: RegExpExecArray): string {
  const bytes = Buffer.from(address.slice(head.length), isBase64 === undefined ? 'utf8' : 'base64')
  const hash = createHash('sha256').update(address).digest('hex')
  return `(${mediaType || 'data'}, ${bytes.length} bytes, SHA-256 of its address ${hash})`
}

/** Addresses of databases and of spaces in them: `postgres://user:password@host:port,host:port/database?…#space`. */
import { ScriptoriumError } from '../../src/base/errors.ts'
import { nearestName } from '../../src/base/nearest-name.ts'

export interface DatabaseAddress {
  /** A connection string for each host, to be tried in this order. */
  hosts: readonly string[]
  /** The name of a space; undefined if the address has none. */
  space?: string
  /** The address without password and parameters, for messages. */
  shown: string
}

const ADDRESS =
  /^(?<scheme>postgres(?:ql)?):\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^/?#]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?(?:#(?<space>.*))?$/s

export const isDatabaseAddress = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text)

/** @throws VALIDATION_ERROR for text that is not such an address; no message contains the password */
export function parseAddress(text: string): DatabaseAddress {
  const parts = ADDRESS.exec(text)?.groups
  if (parts === undefined) throw invalidAddress('another form')
  const { scheme = '', user, password, hosts = '', path = '', query = '', space } = parts
  const parameters = new URLSearchParams(query)
  for (const [name, value] of parameters) checkParameter(name, value)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary' && wanted !== 'any') {
    throw invalidAddress(`target_session_attrs=${wanted}; Scriptorium writes, so that it needs read-write`)
  }
  parameters.delete('target_session_attrs')
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  const login = user === undefined ? '' : password === undefined ? `${user}@` : `${user}:${password}@`
  const name = space === undefined ? undefined : decodeName(space)
  return {
    hosts: hosts.split(',').map((host) => `${scheme}://${login}${host}${path}${rest}`),
    shown: `${scheme}://${user === undefined ? '' : `${user}@`}${hosts}${path}${space ? `#${space}` : ''}`,
    ...(name !== undefined && name !== '' && { space: name }),
  }
}

/**
 * What the driver reads of an address, each with its values if these are a closed set. It ignores all other names, so
 * that a mistyped `sslmode` would send passwords without encryption.
 */
const PARAMETERS: ReadonlyMap<string, readonly string[] | 'any'> = new Map(
  Object.entries({
    ssl: ['true', '1', '0'],
    sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
    sslnegotiation: ['postgres', 'direct'],
    sslrootcert: 'any',
    sslcert: 'any',
    sslkey: 'any',
    uselibpqcompat: ['true', 'false'],
    host: 'any',
    port: 'any',
    user: 'any',
    password: 'any',
    application_name: 'any',
    fallback_application_name: 'any',
    options: 'any',
    target_session_attrs: 'any',
  }),
)

/** @throws VALIDATION_ERROR, without the value of an unknown parameter, which may be a secret */
function checkParameter(name: string, value: string): void {
  const values = PARAMETERS.get(name)
  if (values === undefined) throw invalidAddress(unknownWord(`the parameter ${name}`, name, [...PARAMETERS.keys()]))
  if (values !== 'any' && !values.includes(value)) {
    throw invalidAddress(unknownWord(`${name}=${value}`, value, values))
  }
}

function unknownWord(found: string, word: string, known: readonly string[]): string {
  const near = nearestName(word, known)
  return near === undefined ? `${found}; known are ${known.join(', ')}` : `${found}; did you mean ${near}?`
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidAddress('a name of a space with a % that stands for nothing')
  }
}

const invalidAddress = (found: string): ScriptoriumError =>
  new ScriptoriumError(
    'VALIDATION_ERROR',
    `Expected the address of a database, such as postgres://user@host/database#space, found ${found}${found.endsWith('?') ? '' : '.'}`,
  )

/** The address of a space in a database. @param database  an address without a space */
export const spaceAddress = (database: string, name: string): string => `${database}#${encodeURIComponent(name)}`

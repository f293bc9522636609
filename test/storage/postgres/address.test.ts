/** Addresses of databases: what the driver would ignore is refused. */
import { expect, test } from 'vitest'
import { parseAddress } from '../../../storage/postgres/address.ts'

const FORM = 'Expected the address of a database, such as postgres://user@host/database#space, found '

test.each([
  ['sslmod=verify-full', 'the parameter sslmod; did you mean sslmode?'],
  ['sslMode=verify-full', 'the parameter sslMode; did you mean sslmode?'],
  ['sslmode=verify_full', 'sslmode=verify_full; did you mean verify-full?'],
  ['sslmode=on', 'sslmode=on; known are disable, prefer, require, verify-ca, verify-full, no-verify.'],
  [
    'channel_binding=require',
    'the parameter channel_binding; known are ssl, sslmode, sslnegotiation, sslrootcert, sslcert, sslkey, uselibpqcompat, host, port, user, password, application_name, fallback_application_name, options, target_session_attrs.',
  ],
  [
    '__proto__=1',
    'the parameter __proto__; known are ssl, sslmode, sslnegotiation, sslrootcert, sslcert, sslkey, uselibpqcompat, host, port, user, password, application_name, fallback_application_name, options, target_session_attrs.',
  ],
  [
    'target_session_attrs=read-only',
    'target_session_attrs=read-only; Scriptorium writes, so that it needs read-write.',
  ],
])('?%s is refused', (query, found) => {
  expect(() => parseAddress(`postgres://u:secret@host/db?${query}`)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', message: `${FORM}${found}` }),
  )
})

test('what the driver reads is passed on to each host', () => {
  const query = 'sslmode=verify-full&sslrootcert=%2Fca.pem&application_name=notes'
  expect(parseAddress(`postgres://u@a,b/db?${query}&target_session_attrs=read-write#space`)).toEqual({
    hosts: [`postgres://u@a/db?${query}`, `postgres://u@b/db?${query}`],
    shown: 'postgres://u@a,b/db#space',
    space: 'space',
  })
})

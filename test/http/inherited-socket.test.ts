import { describe, expect, test } from 'vitest'
import { assertSocketAddress, takeInheritedSocket } from '../../src/http/inherited-socket.ts'

describe('a socket from systemd', () => {
  test('is the first descriptor after the standard ones, and is not inherited by child processes', () => {
    const environment = { LISTEN_PID: '71', LISTEN_FDS: '1', LISTEN_FDNAMES: 'scriptorium.socket', HOME: '/root' }
    expect(takeInheritedSocket(environment, 71)).toBe(3)
    expect(environment).toEqual({ HOME: '/root' })
  })

  test('is not used by a process that it was not passed to', () => {
    const environment = { LISTEN_PID: '71', LISTEN_FDS: '1' }
    expect(takeInheritedSocket(environment, 72)).toBeUndefined()
    expect(environment).toEqual({ LISTEN_PID: '71', LISTEN_FDS: '1' })
    expect(takeInheritedSocket({}, 72)).toBeUndefined()
  })

  test('must be a single one', () => {
    expect(() => takeInheritedSocket({ LISTEN_PID: '71', LISTEN_FDS: '2' }, 71)).toThrow(
      'Expected one socket from systemd, found 2; name one address in the .socket unit.',
    )
  })

  test('must have the address of the flags', () => {
    const address = { address: '127.0.0.1', port: 4810, family: 'IPv4' }
    expect(() => assertSocketAddress(address, '127.0.0.1', 4810)).not.toThrow()
    expect(() => assertSocketAddress(address, '127.0.0.1', 4811)).toThrow(
      'Expected the socket from systemd at 127.0.0.1, port 4811, as --host and --port say, found 127.0.0.1, port 4810; let ListenStream of the .socket unit name the same address.',
    )
    expect(() => assertSocketAddress({ ...address, address: '0.0.0.0' }, '127.0.0.1', 4810)).toThrow(
      'found 0.0.0.0, port',
    )
    expect(() => assertSocketAddress('/run/scriptorium', '127.0.0.1', 4810)).toThrow('found /run/scriptorium;')
  })
})

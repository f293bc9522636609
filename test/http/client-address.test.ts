import { describe, expect, test } from 'vitest'
import { addressKey, clientAddress, createHopTrust, isLoopbackAddress } from '../../src/base/client-address.ts'

describe('the address of a client', () => {
  const onePeer = createHopTrust({ trustsProxy: true })

  test.each([
    ['no header', undefined, '203.0.113.9'],
    ['one client', '198.51.100.7', '198.51.100.7'],
    ['what a client made up before it', '1.2.3.4, 198.51.100.7', '198.51.100.7'],
    ['a client of a private network that made up a public address', '1.2.3.4, 192.168.1.20', '192.168.1.20'],
    ['a client of this machine that made up an address', '1.2.3.4,127.0.0.1', '127.0.0.1'],
    ['a client that made up the form of several proxies', '1.2.3.4, 10.0.0.3, ::ffff:10.0.0.4', '10.0.0.4'],
    ['a port', '198.51.100.7:4711', '198.51.100.7'],
    ['IPv6, by its network', '2001:db8::7', '2001:db8:0:0::/64'],
    ['IPv6 with a port', '"[2001:db8::7]:4711"', '2001:db8:0:0::/64'],
    ['IPv4 written as IPv6', '::ffff:198.51.100.7', '198.51.100.7'],
    ['a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nonsense', 'unknown, _hidden', '203.0.113.9'],
    ['nonsense behind what a client made up', '1.2.3.4, unknown', '203.0.113.9'],
    ['half an address', '1.2.3.4, 198.51.100', '203.0.113.9'],
    ['a number out of range', '198.51.100.256', '203.0.113.9'],
    ['an octal number', '198.51.100.07', '203.0.113.9'],
    ['an entry that is empty', '1.2.3.4,', '203.0.113.9'],
  ])('behind one proxy: %s', (_, forwarded, address) => {
    expect(clientAddress('203.0.113.9', forwarded, onePeer)).toBe(address)
  })

  const several = createHopTrust({ trustsProxy: false, trustedProxies: ['203.0.113.9', '10.0.0.0/8', '2001:db8::/32'] })

  test.each([
    ['passed on by all of them', '203.0.113.9', '198.51.100.7, 10.0.0.3, 2001:db8::1', '198.51.100.7'],
    ['made up before it', '203.0.113.9', '1.2.3.4, 198.51.100.7, 10.0.0.3', '198.51.100.7'],
    ['of a private network that is no proxy', '203.0.113.9', '1.2.3.4, 192.168.1.20, 10.0.0.3', '192.168.1.20'],
    ['who is connected and no proxy', '198.51.100.8', '1.2.3.4', '198.51.100.8'],
    ['a proxy itself', '203.0.113.9', '10.0.0.4, 10.0.0.3', '10.0.0.4'],
    ['behind nonsense', '203.0.113.9', '198.51.100.7, unknown, 10.0.0.3', '10.0.0.3'],
    ['connected over IPv6', '::ffff:10.0.0.3', '198.51.100.7', '198.51.100.7'],
  ])('behind named proxies: a client %s', (_, peer, forwarded, address) => {
    expect(clientAddress(peer, forwarded, several)).toBe(address)
  })

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('without a proxy %s is %s, whatever the header says', (peer, address) => {
    expect(clientAddress(peer, '1.2.3.4', createHopTrust({ trustsProxy: false }))).toBe(address)
  })

  test('does not change if it is resolved again', () => {
    for (const address of ['2001:db8::7', '::ffff:192.0.2.1', '192.0.2.1', 'fe80::1%eth0', 'socket', '']) {
      expect(addressKey(addressKey(address))).toBe(addressKey(address))
    }
  })

  test.each(['localhost', '10.0.0.0/33', '2001:db8::/129', '10.0.0', '', 'fe80::1%eth0', '10.0.0.0/', '10.0.0.0/x'])(
    'no proxy is named by %s',
    (entry) => {
      expect(() => createHopTrust({ trustsProxy: true, trustedProxies: [entry] })).toThrow(
        `Expected an IP address or a network, found ${entry}.`,
      )
    },
  )
})

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['10.0.0.1', false],
  ['::2', false],
  ['', false],
])('%s is a loopback address: %s', (address, isOwn) => {
  expect(isLoopbackAddress(address)).toBe(isOwn)
})

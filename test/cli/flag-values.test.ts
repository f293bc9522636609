/** Flags and variables fail closed: a mistyped one must not mean its default. */
import { describe, expect, test } from 'vitest'
import { describeUnknownVariables } from '../../src/cli/flag-values.ts'
import { parseOptions } from '../../src/cli/options.ts'

const refusal = (args: readonly string[], environment: Record<string, string> = {}): string => {
  try {
    parseOptions(args, environment)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('on the command line', () => {
  test('an empty value is refused: it is a variable of a shell that was not set', () => {
    for (const flag of ['access', 'kind', 'documents', 'tools', 'name']) {
      expect(refusal(['links', 'add', `--${flag}`, ''])).toMatch(
        flag === 'tools'
          ? /^Expected the flags of links add/
          : `Expected a value as --${flag}, found an empty text; give one, or leave it out for its default.`,
      )
    }
  })

  test('a list without entries is refused', () => {
    expect(refusal(['export', '--documents', ' , '])).toBe(
      'Expected IDs of documents as --documents, found " , ", which has none; leave it out for all.',
    )
  })

  test('the nearest known flag and value are named', () => {
    expect(refusal(['serve', '--oauth-isuer', 'x'])).toMatch(
      /found this: Unknown option '--oauth-isuer'; did you mean --oauth-issuer\?$/,
    )
    expect(refusal(['links', 'add', '--kind', 'selectd'])).toBe(
      'Expected one of full, selected, daily as --kind, found selectd; did you mean selected?',
    )
  })

  test.each([
    [['serve', '--tls-key', 'k'], '--tls-cert with --tls-key'],
    [['serve', '--oauth-access', 'read'], '--oauth or --oauth-issuer with --oauth-access'],
    [['serve', '--oauth-client-id', 'a'], '--oauth-issuer with --oauth-client-id'],
    [['serve', '--keep', '3'], '--backup-to with --keep'],
    [['links', 'add', '--events', 'tasks'], '--webhook with --events'],
    [['links', 'add', '--webhook-allow', '10.0.0.0/8'], '--webhook with --webhook-allow'],
  ])('%j lacks its partner', (args, partner) => {
    expect(refusal(args)).toMatch(`Expected ${partner}, found none; `)
  })

  test.each([
    [
      ['install', 'claude-code', '--kind', 'selected'],
      'Expected the IDs of the documents that a selected connection exposes as --documents, found none.',
    ],
    [
      ['install', 'claude-code', '--documents', '100000000001'],
      'Expected --documents with --kind selected alone, found --kind full; leave one of them out.',
    ],
    [
      ['stdio', '--database-pool', '3'],
      'Expected a database with --database-pool, found a space in a file; leave it out, or name a database.',
    ],
    [
      ['serve', '--public-url', 'https://a.example/?b=c'],
      'Expected an address without a user name, ? and # as --public-url, found https://a.example/?b=c; leave these out.',
    ],
  ])('%j is refused at once', (args, message) => {
    expect(refusal(args)).toBe(message)
  })
})

describe('in the environment', () => {
  test('a wrong value is refused under the name of its variable, whichever command runs', () => {
    for (const args of [['stdio'], ['serve'], ['spaces', 'list']]) {
      expect(refusal(args, { SCRIPTORIUM_ACCESS: 'raed' })).toBe(
        'Expected one of full, no-delete, propose, comment, read as SCRIPTORIUM_ACCESS, found raed; did you mean read?',
      )
      // What Kubernetes sets for a service called scriptorium.
      expect(refusal(args, { SCRIPTORIUM_PORT: 'tcp://10.0.0.1:4810' })).toBe(
        'Expected a port from 0 to 65535 as SCRIPTORIUM_PORT, found tcp://10.0.0.1:4810.',
      )
      expect(refusal(args, { SCRIPTORIUM_KIND: '' })).toBe(
        'Expected a value as SCRIPTORIUM_KIND, found an empty text; give one, or leave it out for its default.',
      )
    }
  })

  test('a flag takes the place of its variable, also of a wrong one', () => {
    expect(parseOptions(['serve', '--port', '1'], { SCRIPTORIUM_PORT: 'tcp://10.0.0.1:4810' }).port).toBe(1)
  })

  test('a variable counts for the commands that have its flag', () => {
    const environment = {
      SCRIPTORIUM_ACCESS: 'read',
      SCRIPTORIUM_EVENTS: 'tasks',
      SCRIPTORIUM_WEBHOOK_ALLOW: '10.0.0.0/8',
    }
    expect(parseOptions(['stdio'], environment)).toMatchObject({ access: 'read' })
    expect(parseOptions(['serve'], environment)).toMatchObject({ access: 'full', webhookAllow: ['10.0.0.0/8'] })
    expect(parseOptions(['links', 'add', '--webhook', 'https://a.example'], environment)).toMatchObject({
      events: 'tasks',
    })
  })

  test('for serve, a variable without its partner is refused', () => {
    expect(refusal(['serve'], { SCRIPTORIUM_TLS_CERT: 'a' })).toMatch(
      'Expected --tls-key with --tls-cert, found none; ',
    )
    expect(refusal(['links', 'add'], { SCRIPTORIUM_WEBHOOK_ALLOW: '10.0.0.0/8' })).toBe('')
  })

  test('unknown names are described, each with the nearest one', () => {
    expect(describeUnknownVariables({ PATH: '/bin', SCRIPTORIUM_SPACE: 'a', scriptorium_x: 'b' })).toBeUndefined()
    expect(
      describeUnknownVariables({
        SCRIPTORIUM_ACESS: 'read',
        SCRIPTORIUM_PORT_80_TCP: '10.0.0.1',
        SCRIPTORIUM_OAUTH: '1',
      }),
    ).toBe(
      'Expected variables of known names, found SCRIPTORIUM_ACESS (did you mean SCRIPTORIUM_ACCESS?), SCRIPTORIUM_OAUTH (give --oauth, which has no variable), SCRIPTORIUM_PORT_80_TCP; nothing reads them.',
    )
  })
})

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../src/cli/options.ts'
import { folder, runHere, startServe } from '../../program.ts'
import { identityProvider } from './identity-provider.ts'

const ISSUER = 'https://id.example/realm'

const refused = (...args: string[]): string => {
  try {
    parseOptions(args, {})
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('serve', () => {
  test('trusts an issuer exactly as it is written', () => {
    for (const issuer of [ISSUER, `${ISSUER}/`, 'http://127.0.0.1:8080', 'http://localhost/x', 'http://[::1]:1']) {
      expect(parseOptions(['serve', '--oauth-issuer', issuer], {}).oauthIssuer).toBe(issuer)
    }
    const options = parseOptions(['serve'], { SCRIPTORIUM_OAUTH_ISSUER: ISSUER, SCRIPTORIUM_OAUTH_AUDIENCE: 'notes' })
    expect(options).toMatchObject({ oauthIssuer: ISSUER, oauthAudience: 'notes' })
  })

  test.each([
    'http://id.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'https://user:secret@id.example',
    'https://id.example/?a=b',
    'https://id.example/#a',
    'id.example',
    'file:///etc/passwd',
  ])('rejects %s', (issuer) => {
    expect(refused('serve', '--oauth-issuer', issuer)).toBe(
      `Expected an address with https (http on this machine) and without query as --oauth-issuer, found ${issuer}.`,
    )
  })

  test('requires its public address, since tokens are issued for that', () => {
    const args = ['serve', '--oauth-issuer', ISSUER, '--host', '0.0.0.0']
    expect(refused(...args)).toBe(
      'Expected --public-url with --oauth-issuer at 0.0.0.0, found none; tokens are for one address of this server.',
    )
    expect(refused(...args, '--public-url', 'https://notes.example')).toBe('')
    expect(refused('serve', '--oauth-issuer', ISSUER, '--host', 'localhost')).toBe('')
  })

  test('prints which scopes hosts request at first', () => {
    expect(parseOptions(['serve'], {}).oauthAccess).toBe('no-delete')
    expect(parseOptions(['serve', '--oauth', '--oauth-access', 'full'], {}).oauthAccess).toBe('full')
    expect(refused('serve', '--oauth', '--oauth-access', 'all')).toBe(
      'Expected one of full, no-delete, propose, comment, read as --oauth-access, found all; did you mean full?',
    )
  })

  test('accepts no audience without an issuer', () => {
    expect(refused('serve', '--oauth-audience', 'notes')).toBe(
      'Expected --oauth-issuer with --oauth-audience, found none; name the issuer whose tokens are accepted.',
    )
  })
})

describe('serve --oauth', () => {
  test('is its own issuer, and trusts no other', () => {
    expect(parseOptions(['serve', '--oauth'], {}).oauth).toBe(true)
    expect(parseOptions(['serve'], {}).oauth).toBe(false)
    expect(refused('serve', '--oauth', '--oauth-issuer', ISSUER)).toBe(
      'Expected --oauth or --oauth-issuer, found both; let people sign in here, or at the issuer you name.',
    )
    expect(refused('serve', '--oauth', '--oauth-audience', 'notes')).toBe(
      'Expected --oauth-issuer with --oauth-audience, found none; name the issuer whose tokens are accepted.',
    )
  })

  test('is reachable from outside over https only, since passwords are sent there', () => {
    expect(refused('serve', '--oauth', '--host', '0.0.0.0')).toBe(
      'Expected --public-url with --oauth at 0.0.0.0, found none; tokens are for one address of this server.',
    )
    expect(refused('serve', '--oauth', '--public-url', 'http://notes.example')).toBe(
      'Expected --public-url with https, found http://notes.example; passwords are sent there.',
    )
    expect(refused('serve', '--oauth', '--public-url', 'https://notes.example')).toBe('')
  })
})

test('participants can sign in with a password that is piped in, until it is removed', async () => {
  const space = join(folder(), 'space.sqlite')
  const participants = (args: readonly string[], input = '') =>
    runHere(['participants', ...args, '--space', space], {}, input)
  const added = await participants(['add', 'Anna', '--password'], 'correct horse\n')
  const [, path] =
    /^Anna signs in with that password: in a browser at http:\/\/127\.0\.0\.1:4810\/view\/[0-9a-f]{10}, in a host at http:\/\/127\.0\.0\.1:4810(\/spaces\/[0-9a-f]{10}\/mcp)\t[0-9a-f-]{36}\n$/.exec(
      added.output,
    ) ?? []
  expect(path).toBeDefined()
  expect((await participants(['list'])).output).toMatch(/\nAnna\t\S+\tsince \S+\tsigns in with a password\n$/)
  const { origin, end } = await startServe('--space', space, '--oauth')
  const metadata = await fetch(`${origin}/.well-known/oauth-authorization-server${path?.replace('/mcp', '/oauth')}`)
  expect(await metadata.json()).toMatchObject({ issuer: `${origin}${path?.replace('/mcp', '/oauth')}` })
  expect(await end()).toBe(0)
  expect(await participants(['add', 'Bob', '--password'], 'short\n')).toMatchObject({
    code: 2,
    errors: 'Expected a password of 10 to 256 characters, found one of 5; choose another.\n',
  })
  expect(await participants(['add', 'Bob', '--password'])).toMatchObject({
    code: 2,
    errors: 'Expected a password as the first line of standard input, found none; nothing was changed.\n',
  })
  expect((await participants(['remove', 'Anna', '--password'])).output).toMatch(
    /^Anna no longer signs in with a password\t/,
  )
  expect((await participants(['remove', 'Anna', '--password'])).errors).toBe(
    'Expected a password of Anna, found none; run participants list to see who signs in how.\n',
  )
})

test('an issuer without its subject is rejected: the whole participant would be meant', () => {
  for (const action of ['add', 'remove']) {
    expect(refused('participants', action, 'Anna', '--oauth-issuer', ISSUER)).toBe(
      'Expected --subject with --oauth-issuer, found none; name the subject they have there.',
    )
  }
  // In the environment, the issuer is for whatever runs there.
  expect(parseOptions(['participants', 'add', 'Anna'], { SCRIPTORIUM_OAUTH_ISSUER: ISSUER }).oauthIssuer).toBe(ISSUER)
})

test('a subject without its issuer is rejected', () => {
  expect(refused('participants', 'add', 'Anna', '--subject', 'a')).toBe(
    'Expected --oauth-issuer with --subject, found none; a subject only has a meaning for its issuer.',
  )
  expect(parseOptions(['participants', 'add', 'Anna', '--subject', 'a', '--oauth-issuer', ISSUER], {})).toMatchObject({
    operand: 'Anna',
    subject: 'a',
    oauthIssuer: ISSUER,
  })
})

test('participants lists who signs in where, and the server admits them only', async () => {
  const provider = await identityProvider(Date.now)
  const space = join(folder(), 'space.sqlite')
  const trusting = ['--oauth-issuer', provider.issuer]
  const { origin, end } = await startServe('--space', space, ...trusting)
  const participants = (...args: string[]) => runHere(['participants', ...args, '--space', space])
  const added = await participants(
    'add',
    'Owner',
    '--subject',
    'anna',
    ...trusting,
    '--public-url',
    'https://notes.example',
  )
  const [, path] =
    /^Owner signs in at https:\/\/notes\.example(\/spaces\/[0-9a-f]{10}\/mcp) as anna of http:\S+\t[0-9a-f-]{36}\n$/.exec(
      added.output,
    ) ?? []
  expect(path).toBeDefined()
  expect((await participants('list')).output).toMatch(/^Owner\t\S+\tsince \S+\tsigns in as anna of http:\S+\n$/)
  const statusAs = async (sub: string) => {
    const token = await provider.token({ claims: { sub, aud: `${origin}${path}`, scope: 'space:read' } })
    const url = `${origin}${path?.replace('/mcp', '/api/v1')}/connection`
    return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status
  }
  expect([await statusAs('anna'), await statusAs('bob')]).toEqual([200, 403])
  const removed = await participants('remove', 'Owner', '--subject', 'anna', ...trusting)
  expect(removed.output).toMatch(/^Owner no longer signs in as anna of http:\S+\t[0-9a-f-]{36}\n$/)
  expect(await statusAs('anna')).toBe(403)
  expect((await runHere(['links', 'list', '--space', space])).output).toMatch(
    /signed in with a program\tfull\tfull\tbearer\tOwner\trevoked/,
  )
  expect(await end()).toBe(0)
})

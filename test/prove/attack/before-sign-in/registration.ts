/** Dynamic client registration: which redirect URIs are accepted, and how the page shows them. */
import { Browser } from '../../../auth/issuer/browser.ts'
import type { Attack } from '../attack.ts'
import type { AttackedServer } from '../server.ts'
import { program, signInUrl } from '../sign-in.ts'

export const isBuilt: Attack = {
  finding: 2,
  name: 'sign-in of the package as it was built',
  async attempt(world) {
    const server = await world.shared()
    const { pathname } = new URL((await signInUrl(server)).replace(/\/mcp$/, '/oauth'))
    const { status, text } = await server.ask(`GET /.well-known/oauth-authorization-server${pathname}`)
    return status === 200 ? [] : [`the issuer answered ${status} to what it is asked first: ${text.slice(0, 200)}`]
  },
}

/** Forbidden redirect URIs: a person who listens there would get the code. */
const FORBIDDEN = [
  'http://evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://localhost.evil.example/cb',
  'http://192.0.2.7/cb',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///tmp/x',
  'ftp://evil.example/cb',
]

const TYPES = [{}, { application_type: 'web' }, { application_type: 'native' }]

export const redirects: Attack = {
  finding: 3,
  name: 'a program that has the answer sent in the clear, or to a script',
  async attempt(world) {
    const server = await world.shared()
    const faults: string[] = []
    for (const uri of FORBIDDEN) {
      for (const type of TYPES) {
        if (await registers(server, uri, type)) faults.push(`${JSON.stringify(type)} could register with ${uri}`)
      }
    }
    return faults
  },
}

const registers = (server: AttackedServer, uri: string, type: object): Promise<boolean> =>
  program(server, { ...type, redirect_uris: [uri] }).then(
    () => true,
    () => false,
  )

/** Hosts with characters that have a meaning in a Content-Security-Policy. */
const HOSTS = ['a;sandbox', '*', 'a,b', "a'b", 'a;script-src']
const KNOWN = new Set(['default-src', 'style-src', 'base-uri', 'frame-ancestors', 'form-action'])

export const policy: Attack = {
  finding: 3,
  name: 'a host that writes into the Content-Security-Policy of the page',
  async attempt(world) {
    const server = await world.shared()
    const faults: string[] = []
    for (const host of HOSTS) {
      const uri = `https://${host}/cb`
      const registered = await program(server, { redirect_uris: [uri] }).catch(() => undefined)
      if (registered === undefined) continue
      const { headers } = await new Browser().open(registered.authorization())
      const response = headers.get('content-security-policy') ?? ''
      if (!isAsMeant(response)) faults.push(`${uri} got into the policy: ${response}`)
    }
    return faults
  },
}

/** True if the policy has each known directive exactly once and no source that matches every host. */
function isAsMeant(policy: string): boolean {
  const directives = policy.split(/[;,]/).map((directive) => directive.trim().split(/\s+/))
  const names = directives.map(([name = '']) => name)
  return names.every((name) => KNOWN.has(name)) && names.length === KNOWN.size && !/[*"]|'[^']*'[^\s;]/.test(policy)
}

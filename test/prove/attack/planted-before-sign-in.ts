/** The guards against attackers without a credential. */
import type { Mutation } from '../mutated-sources.ts'

export const BEFORE_SIGN_IN: readonly Mutation[] = [
  // 1: forms are limited in size, and the server reads them only once it knows that they belong to a sign-in in
  // progress.
  {
    file: 'src/call/input/request-form.ts',
    find: 'await readBodyBytes(request, FORM_BYTES)',
    replace: 'await readBodyBytes(request)',
  },
  {
    file: 'src/auth/issuer/issuer-body.ts',
    find: 'await readBodyBytes(request, isRegistration ? CLIENT_METADATA_BYTES : FORM_BYTES)',
    replace: 'await readBodyBytes(request)',
  },
  { file: 'src/auth/issuer/embedded-issuer.ts', find: '    assertQueryFields(search)\n', replace: '' },
  {
    file: 'src/call/input/request-form.ts',
    find: "  assertFieldCount(text, FORM_FIELDS, 'a form')\n",
    replace: '',
  },
  {
    file: 'src/auth/issuer/embedded-issuer.ts',
    find: "const read = request.method === 'POST' ? () => readForm(request) : undefined",
    replace: `const early = request.method === 'POST' ? await readForm(request) : undefined
      const read = early && (async () => early)`,
  },
  // 3: responses go only to safe addresses, and hosts contain no characters with a meaning in a policy.
  {
    file: 'src/auth/issuer/redirect-uris.ts',
    find: "if (!HOST_PATTERN.test(hostname) || (protocol === 'http:' && !isLocal)) return undefined",
    replace: '',
  },
  // 4: input is limited in length before it is checked, stored as a hash, and deleted once its time has expired.
  {
    file: 'src/space/participants/passwords.ts',
    find: '=> password.length <= PASSWORD_CODE_UNITS',
    replace: '=> password.length <= Infinity * PASSWORD_CODE_UNITS',
  },
  {
    file: 'src/auth/issuer/password-sign-in.ts',
    find: 'name.length > SIGN_IN_NAME_LENGTH || ',
    replace: '',
  },
  {
    file: 'storage/sqlite/sign-ins.ts',
    find: '    const key = hashText(named)\n    deleteEndedCounts.run(now)\n',
    replace: '    const key = named\n',
  },
  {
    file: 'storage/sqlite/sign-ins.ts',
    find: 'uncount.run(hashText(key))',
    replace: 'uncount.run(key)',
  },
  // 5: an address over its limit does not count against a name, and the limit of a name does not apply where its
  // participant signed in before.
  {
    file: 'src/auth/issuer/password-sign-in.ts',
    find: '  if (addressLimited !== undefined) return addressLimited\n',
    replace: `  if (addressLimited !== undefined) {
    countAttempt(\`name \${name.trim().toLowerCase()}\`, limits.name)
    return addressLimited
  }
`,
  },
  {
    file: 'src/auth/issuer/password-sign-in.ts',
    find: 'signIns.isKnownAddress(account.id, from, now)',
    replace: 'from === String(now)',
  },
  // 6: an address counts as its network, as the last proxy forwarded it, and few passwords wait to be hashed.
  {
    file: 'src/base/client-address.ts',
    find: '  const network = parseGroups(plain).slice(0, 4)\n',
    replace: "  if (plain !== '') return plain\n  const network = parseGroups(plain).slice(0, 4)\n",
  },
  {
    file: 'src/base/client-address.ts',
    find: 'trustsProxy && hops === 0',
    replace: 'trustsProxy && hops < 2',
  },
  {
    file: 'src/space/participants/passwords.ts',
    find: 'if (pendingCount >= PASSWORD_QUEUE_LENGTH) throw new PasswordsBusy()',
    replace: 'if (pendingCount < 0) throw new PasswordsBusy()',
  },
  // 7: connections from one address are limited.
  {
    file: 'src/http/connection-limits.ts',
    find: 'const { maxPerAddress: most, grace } = this.#limits',
    replace: 'const [most, grace] = [Infinity, this.#limits.grace]',
  },
  // 19: each claim of a token is read as its standard says, and a new webhook is checked as a delivery is.
  {
    file: 'src/auth/resource-server/access-token.ts',
    find: "  if (iat !== undefined && iat > latest) throw wrongClaim('iat')\n",
    replace: '',
  },
  {
    file: 'src/auth/resource-server/access-token.ts',
    find: "  if (scope !== undefined && typeof scope !== 'string') throw wrongClaim('scope')\n",
    replace: "  if (Array.isArray(scope)) return scope\n  if (typeof scope !== 'string') return []\n",
  },
  {
    file: 'src/auth/resource-server/access-token.ts',
    find: "typeof exp !== 'number' || !Number.isFinite(exp)",
    replace: "typeof exp !== 'number'",
  },
  {
    file: 'src/auth/resource-server/access-token.ts',
    find: "isOwn && typeof link === 'string'",
    replace: "typeof link === 'string'",
  },
  {
    file: 'src/cli/access/links-command.ts',
    find: '(await checkWebhookAddress(url, allowedAddresses(options).isAllowed))',
    replace: 'space.isNew !== undefined',
  },
]

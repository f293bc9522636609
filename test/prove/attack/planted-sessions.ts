/** The guards of the sessions of the pages. */
import type { Mutation } from '../mutated-sources.ts'

export const SESSIONS: readonly Mutation[] = [
  // 22: what a session typed is sent by that session alone, no address replaces a session, and a session that was signed
  // out has ended on the server.
  {
    file: 'src/page/assets/this-session.ts',
    find: 'sessionName(base, owner)',
    replace: "sessionName(base, '0'.repeat(owner.length))",
  },
  {
    file: 'src/http/page-visitors.ts',
    find: "if (isChoice && req.method === 'GET') {",
    replace: "if (isChoice && req.method === 'none') {",
  },
  {
    file: 'src/http/page-visitors.ts',
    find: "(!isChoice || form?.get('do') === 'change')",
    replace: "(!isChoice || form?.get('do') !== 'stay')",
  },
  {
    file: 'src/call/ended-sessions.ts',
    find: 'isSessionEnded(tx, { link, nonce, startedAt: from })',
    replace: "isSessionEnded(tx, { link: 'none', nonce: link + nonce, startedAt: from })",
  },
  {
    file: 'src/http/page-visitors.ts',
    find: "set('Clear-Site-Data', '\"cache\"')",
    replace: 'set(\'Clear-Site-Data\', \'"cache", "storage"\')',
  },
]

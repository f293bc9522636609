/** The guards that are removed from the package on which every attack must succeed, by the number of their weakness. */

import type { Mutation } from '../mutated-sources.ts'
import { APPROVALS } from './planted-approvals.ts'
import { BEFORE_SIGN_IN } from './planted-before-sign-in.ts'
import { BYTES } from './planted-bytes.ts'
import { IMPORTS } from './planted-imports.ts'
import { MACHINE } from './planted-machine.ts'
import { NARROW_LINK } from './planted-narrow-link.ts'
import { RENDERERS } from './planted-renderers.ts'
import { SESSIONS } from './planted-sessions.ts'

export const PLANTED: readonly Mutation[] = [
  ...[...BEFORE_SIGN_IN, ...NARROW_LINK, ...MACHINE, ...SESSIONS, ...IMPORTS, ...APPROVALS, ...RENDERERS],
]

/**
 * Guards with a package of their own: without that of finding 2 no one can sign in, and each attack of finding 28 must
 * work for lack of its own guard alone.
 */
export const PLANTED_APART: readonly { finding: number; mutations: readonly Mutation[] }[] = [
  {
    finding: 2,
    mutations: [
      {
        file: 'src/auth/issuer/issuer-provider.ts',
        find: "import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'",
        replace: `import * as providerModule from 'oidc-provider'
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
const Provider = { default: providerModule } as never`,
      },
    ],
  },
  { finding: 28, mutations: BYTES },
]

/** What the provider stores if two of its requests are concurrent. */
import { expect, onTestFinished, test } from 'vitest'
import { createAdapter } from '../../../src/auth/issuer/oidc-adapter.ts'
import { openSignIns } from '../../../storage/sqlite/sign-ins.ts'

const adapterOf = (model: string) => {
  const signIns = openSignIns(':memory:')
  onTestFinished(() => signIns.close())
  return createAdapter(signIns, { isActive: async () => true, revoke: async () => {} })(model)
}

test('an authorization code that two concurrent requests found unused is redeemed by the first only', async () => {
  const codes = adapterOf('AuthorizationCode')
  await codes.upsert('code', { grantId: 'g' }, 60)
  await codes.consume('code')
  await expect(codes.consume('code')).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('a refresh token that two concurrent requests found unused is redeemed by both', async () => {
  const tokens = adapterOf('RefreshToken')
  await tokens.upsert('token', { grantId: 'g' }, 60)
  await tokens.consume('token')
  await tokens.consume('token')
  expect(await tokens.find('token')).not.toHaveProperty('consumed')
})

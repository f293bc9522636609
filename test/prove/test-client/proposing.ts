/** Connections that may only propose. */
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { type Proposing, proposingLink } from './proposing-link.ts'
import { ask, type TestClient, type TestClientOptions } from './test-client.ts'

export async function askToPropose(
  space: OpenSpace,
  request: Proposing,
  options?: TestClientOptions,
): Promise<TestClient> {
  return ask(space, await proposingLink(space, request), options)
}

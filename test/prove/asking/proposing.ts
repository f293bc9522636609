/** Connections that may only propose. */
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { type Asking, type AskingOptions, ask } from './asking.ts'
import { type Proposing, proposingLink } from './proposing-link.ts'

export async function askToPropose(space: OpenSpace, asked: Proposing, options?: AskingOptions): Promise<Asking> {
  return ask(space, await proposingLink(space, asked), options)
}

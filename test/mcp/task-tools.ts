/**
 * The tools that the conformance suite wants to test tasks with, as tools of this program: what they write waits for a
 * person, who approves the quick ones at once, rejects the failing ones, and leaves the slow ones.
 */
import { z } from 'zod'
import { byKind, endpoint } from '../../src/endpoint.ts'
import { addFolders } from '../../src/space/folders/folders.ts'
import type { TestLink } from '../http/serving.ts'

const greet = endpoint({
  name: 'greet',
  title: 'Greet',
  description: 'Greet somebody.',
  route: 'GET /greetings',
  effect: 'read',
  input: byKind(() => z.strictObject({ name: z.string() })),
  handle: async (_, { name }) => ({ mediaType: 'text/markdown' as const, body: `Hello, ${name}!` }),
})

const folders = z.strictObject({ items: z.array(z.strictObject({ id: z.string() })) })

const slowCompute = endpoint({
  name: 'slow_compute',
  title: 'Compute slowly',
  description: 'Add a folder once a person has approved it.',
  route: 'POST /computations',
  effect: 'add',
  input: byKind(() => z.strictObject({ seconds: z.int(), label: z.string() })),
  output: folders,
  handle: async ({ space }, { label }) => {
    const { items } = await addFolders(space, [{ name: label }])
    return { items: items.map(({ id }) => ({ id })) }
  },
})

const failingJob = endpoint({
  name: 'failing_job',
  title: 'Fail',
  description: 'Add a folder that no person approves.',
  route: 'POST /jobs',
  effect: 'add',
  input: byKind(() => z.strictObject({})),
  output: folders,
  handle: async ({ space }) => {
    const { items } = await addFolders(space, [{ name: 'Job' }])
    return { items: items.map(({ id }) => ({ id })) }
  },
})

export const taskTools = [greet, slowCompute, failingJob]

/** Seconds up to which the person approves a computation at once. */
const QUICK_SECONDS = 5

/** Decides on what waits. */
export async function decideOnTasks(person: TestLink): Promise<void> {
  const { json } = await person.ask('GET /proposals')
  for (const { proposalId, tool } of json.items) {
    const [item] = (await person.ask(`GET /proposals?proposalId=${proposalId}`)).json.items
    const { fingerprint, steps } = item
    if (tool === 'failing_job') await person.ask(`POST /proposals/${proposalId}/reject`, { note: 'No' })
    else if (steps[0].arguments.seconds <= QUICK_SECONDS) {
      await person.ask(`POST /proposals/${proposalId}/approve`, { fingerprint })
    }
  }
}

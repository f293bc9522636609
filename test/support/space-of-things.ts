/** Copies of a space with one of each thing that a call can name, as the calls of `valid-calls.ts` need it. */
import { ask } from '../prove/test-client/test-client.ts'
import { makeDocument, makePlaces, makeThings, NOW } from '../prove/test-client/things.ts'
import { preparedSpace } from './prepared-space.ts'

const prepared = preparedSpace(async ({ space, clock }) => {
  clock.now = NOW
  const link = await space.createAccessLink('full', [], 'tester')
  const client = await ask(space, link)
  const document = await makeDocument(client, 'own')
  const own = await makeThings(client, document, 'words', await makePlaces(client, 'words'))
  await client.close()
  return { link, own }
})

/** @param file  the path of the copy; in memory by default */
export async function spaceOfThings(file?: string) {
  const { space, clock, made } = await prepared(file)
  return { space, clock, ...made, client: await ask(space, made.link) }
}

/** Spaces with a few documents, created and read while no process has them open. */
import { openSpace } from '../../src/space/open-space.ts'
import { connect } from '../connect.ts'

/** Creates a closed space with a document. @returns its path */
export async function closedSpace(file: string, title: string): Promise<string> {
  const space = await openSpace(file)
  const { call } = await connect('full', { to: { space, clock: { now: Date.now() } } })
  await call('documents_add', { documents: [{ title }] })
  await space.close()
  return file
}

/** The titles of all documents in a file, in alphabetical order. */
export async function titlesOf(file: string): Promise<string[]> {
  const space = await openSpace(file)
  try {
    const { call } = await connect('full', { to: { space, clock: { now: Date.now() } } })
    const { items } = await call('documents_list')
    return items.map(({ title }: { title: string }) => title).sort()
  } finally {
    await space.close()
  }
}

/** New spaces that the command line creates, for tests of their welcome document. */
import { join } from 'node:path'
import { inject } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { connect } from '../connect.ts'
import { connectWith, folder, root, runHere } from '../program.ts'

export const script = inject('bundledProgram') ?? 'src/start.js'
export const newFile = () => join(folder(), 'space.sqlite')
export const titlesIn = async (file: string): Promise<string[]> => {
  const space = await openSpace(file)
  const { call, client } = await connect('full', { to: { space, clock: { now: 0 } } })
  const { items } = await call('documents_list')
  await client.close()
  await space.close()
  return items.flatMap(({ title, isDeleted }: { title: string; isDeleted: boolean }) => (isDeleted ? [] : title))
}
export const audit = async (file: string): Promise<{ author: string; endpoint: string }[]> =>
  (await runHere(['log', '--json', '--space', file])).output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
export const WELCOME = ['Welcome to Scriptorium']

/** Started like a host does, with only the requests of a client that connects. */
export async function hostStarts(file: string, ...flags: string[]): Promise<void> {
  await (await connectWith([script, 'stdio', '--space', file, ...flags], root)).close()
}

/** Adds, changes and lists tasks like a client. */
import type { Answer, Connected } from './connect.ts'

export const add = async ({ call }: Connected, ...tasks: object[]): Promise<Answer[]> =>
  (await call('tasks_add', { tasks })).items
export const update = async ({ call }: Connected, ...tasksToUpdate: object[]): Promise<Answer[]> =>
  (await call('tasks_update', { tasksToUpdate })).items
export const scope = async ({ call }: Connected, scope: string, more: object = {}): Promise<string[]> =>
  (await call('tasks_list', { scope, ...more })).items.map(({ markdown }: Answer) => markdown)

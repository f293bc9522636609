/** Calls on tasks. */
import type { Call } from '../model/model.ts'
import type { Chooser } from './chooser.ts'
import type { Pools } from './pools.ts'
import { day, sentence } from './texts.ts'
import { idOf, idsOf, taskInfo } from './trees.ts'

export function tasks(chooser: Chooser, pools: Pools): Call {
  const which = chooser.number(10)
  if (which < 4 || pools.tasks.length === 0) {
    const tasks = chooser.times(2, () => ({ markdown: markdown(chooser), ...fields(chooser, pools) }))
    return { tool: 'tasks_add', args: { tasks } }
  }
  const ids = idsOf(chooser, pools, pools.tasks)
  if (which === 9) return { tool: 'tasks_delete', args: { idsToDelete: ids } }
  const tasksToUpdate = ids.map((id) => ({
    id,
    ...(chooser.once(3) && { markdown: markdown(chooser) }),
    ...fields(chooser, pools),
    ...(chooser.once(12) && { repeat: null }),
  }))
  return { tool: 'tasks_update', args: { tasksToUpdate } }
}

function markdown(chooser: Chooser): string {
  if (chooser.once(40)) return `${sentence(chooser)}\n\n${sentence(chooser)}`
  return chooser.one(['', '', '', '- [ ] ', '- [x] ']) + sentence(chooser)
}

function fields(chooser: Chooser, pools: Pools): object {
  return {
    ...(chooser.once(2) && { taskInfo: taskInfo(chooser) }),
    ...(chooser.once(3) && { location: location(chooser, pools) }),
    ...(chooser.once(6) && { repeat: repeat(chooser) }),
  }
}

function location(chooser: Chooser, pools: Pools): object {
  const kind = chooser.number(6)
  if (kind < 2) return { type: 'inbox' }
  if (kind < 4) return { type: 'dailyNote', ...(chooser.once(2) && { date: day(chooser) }) }
  return { type: 'document', documentId: idOf(chooser, pools, pools.documents) }
}

const repeat = (chooser: Chooser): object => ({
  type: chooser.one(['fixed', 'flexible']),
  frequency: chooser.one(['daily', 'weekly']),
  ...(chooser.once(2) && { interval: 1 + chooser.number(3) }),
})

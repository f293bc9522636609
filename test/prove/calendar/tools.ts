/** The tools of a space in one time zone, around midnight: scopes of tasks, daily notes, and repeating tasks. */
import { openWorkbench, type Workbench } from '../../bench/workbench.ts'
import { DAY, written, type Zone } from './zone.ts'

interface Tasks {
  items: { id: string; markdown: string; taskInfo: { scheduleDate?: string } }[]
  today: string
}

/**
 * Makes calls in the last millisecond of a day and in the first of the next, according to the oracle.
 *
 * @param timezone  the time zone of the space; another than the zone's plants a fault
 * @returns the faults, and the number of calls
 */
export async function checkTools(zone: Zone, day: number, timezone: string) {
  const faults: string[] = []
  const clock = { now: zone.startOf(day) - 2 * DAY }
  const bench = await openWorkbench(':memory:', 'full', { timezone, clock: () => clock.now })
  try {
    let calls = 0
    const call: Workbench['call'] = (tool, args) => {
      calls++
      return bench.call(tool, args)
    }
    const due = [day - 1, day, day + 1]
    const repeat = { type: 'flexible', frequency: 'daily' }
    const tasks = [
      ...due.map((each) => ({ markdown: written(each), taskInfo: { scheduleDate: written(each) } })),
      { markdown: 'again', taskInfo: { scheduleDate: written(day - 1) }, repeat },
    ]
    const { items } = await call<Tasks>('tasks_add', { tasks })
    const expect = (what: string, found: string, expected: string) => {
      if (found === expected) return
      const at = new Date(clock.now).toISOString()
      faults.push(`Expected ${what} at ${at} in ${zone.name} to be ${expected}, found ${found}.`)
    }
    for (const now of [zone.startOf(day) - 1, zone.startOf(day)]) {
      clock.now = now
      const today = zone.dayAt(now)
      for (const scope of ['active', 'upcoming']) {
        const list = await call<Tasks>('tasks_list', { scope })
        const those = due.filter((each) => (scope === 'active') === each <= today).map(written)
        const listed = list.items.map(({ markdown }) => markdown.replace('- [ ] ', '')).filter((one) => one !== 'again')
        expect(`tasks that are ${scope}`, listed.join(' '), those.join(' '))
        expect('today of the tasks', list.today, written(today))
      }
      for (const [date, step] of Object.entries({ today: 0, tomorrow: 1, yesterday: -1 })) {
        const added = await call<{ items: { dailyNoteDate: string }[] }>('blocks_add', {
          markdown: 'words',
          position: { position: 'end', date },
        })
        expect(`the daily note of ${date}`, added.items[0]?.dailyNoteDate ?? 'none', written(today + step))
      }
    }
    const done = await call<Tasks>('tasks_update', {
      tasksToUpdate: [{ id: items[3]?.id, taskInfo: { state: 'done' } }],
    })
    expect(
      'a daily task that was done',
      done.items[0]?.taskInfo.scheduleDate ?? 'none',
      written(zone.dayAt(clock.now) + 1),
    )
    return { faults, calls }
  } finally {
    await bench.close()
  }
}

/** Formats a list of tasks as Markdown: each as in its document, after its ID and before its dates. */
import type { TaskLocation } from '../editing/task-locations.ts'
import { formatMarkdownList, idAndTitle, inBrackets, type MarkdownAnswer } from '../model/markdown-answer.ts'
import { quotedName } from '../model/names.ts'
import type { TaskAnswer } from './task-answer.ts'
import type { TaskList } from './task-list.ts'

export const tasksToMarkdown = ({ items, today, pagination }: TaskList): Promise<MarkdownAnswer> =>
  formatMarkdownList(
    items,
    (task) => ({
      heading: formatLocation(task.location),
      lines: [`${task.id} ${task.markdown}${formatDetails(task)}`],
    }),
    {
      emptyText: 'No tasks.',
      note: `Today is ${today}.`,
      pagination,
    },
  )

function formatLocation(location: TaskLocation): string {
  switch (location.type) {
    case 'inbox':
      return 'Inbox:'
    case 'logbook':
      return 'Logbook:'
    case 'dailyNote':
      return `${location.date}:`
    case 'document':
      return `${idAndTitle(location.documentId, location.title)}${inBrackets([location.isDeleted && 'trash'])}:`
  }
}

function formatDetails({ taskInfo, completedAt, canceledAt, repeat, blockedBy = [], heldBy }: TaskAnswer): string {
  const waitsFor = taskInfo.state === 'todo' ? blockedBy.filter(({ isDone }) => !isDone).map(({ id }) => id) : []
  const { scheduleDate, deadlineDate, assignee } = taskInfo
  return inBrackets([
    assignee && `for ${assignee.name}`,
    scheduleDate && `scheduled ${scheduleDate}`,
    deadlineDate && `deadline ${deadlineDate}`,
    completedAt && `done ${completedAt}`,
    canceledAt && `canceled ${canceledAt}`,
    repeat && `repeat ${JSON.stringify(repeat)}`,
    waitsFor.length > 0 && `blocked by ${waitsFor.join(', ')}`,
    heldBy &&
      `held by ${heldBy.isMine ? 'this connection' : quotedName(heldBy.name, heldBy.client)} until ${heldBy.until}`,
  ])
}

/** Formats a list of tasks as Markdown: each as in its document, followed by a line with its ID and dates. */

import { formatLink } from '../../markdown/inline-title.ts'
import { DATE_LINK } from '../../markdown/text-addresses.ts'
import type { TaskLocation } from '../editing/task-locations.ts'
import { quotedName } from '../leases/leases.ts'
import { formatMarkdownList, indentLines, type MarkdownAnswer, titleMarkdownLink } from '../model/markdown-answer.ts'
import type { TaskAnswer } from './task-answer.ts'
import type { TaskList } from './task-list.ts'

export const tasksToMarkdown = ({ items, today, pagination }: TaskList): Promise<MarkdownAnswer> =>
  formatMarkdownList(
    items,
    (task) => ({ heading: formatLocation(task.location), lines: [task.markdown, indentLines(formatDetails(task))] }),
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
      return `${formatLink(DATE_LINK + location.date, location.date)}:`
    case 'document':
      return `${titleMarkdownLink(location.title, location.documentId)}${location.isDeleted ? ', trash' : ''}:`
  }
}

function formatDetails({ id, taskInfo, completedAt, canceledAt, repeat, heldBy }: TaskAnswer): string {
  const { scheduleDate, deadlineDate } = taskInfo
  return [
    `block://${id}`,
    scheduleDate && `scheduled ${scheduleDate}`,
    deadlineDate && `deadline ${deadlineDate}`,
    completedAt && `done ${completedAt}`,
    canceledAt && `canceled ${canceledAt}`,
    repeat && `repeat ${JSON.stringify(repeat)}`,
    heldBy &&
      `held by ${heldBy.isMine ? 'this connection' : quotedName(heldBy.name, heldBy.client)} until ${heldBy.until}`,
  ]
    .filter((one) => one !== undefined)
    .join(', ')
}

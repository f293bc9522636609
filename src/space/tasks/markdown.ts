/** A list of tasks as Markdown: each as it stands in its document, with its ID and dates below. */

import { DATE_LINK } from '../../markdown/links.ts'
import { linkTo } from '../../markdown/title.ts'
import { restInWords } from '../cursors.ts'
import { type InMarkdown, indented, inLines, titleLink } from '../in-markdown.ts'
import type { TaskAnswer } from './answer.ts'
import type { TaskList } from './list.ts'
import type { TaskLocation } from './places.ts'

export const tasksInMarkdown = ({ items, today, pagination }: TaskList): Promise<InMarkdown> =>
  inLines(items, (task) => ({ below: placeOf(task.location), lines: [task.markdown, indented(aboutOf(task))] }), {
    none: 'No tasks.',
    note: [`Today is ${today}.`, restInWords(pagination) ?? ''].join(' ').trim(),
  })

function placeOf(location: TaskLocation): string {
  switch (location.type) {
    case 'inbox':
      return 'Inbox:'
    case 'logbook':
      return 'Logbook:'
    case 'dailyNote':
      return `${linkTo(DATE_LINK + location.date, location.date)}:`
    case 'document':
      return `${titleLink(location.title, location.documentId)}${location.isDeleted ? ', trash' : ''}:`
  }
}

function aboutOf({ id, taskInfo, completedAt, canceledAt, repeat }: TaskAnswer): string {
  const { scheduleDate, deadlineDate } = taskInfo
  return [
    `block://${id}`,
    scheduleDate && `scheduled ${scheduleDate}`,
    deadlineDate && `deadline ${deadlineDate}`,
    completedAt && `done ${completedAt}`,
    canceledAt && `canceled ${canceledAt}`,
    repeat && `repeat ${JSON.stringify(repeat)}`,
  ]
    .filter((one) => one !== undefined)
    .join(', ')
}

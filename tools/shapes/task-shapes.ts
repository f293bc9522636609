/** Schemas of the dates, the state and the repetition of tasks. */
import { z } from 'zod'
import { invalid } from '../../src/base/errors.ts'
import { TASK_STATES } from '../../src/markdown/block.ts'
import { DATE_FORMS, validateDate } from '../../src/space/model/dates.ts'
import { formatValue } from '../../src/space/model/format-value.ts'
import { WEEKDAYS } from '../../src/space/model/weekdays.ts'
import { FREQUENCIES } from '../../src/space/schedule/repeats.ts'
import { givenAssignee } from './member-shape.ts'
import { emptyIsAbsent, parsedString } from './parsed-text.ts'
import { jsonText, jsonTextAsIn } from './published.ts'

const nullableDate = parsedString((text) => {
  if (text === '') throw invalid(EMPTY_DATE)
  return validateDate(text)
})
  .nullable()
  .optional()
const EMPTY_DATE = `Expected ${DATE_FORMS}, or null to clear it, found none; leave it out to keep what is there.`
/** The dates of an existing task. An empty text could be meant to clear them. */
export const clearableDates = { scheduleDate: nullableDate, deadlineDate: nullableDate }
const DAY_SELECTORS = ['first', 'last'] as const
const DAYS_OF_MONTH = 31
const MONTHS = 12
const dynamicDays = z
  .array(z.strictObject({ selector: z.enum(DAY_SELECTORS), type: z.literal('day') }))
  .max(DAY_SELECTORS.length)
const days = z.array(z.int().min(1).max(DAYS_OF_MONTH)).max(DAYS_OF_MONTH)

export const repeat = z
  .strictObject(
    {
      type: z.enum(['flexible', 'fixed']),
      frequency: z.enum(FREQUENCIES),
      interval: z.int().min(1).optional(),
      startDate: parsedString(validateDate).optional(),
      daily: z.strictObject({ skipWeekends: z.boolean().optional() }).optional(),
      weekly: z.strictObject({ days: z.array(z.enum(WEEKDAYS)).max(WEEKDAYS.length) }).optional(),
      monthly: z
        .strictObject({
          days: days.optional(),
          dynamicDays: dynamicDays.optional(),
          skipWeekends: z.boolean().optional(),
        })
        .optional(),
      yearly: z
        .strictObject({
          months: z.array(z.int().min(1).max(MONTHS)).max(MONTHS),
          days: days.optional(),
          dynamicDays: dynamicDays.optional(),
        })
        .optional(),
      reminder: z.strictObject({ enabled: z.boolean(), dateOffset: z.int().optional() }).optional(),
    },
    {
      error: ({ code, input }) =>
        code === 'invalid_type' && typeof input === 'string' && !/^\s*[[{]/.test(input)
          ? `Expected a rule as { type: fixed or flexible, frequency: daily, weekly, monthly or yearly }, or words such as daily or every 2 weeks, found ${formatValue(input)}.`
          : undefined,
    },
  )
  .meta({
    component: 'Repeat',
    ...jsonText('{ type: flexible or fixed, frequency: daily, weekly, monthly or yearly, interval, weekly: { days } }'),
  })

/** The task fields of a block. */
export const taskInfo = z.strictObject({
  state: z.enum(TASK_STATES).optional(),
  scheduleDate: nullableDate.meta(emptyIsAbsent),
  deadlineDate: nullableDate.meta(emptyIsAbsent),
  assignee: givenAssignee,
  // Set by the space. Accepted so that a task can be written back, and ignored.
  completedAt: z.string().optional().meta({ hidden: true }),
  canceledAt: z.string().optional().meta({ hidden: true }),
  repeat: repeat
    .nullable()
    .optional()
    .meta({ ...jsonTextAsIn('tasks_add'), ...emptyIsAbsent }),
})

/** The state and dates of an existing task. */
export const updatedTaskInfo = taskInfo.extend({
  ...clearableDates,
  repeat: repeat.meta(jsonTextAsIn('blocks_add')).nullable().optional(),
})

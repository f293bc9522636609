/** In order, from Monday. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** The day on which weeks begin on the pages, or that of the language of each reader. */
export const WEEK_STARTS = [...WEEKDAYS, 'language'] as const
export type WeekStart = (typeof WEEK_STARTS)[number]

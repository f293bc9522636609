/** Ratings: whole numbers from 1 to 5 or 10 stars. */

/** How many stars a rating can have at most. The first is the default. */
export const RATING_MAXIMA: readonly number[] = [5, 10]
export const DEFAULT_RATING_MAX = 5

/** How many stars the ratings of a property have at most. @param config  as it is stored */
export function ratingMax({ config }: { config: string | null }): number {
  const { max = DEFAULT_RATING_MAX } = JSON.parse(config ?? '{}') as { max?: number }
  return max
}

export const isRating = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max

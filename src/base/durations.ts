/** Durations as people write them: `90d`, `12h`. */

const UNIT_MS: ReadonlyMap<string, number> = new Map(
  Object.entries({ m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }),
)

/** Milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (UNIT_MS.get(unit) ?? 0)
}

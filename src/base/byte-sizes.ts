/** Sizes in bytes as people write and read them. */

/** Decimal units, as disks are sold, and binary ones. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ...(['K', 'M', 'G', 'T'] as const).flatMap((letter, index): [string, number][] => [
    [`${letter}B`, 1000 ** (index + 1)],
    [`${letter}IB`, 1024 ** (index + 1)],
  ]),
])

/** Parses `10 GB`, `512MiB` or `1.5 TB`. @returns bytes; undefined for any other text */
export function parseBytes(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]{1,3})$/i.exec(text.trim()) ?? []
  const size = UNITS.get(unit.toUpperCase())
  const bytes = size === undefined ? Number.NaN : Math.round(Number(amount) * size)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Formats bytes in the largest decimal unit of which there is at least one: `10 GB`, `1.2 MB`, `0 B`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const
  let [amount, index] = [bytes, 0]
  while (amount >= 1000 && index < units.length - 1) [amount, index] = [amount / 1000, index + 1]
  return `${Math.round(amount * 10) / 10} ${units[index]}`
}

/** A number as messages and texts in English have it: `1,234,567`. */
export const formatNumber = (value: number | bigint): string => value.toLocaleString('en-US')

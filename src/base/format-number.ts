/**
 * A whole number as messages and texts in English have it: `1,234,567`. `toLocaleString` loads data of all languages
 * when it is first called, which is 12 ms of each start.
 */
export const formatNumber = (value: number | bigint): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')

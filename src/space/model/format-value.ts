const MAX_SHOWN_LENGTH = 60

/** Formats an invalid value for an error message, shortened. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

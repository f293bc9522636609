/**
 * Removes what depends on the program rather than the space: the patterns in a JSON Schema, which a later version may
 * make stricter; which blocks around a match are shown with it, and why it matched; the shades of colors; the
 * addresses at which programs open a block; and by which names beside its key views refer to a property.
 */
export const ofSpace = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(parsed(answer), (key, value) =>
      OF_PROGRAM.has(key) ? undefined : withoutReference(withoutAdvice(value)),
    ) ?? 'null',
  )
/** Long answers are JSON text. */
const parsed = (answer: unknown): unknown =>
  typeof answer === 'string' && answer.startsWith('{"') ? JSON.parse(answer) : answer
const OF_PROGRAM: ReadonlySet<string> = new Set([
  ...['pattern', 'beforeBlocks', 'afterBlocks', 'why', 'displayColor', 'clickableLink', 'webLink'],
])

/** Without what a connection is told of itself, and without the words that say what to do next. */
function withoutAdvice(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { link, message, ...rest } = value as Record<string, unknown>
  if (typeof rest.note === 'string') return { ...value, note: rest.note.replace(/; if that is not enough, [^.]*/, '') }
  if ('urlTemplates' in value) {
    // Members got their IDs by chance when the space was migrated.
    const { members: _, ...others } = rest
    return others
  }
  return 'remaining' in value && 'cursor' in value ? { ...(link !== undefined && { link }), ...rest } : value
}

/** A rule without its reference to a property, the type of a calculation, or the ID of a property alone. */
function withoutReference(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('propertyId' in value)) return value
  const { propertyId, propertyKey: _, propertyName: __, ...rest } = value as Record<string, unknown>
  const keys = Object.keys(rest)
  if (keys.length === 0) return propertyId
  return keys.length === 1 && keys[0] === 'type' ? rest.type : rest
}

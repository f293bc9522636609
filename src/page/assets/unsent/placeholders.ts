/** Placeholders for the IDs of what queued calls will create. */
import { randomHex } from '../session-name.ts'

const NAME_BYTES = 16

/** A placeholder for the ID of something that a call will create. */
export const newName = (): string => `new-${randomHex(NAME_BYTES)}`

export const isName = (id: string): boolean => id.startsWith('new-')

/** Looks up the IDs of placeholders. */
export interface Names {
  get(name: string): Promise<{ id: string } | undefined>
}

/** Replaces placeholders by the IDs that earlier calls created. */
export async function withIds(given: Record<string, unknown>, names: Names): Promise<Record<string, unknown>> {
  const replaced = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return isName(value) ? ((await names.get(value))?.id ?? value) : value
    if (Array.isArray(value)) return Promise.all(value.map(replaced))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await replaced(inner)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  return (await replaced(given)) as Record<string, unknown>
}

/** The IDs in the answer of a call, by placeholder. @param names  each with the path of its ID, such as `items.0.id` */
export function idsIn(answer: unknown, names: Readonly<Record<string, string>> = {}): [name: string, id: string][] {
  return Object.entries(names).flatMap(([name, path]) => {
    const id = path
      .split('.')
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], answer)
    return typeof id === 'string' ? [[name, id]] : []
  })
}

/** What scripts of a page use of a browser, apart from IndexedDB. */
import { vi } from 'vitest'

/** A storage in memory. Its keys are its own properties, as those of a browser's are. */
function memoryStorage(): Storage {
  const methods = {
    getItem: (key: string) => (Object.hasOwn(storage, key) ? String(storage[key]) : null),
    setItem(key: string, value: string) {
      storage[key] = value
    },
    removeItem(key: string) {
      delete storage[key]
    },
  }
  const storage: Record<string, unknown> = Object.create(methods)
  return storage as unknown as Storage
}

/** Replaces the document, the window and localStorage. */
export function stubPage(dataset: Record<string, string> = {}): void {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { body: { dataset } }))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', memoryStorage())
}

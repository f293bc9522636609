/** Functions of Node's own modules that a test replaces until it has finished. */
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/**
 * Modules that were loaded before see it as well, unlike with `vi.mock`, so that it does not matter what ran earlier.
 *
 * @param module  the default export of a module of Node
 * @param make  gets the real function
 */
export function replaceBuiltin<Module extends object, Name extends keyof Module>(
  module: Module,
  name: Name,
  make: (real: Module[Name]) => Module[Name],
): void {
  const real = module[name]
  const set = (value: Module[Name]) => {
    module[name] = value
    syncBuiltinESMExports()
  }
  set(make(real))
  onTestFinished(() => set(real))
}

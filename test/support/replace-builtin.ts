/** Replaces functions of Node's built-in modules until a test has finished. */
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/**
 * Replaces a function. Unlike with `vi.mock`, modules that were loaded earlier see the replacement too, so the order of
 * tests does not matter.
 *
 * @param module  the default export of a built-in module
 * @param make  receives the real function and returns the replacement
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

/** Bundles those scripts of the pages that consist of modules and libraries, for browsers. */
import { type Plugin, rolldown } from 'rolldown'
import { SCRIPT_SOURCES } from '../src/page/scripts.ts'

export interface BundledScript {
  /** Such as `edit-1a2b3c4d.js`: the name of the script, and a hash of its bytes. */
  file: string
  code: string
}

export interface BundledScripts {
  files: BundledScript[]
  /** The paths of the bundled modules, for their licenses. */
  modules: string[]
}

/** No script reads a property for what that does. Without this, parts of libraries that are not used would stay. */
const TREESHAKE = { propertyReadSideEffects: false } as const

/** Bundles all scripts, with shared chunks. @param plugins  change the sources */
export async function bundlePageScripts(plugins: readonly Plugin[] = []): Promise<BundledScripts> {
  const bundle = await rolldown({
    input: SCRIPT_SOURCES,
    plugins: [...plugins],
    platform: 'browser',
    tsconfig: false,
    treeshake: TREESHAKE,
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    // The package has the licenses of all modules in one file.
    comments: false,
  })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  return {
    files: chunks.map(({ fileName, code }) => ({ file: fileName, code })),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

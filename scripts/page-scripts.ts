/** Bundles the scripts of the pages that are made of modules and libraries, for browsers. */
import { rolldown } from 'rolldown'
import { SCRIPT_SOURCES } from '../src/page/scripts.ts'

export interface BundledScript {
  /** `edit-1a2b3c4d.js`: the name of the script, and a hash of its bytes. */
  file: string
  code: string
}

export interface BundledScripts {
  files: BundledScript[]
  /** The paths of the modules in them, for their licenses. */
  modules: string[]
}

/** Each script, and what several of them share. */
export async function bundlePageScripts(): Promise<BundledScripts> {
  const bundle = await rolldown({ input: SCRIPT_SOURCES, platform: 'browser', tsconfig: false })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
  })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  return {
    files: chunks.map(({ fileName, code }) => ({ file: fileName, code })),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

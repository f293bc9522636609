/** What the package has otherwise than a checkout, for a quicker start: what a start has no use for it does not load. */
import crypto from 'node:crypto'
import type { Plugin } from 'rolldown'

export const VALIDATOR = '@modelcontextprotocol/server/validators/ajv'

/**
 * What a checkout loads as CommonJS, to be quick, is bundled from its ES modules, of which only what is used is kept.
 * Such a line reads `export const { … } = require('…') as …`.
 */
export const bundledModules: Plugin = {
  name: 'bundled-modules',
  transform: {
    filter: { id: /storage\/drizzle\.ts$/ },
    handler: (code) => code.replaceAll(/export const (\{[^}]*\}) =\s+require\(('[^']+')\) as .*/g, 'export $1 from $2'),
  },
}

/**
 * Modules that are written anew, since a start would load with them what it has no use for: a validator of JSON Schema,
 * which the SDK has for what hosts fill in, and the cryptography of Node, of which a call needs some and a start none.
 * Both are loaded where they are asked for.
 */
export const laterModules: Plugin = {
  name: 'later-modules',
  resolveId(id, importer = '') {
    // Packages import of it what is no function, too.
    const isLater = id === SHIMS || (id === 'node:crypto' && !importer.includes('node_modules'))
    return isLater ? `\0${id}` : null
  },
  load: (id) => LATER[id.slice(1)] ?? null,
}

const SHIMS = '@modelcontextprotocol/server/_shims'

const LATER: Record<string, string> = {
  [SHIMS]: `
    import { createRequire } from 'node:module'
    export { default as process } from 'node:process'
    const require = createRequire(import.meta.url)
    export class DefaultJsonSchemaValidator {
      getValidator(schema) {
        const { AjvJsonSchemaValidator } = require('${VALIDATOR}')
        return new AjvJsonSchemaValidator().getValidator(schema)
      }
    }`,
  'node:crypto': Object.keys(crypto)
    .filter((name) => /^[a-z]/.test(name) && typeof crypto[name as keyof typeof crypto] === 'function')
    .map((name) => `export const ${name} = (...given) => process.getBuiltinModule('node:crypto').${name}(...given)`)
    .join('\n'),
}

/**
 * As it loads the SDK makes a schema of everything that the protocol and sign-in know, and keeps them by their names for
 * programs that check such things themselves: a tenth of a start. Those that nothing else uses are left out.
 */
export const usedSchemas: Plugin = {
  name: 'used-schemas',
  transform: {
    filter: { id: /@modelcontextprotocol\/(core\/dist\/(schemas|auth)|server\/dist\/src)-[^/]*\.mjs$/ },
    handler(code, id) {
      const isKeeper = id.includes('/server/')
      const edits = this.parse(code).body.flatMap((part): Edit[] => {
        const isKept = part.type === 'ForOfStatement' && / register\(/.test(code.slice(part.start, part.end))
        if (isKeeper) return isKept ? [{ ...part, text: () => '' }] : []
        const made = part.type === 'VariableDeclaration' ? part.declarations.map(({ init }) => init) : []
        return made.flatMap((one) => (one?.type === 'CallExpression' ? { ...one, text: pure } : []))
      })
      return edits.reduceRight(
        (written, { start, end, text }) => written.slice(0, start) + text(code.slice(start, end)) + written.slice(end),
        code,
      )
    },
  },
}

/** A part of a module, and what stands there instead. */
interface Edit {
  start: number
  end: number
  text: (was: string) => string
}

/** What may be left out where nothing uses what comes of it. */
const pure = (made: string): string => `/* @__PURE__ */ (() => ${made})()`

/** Guards of parsers and renderers, and of requests that none of them sees. */
import type { Mutation } from '../mutated-sources.ts'

export const RENDERERS: readonly Mutation[] = [
  // 25: what a page shows is limited, whatever it was made from.
  {
    file: 'src/page/blocks/formula-mathml.ts',
    find: 'if (this.counted > this.#limit) throw',
    replace: 'if (this.counted > this.#limit ** 9) throw',
  },
  {
    file: 'src/page/blocks/formula-mathml.ts',
    find: 'if (mathml.length > Math.min(FORMULA_OUTPUT_LENGTH, left.length)) return undefined',
    replace: 'if (mathml.length < FORMULA_OUTPUT_LENGTH - FORMULA_OUTPUT_LENGTH) return undefined',
  },
  {
    file: 'src/page/documents/board-worker.ts',
    find: 'return textLength > RENDER_OUTLINED_LENGTH ? svg : svgToOutlines(svg, fontFolder)',
    replace: 'return textLength < 0 && RENDER_OUTLINED_LENGTH > 0 ? svg : svgToOutlines(svg, fontFolder)',
  },
  // 26: the source of an import is read in a thread, within limits.
  {
    file: 'src/http/archives/import-runs.ts',
    find: "  const { openInThread } = await import('../../import/import-thread.ts')\n",
    replace: `  const { openUpload } = await import('../../import/open-upload.ts')
  const { findFormat } = await import('../../import/import-formats.ts')
  const openInThread = async ({ path, name, as }: { isUpload: true; path: string; name: string; as: string | undefined }) => {
    const source = await openUpload(path, name)
    return { source, format: await findFormat(source, as) }
  }
`,
  },
  ...[
    'FRONT_MATTER_SIGNS = 10_000',
    'IMPORT_TABLE_CELLS = 65_536',
    'IMPORT_ELEMENTS = 20_000',
    'IMPORT_JSON_LEVELS = 200',
  ].map(
    (limit): Mutation => ({
      file: 'src/base/limits/import-limits.ts',
      find: `export const ${limit}\n`,
      replace: `export const ${limit.replace(/\d[\d_]*$/, 'Infinity')}\n`,
    }),
  ),
  // 27: every request is counted before its handler could refuse it.
  {
    file: 'src/mcp/self-counting.ts',
    find: 'if (method === undefined || !isJSONRPCRequest(request) || !method.isValid(request)) return false',
    replace:
      'if (method === undefined) return Reflect.has({}, request.method) || (!isJSONRPCRequest(request) && !isSpecType)',
  },
  {
    file: 'src/mcp/self-counting.ts',
    find: 'return Object.keys(params).every((key) => method.params.includes(key)) && Object.entries(_meta).every(isPlainMeta)',
    replace: 'return Object.keys(params).length >= 0 || (method.isValid(_meta) && isPlainMeta.length > 0)',
  },
  {
    file: 'src/mcp/streamable-http.ts',
    find: 'if (!response.ok) await countRequests(',
    replace: 'if (!response.ok && !parsed) await countRequests(',
  },
  // 29: what takes long is rendered outside of transactions, and links take turns.
  {
    file: 'src/call/prepared-call.ts',
    find: '? await handle() :',
    replace: `? await handle().then((handled) =>
    endpoint.name === 'blocks_get' ? endpoint.finish?.(handled, undefined as never) : handled) :`,
  },
  {
    file: 'src/base/fair-queue.ts',
    find: '    const owner = ownerOfWork()\n',
    replace: '    const owner = ownerOfWork().slice(0, 0)\n',
  },
]

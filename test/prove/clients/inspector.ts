/** The command line of the MCP Inspector. With --strict it reports parts of tool schemas that some hosts refuse. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { type HostClient, outcomeOf, type Target } from './client.ts'

const SCRIPT = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
/** The exit code for a refused tool call. */
const REFUSED = 5

/** The warning about a type that null clears, such as `["string","null"]`: hosts of 2026 accept it. */
const NULLABLE = /^`type` is an array \(\["\w+","null"\]\)/

interface Printed {
  result?: { tools?: { name: string; inputSchema: unknown }[]; content?: unknown; isError?: unknown }
  schemaFindings?: { toolName: string; findings: { severity: string; schema: string; path: string; issue: string }[] }[]
}

export const inspector: HostClient = {
  name: 'MCP Inspector --cli --strict',
  packages: { '@modelcontextprotocol/inspector': '2.12.0' },
  holdsAnswers: true,
  async connect(target, { folder }) {
    const ask = (...flags: string[]) => inspect(join(folder, SCRIPT), target, flags)
    return {
      async tools() {
        const { result, schemaFindings: found = [] } = await ask('--method', 'tools/list', '--strict')
        const [first] = found
          .flatMap(({ toolName, findings }) => findings.map((one) => ({ toolName, ...one })))
          .filter(({ severity, issue }) => severity !== 'warning' || !NULLABLE.test(issue))
        if (first !== undefined) {
          const { toolName, severity, schema, path, issue } = first
          throw new Error(`${severity} of ${toolName}, ${schema}.${path}: ${issue}`)
        }
        return (result?.tools ?? []).map(({ name, inputSchema }) => ({ name, parameters: inputSchema }))
      },
      async call(name, args) {
        const flags = ['--tool-name', name, '--tool-args-json', JSON.stringify(args)]
        const { result = {} } = await ask('--method', 'tools/call', ...flags)
        return outcomeOf(result)
      },
      close: async () => {},
    }
  },
}

function inspect(script: string, target: Target, flags: readonly string[]): Promise<Printed> {
  const reached =
    'url' in target ? ['--transport', 'http', '--server-url', target.url] : [target.command, ...target.args]
  const args = [script, '--cli', ...reached, '--format', 'json', ...flags]
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (_, output, errors) => {
      const text = output.trim()
      const isDone = child.exitCode === 0 || child.exitCode === REFUSED || text.startsWith('{')
      if (isDone) resolve(JSON.parse(text))
      else reject(new Error(`Expected an answer, found exit code ${child.exitCode}: ${errors.slice(-500)}`))
    })
    child.stdin?.end()
  })
}

/** The guards against other users of the machine, its faults, hostile web pages, and thieves of tokens. */
import type { Mutation } from '../mutated-sources.ts'

export const MACHINE: readonly Mutation[] = [
  // 14: compiled code is in a place where no other user can put files.
  {
    file: 'src/start.js',
    find: 'if (folder !== undefined) module.enableCompileCache?.(folder)',
    replace: 'module.enableCompileCache?.()',
  },
  // 15: the files of a space are created for their owner only, and closed to others if they were not.
  {
    file: 'storage/sqlite/private-files.ts',
    find: 'PRIVATE_FILE = 0o600',
    replace: 'PRIVATE_FILE = 0o644',
  },
  {
    file: 'storage/sqlite/private-files.ts',
    find: 'PRIVATE_FOLDER = 0o700',
    replace: 'PRIVATE_FOLDER = 0o755',
  },
  {
    file: 'storage/sqlite/private-files.ts',
    find: 'chmodSync(path, stats.mode & 0o700)',
    replace: 'chmodSync(path, stats.mode)',
  },
  // 16: the checks run on the opened file, not on its path, and the root may be an allowed folder.
  {
    file: 'storage/bytes/space-files.ts',
    find: ' | (constants.O_NOFOLLOW ?? 0)',
    replace: '',
  },
  {
    file: 'storage/bytes/local-files.ts',
    find: `if (place === undefined || !isBelow(place, folders)) throw rejection
    if (await isPathOfSpace(place, space)) throw ofSpace`,
    replace: '',
  },
  {
    file: 'storage/bytes/local-files.ts',
    find: 'if (await isFileOfSpace(file, space)) throw ofSpace',
    replace: '',
  },
  {
    file: 'storage/bytes/space-files.ts',
    find: 'for (const database of possibleDatabases(path)) if (await isDatabaseAt(database, space)) return true',
    replace: '',
  },
  {
    file: 'storage/bytes/local-files.ts',
    find: 'file.isFile() && (file.nlink === 1 || isOwn)',
    replace: 'file.isFile() && (file.nlink > 0 || isOwn)',
  },
  {
    file: 'storage/bytes/local-files.ts',
    find: 'path.startsWith(folder.endsWith(sep) ? folder : folder + sep)',
    replace: 'path.startsWith(folder + sep)',
  },
  // 17: the metrics port answers only to host names of this machine, and responses have the type that they declare.
  {
    file: 'src/http/metrics.ts',
    find: 'if (isLoopbackHost(host) && !validateHostHeader(headers.host, localhostAllowedHostnames()).ok) {',
    replace: 'if (false) {',
  },
  {
    file: 'src/http/app.ts',
    find: "outgoing.setHeader('X-Content-Type-Options', 'nosniff')",
    replace: '',
  },
  {
    file: 'src/auth/issuer/oidc-adapter.ts',
    find: "if (model === 'RefreshToken') await storeSuccessor(signIns, keyOf, id)",
    replace: "if (model === 'none') storeSuccessor(signIns, keyOf, id)",
  },
  {
    file: 'src/markdown/addresses.ts',
    find: 'return UNSAFE_ADDRESS.test(url) && !(isShown && MEDIA_DATA.test(url))',
    replace: 'return UNSAFE_ADDRESS.test(url) && isShown && !MEDIA_DATA.test(url)',
  },
  // 18: what fails in the background is logged.
  {
    file: 'src/cli/main.ts',
    find: '    keepServing(logger.error)\n',
    replace: '',
  },
  {
    file: 'src/http/archives/import-runs.ts',
    find: "import { BackgroundWork, inBackground, type Log, tryAndLog } from '../../base/background.ts'\n",
    replace: `import { BackgroundWork, inBackground, type Log } from '../../base/background.ts'
const tryAndLog = async (_: string, work: () => unknown, __: Log): Promise<void> => void (await work())
`,
  },
  {
    file: 'src/http/archives/export-files.ts',
    find: "onFinish(() => inBackground('remove the folder of an export', clean, log))",
    replace: 'onFinish(() => void clean())',
  },
  {
    file: 'src/http/archives/import-runs.ts',
    find: '          lease?.release()\n          await received.release()\n',
    replace: '          lease?.release()\n          void received.release()\n',
  },
  // 21: what is mistyped is refused.
  {
    file: 'src/local/create-server.ts',
    find: '  assertServerOptions(options, OPTION_RULES satisfies Record<keyof ServerOptions, unknown>)\n',
    replace: '',
  },
  {
    file: 'src/cli/flag-values.ts',
    find: "  if (text === '')\n",
    replace: "  if (text === '') return undefined\n  if (shown === '')\n",
  },
  {
    file: 'storage/postgres/address.ts',
    find: '  for (const [name, value] of parameters) checkParameter(name, value)\n',
    replace: '',
  },
  {
    file: 'src/cli/options.ts',
    find: '  assertPartners(command,',
    replace: '  if (help) assertPartners(command,',
  },
  {
    file: 'src/call/catalog/tool-selection.ts',
    find: 'if (meant === undefined) continue',
    replace: 'if (meant === undefined || name !== meant) continue',
  },
]

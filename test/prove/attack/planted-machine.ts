/** What holds off other users of the machine, hostile web pages, and who has stolen something. */
import type { Mutation } from '../mutated-sources.ts'

export const MACHINE: readonly Mutation[] = [
  // 14: compiled code lies where nobody else can put any.
  {
    file: 'src/start.js',
    find: 'if (folder !== undefined) module.enableCompileCache?.(folder)',
    replace: 'module.enableCompileCache?.()',
  },
  // 15: what a space keeps is made for its owner alone, and closed to others where it was not.
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
  // 16: what was opened is asked where it is and what it is, and folders may be the root.
  {
    file: 'storage/bytes/space-files.ts',
    find: ' | (constants.O_NOFOLLOW ?? 0)',
    replace: '',
  },
  {
    file: 'storage/bytes/local-files.ts',
    find: 'if (place === undefined || !isBelow(place, folders) || (await isPathOfSpace(place, space))) throw rejection',
    replace: '',
  },
  {
    file: 'storage/bytes/local-files.ts',
    find: 'if (await isFileOfSpace(file, space)) throw rejection',
    replace: '',
  },
  {
    file: 'storage/bytes/space-files.ts',
    find: 'for (const database of databasesBeside(path)) if (await isDatabaseAt(database, space)) return true',
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
  // 17: the port of metrics answers to names of this machine, and what is answered is what it says.
  {
    file: 'src/http/metrics.ts',
    find: 'if (!validateHostHeader(headers.host, localhostAllowedHostnames()).ok) {',
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
]

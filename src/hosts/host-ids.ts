/**
 * The IDs of the hosts that `install` supports. In a separate module from the host table, since the help needs only
 * these.
 */
export const HOST_IDS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'windsurf',
  'zed',
  'goose',
  'gemini-cli',
  'lm-studio',
] as const

export type HostId = (typeof HOST_IDS)[number]

/** The hosts that `install` knows, by the names that it takes. Apart from their table, since the help lists them. */
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

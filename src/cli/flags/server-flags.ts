/** Flags of the servers: where they listen, who signs in, what is limited. */
import { formatNumber } from '../../base/format-number.ts'
import {
  ADDRESS_WINDOW_SECONDS,
  BLOCKS_PER_WINDOW,
  FILE_BYTES,
  PAGE_REQUESTS_PER_ADDRESS,
  REQUESTS_PER_ADDRESS,
  REQUESTS_PER_WINDOW,
} from '../../base/limits.ts'
import { LOG_LEVELS, type LogLevel } from '../../base/logger.ts'
import { ACCESS_LEVELS, type AccessLevel } from '../../space/model/space.ts'
import { ADDRESS_COMMANDS, SERVER_COMMANDS, SIGN_IN_COMMANDS } from '../command-sets.ts'
import type { Flag } from './flag.ts'
import {
  choiceOf,
  type Parser,
  parseFileLimit,
  parseIssuer,
  parseLimit,
  parseNetworks,
  parsePort,
  parsePublicUrl,
  parseSize,
} from './parsers.ts'

export const MEBIBYTE = 1024 * 1024
export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4810
/** The port on which `open` serves its pages. Links of agents lead there. */
export const DEFAULT_PAGE_PORT = 4811

export const serverFlags = {
  host: {
    value: 'HOST',
    about: `The name or address to listen on. Default: ${DEFAULT_HOST}.`,
    fallback: DEFAULT_HOST,
    onlyFor: ['serve', ...ADDRESS_COMMANDS],
  },
  port: {
    value: 'PORT',
    about: `The port to listen on; 0 picks a free one. Default: ${DEFAULT_PORT}, and ${DEFAULT_PAGE_PORT} with \`open\`.`,
    parse: parsePort,
    onlyFor: ['serve', 'open', ...ADDRESS_COMMANDS],
  },
  'no-browser': { about: 'Print the address instead of opening a browser.', onlyFor: ['open'] },
  'public-url': {
    value: 'URL',
    about: 'The address of the server from outside. The server then also answers to this host name.',
    parse: parsePublicUrl,
    onlyFor: ['serve', ...ADDRESS_COMMANDS],
  },
  'tls-cert': { value: 'FILE', about: 'The certificate for HTTPS, as PEM; with `--tls-key`.', onlyFor: ['serve'] },
  'tls-key': { value: 'FILE', about: 'The key of the certificate, as PEM.', onlyFor: ['serve'] },
  'trust-proxy': {
    about:
      "Read the client's address from `X-Forwarded-For`: the last entry, which the proxy in front added. Every client that connects is trusted, so if anything besides the proxy can connect, use `--trusted-proxies` instead.",
    onlyFor: ['serve'],
  },
  'trusted-proxies': {
    value: 'LIST',
    about:
      "The proxies in front, as addresses or networks (`10.0.0.0/8`), separated by commas. The client's address is the last entry in `X-Forwarded-For` that is not one of them.",
    parse: parseNetworks,
    onlyFor: ['serve'],
  },
  'metrics-port': {
    value: 'PORT',
    about: 'A second port with `/metrics` for Prometheus.',
    see: 'deploying.md#metrics',
    parse: parsePort,
    onlyFor: ['serve'],
  },
  'metrics-host': {
    value: 'HOST',
    about: `The address to listen on for \`--metrics-port\`, such as \`0.0.0.0\` in a container. Any other than ${DEFAULT_HOST} lets other machines read the metrics. Default: ${DEFAULT_HOST}.`,
    fallback: DEFAULT_HOST,
    onlyFor: ['serve'],
  },
  'log-level': {
    value: LOG_LEVELS.join('|'),
    about:
      'The lowest severity to log: `info` for everything, including a line per request; `warn`; or `error` for server faults only. Default: info.',
    parse: choiceOf(LOG_LEVELS) as Parser<LogLevel>,
    fallback: 'info',
    onlyFor: ['serve'],
  },
  oauth: {
    about: 'Let participants with a password sign in at this server.',
    see: 'sign-in.md',
    onlyFor: ['serve'],
  },
  'oauth-issuer': {
    value: 'URL',
    about: 'The identity provider whose access tokens are accepted.',
    see: 'sign-in.md',
    parse: parseIssuer,
    onlyFor: SIGN_IN_COMMANDS,
  },
  'oauth-audience': {
    value: 'AUDIENCE',
    about:
      'An audience that is accepted in addition to the addresses of the space, for providers that cannot issue tokens for those.',
    onlyFor: ['serve'],
  },
  'oauth-client-id': {
    value: 'ID',
    about: 'The client ID of this server at the identity provider, where people sign in to see the pages.',
    onlyFor: ['serve'],
  },
  'oauth-access': {
    value: ACCESS_LEVELS.join('|'),
    about: 'The access that hosts request first. They request more when they need it. Default: no-delete.',
    parse: choiceOf(ACCESS_LEVELS) as Parser<AccessLevel>,
    fallback: 'no-delete',
    onlyFor: ['serve'],
  },
  subject: {
    value: 'SUB',
    about: "The participant's `sub` claim at the identity provider.",
    onlyFor: ['participants add', 'participants remove'],
  },
  password: {
    about:
      'Let the participant sign in at this server (`serve --oauth`) with a password, which is read from the terminal or from the first line of standard input. With `participants remove`, disable it.',
    onlyFor: ['participants add', 'participants remove'],
  },
  'limit-requests': {
    value: 'N',
    about: `Calls per minute over all connections of a space; 0 for no limit. Default: ${REQUESTS_PER_WINDOW}.`,
    parse: parseLimit,
    fallback: REQUESTS_PER_WINDOW,
    onlyFor: SERVER_COMMANDS,
  },
  'limit-blocks': {
    value: 'N',
    about: `Blocks read or written per minute; 0 for no limit. Default: ${formatNumber(BLOCKS_PER_WINDOW)}.`,
    parse: parseLimit,
    fallback: BLOCKS_PER_WINDOW,
    onlyFor: SERVER_COMMANDS,
  },
  'limit-ip': {
    value: 'N',
    about: `Calls per ${ADDRESS_WINDOW_SECONDS} seconds from one public address, over all spaces; 0 for no limit. Default: ${REQUESTS_PER_ADDRESS}. The pages for people may ask ${PAGE_REQUESTS_PER_ADDRESS / REQUESTS_PER_ADDRESS} times as often.`,
    parse: parseLimit,
    fallback: REQUESTS_PER_ADDRESS,
    onlyFor: ['serve'],
  },
  'limit-file': {
    value: 'MIB',
    about: `Maximum size of one file in MiB; 0 for no limit. Default: ${FILE_BYTES / MEBIBYTE}.`,
    parse: parseFileLimit,
    fallback: FILE_BYTES,
    onlyFor: SERVER_COMMANDS,
  },
  quota: {
    value: 'SIZE',
    about:
      'How much each space may store, including history and files, such as `10GB` or `512MiB`; 0 for no limit. Default: 10GB with `--spaces` and `--database`, otherwise no limit.',
    see: 'limits.md#bytes',
    parse: parseSize,
    onlyFor: ['serve'],
  },
  'link-quota': {
    value: 'SIZE',
    about:
      'How much data each link may write and keep stored, including history and files, such as `1GB`; 0 for no limit. Default: 0.',
    parse: parseSize,
    onlyFor: ['serve'],
  },
} as const satisfies Record<string, Flag>

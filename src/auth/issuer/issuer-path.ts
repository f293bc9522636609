/** Where the issuer of a space is. */

export const ISSUER_PATH = /^.*?\/spaces\/([^/]+)\/oauth(?=\/|$)/

/** The key of the space that a path is of; '' for what is no such path. */
export const issuerSpaceKey = (path: string): string => ISSUER_PATH.exec(path)?.[1] ?? ''

/** Converts untrusted text, colors and numbers to valid SVG values. Client input is never treated as SVG itself. */

export const round = (value: number): number => Math.round(value * 100) / 100

/** Escapes text for XML and drops characters that XML does not allow. */
export function escapeXml(text: string): string {
  const valid = text.toWellFormed().replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
  return valid.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const COLOR_PATTERN =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30}|(?:rgb|hsl)a?\((?:\s*[\d.]{1,9}(?:%|deg)?\s*[,/ ]?){3,4}\))$/i

/** The value if it is a valid SVG color, otherwise the fallback. */
export const toColor = (value: unknown, fallback: string): string =>
  typeof value === 'string' && COLOR_PATTERN.test(value) ? value.toLowerCase() : fallback

/** A color as attributes. `#rrggbbaa` is split into color and opacity, since not every SVG reader supports it. */
export function paintAttributes(attribute: 'fill' | 'stroke', color: string): string {
  if (color === 'transparent') return `${attribute}="none"`
  const [, long, alpha] = /^(#[0-9a-f]{6})([0-9a-f]{2})$/.exec(color) ?? []
  if (long === undefined || alpha === undefined) return `${attribute}="${color}"`
  return `${attribute}="${long}" ${attribute}-opacity="${round(Number.parseInt(alpha, 16) / 255)}"`
}

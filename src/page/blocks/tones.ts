/**
 * Maps colors to a few tones that are readable in both themes, for tags and for browsers that cannot read the colors of
 * a block from its attributes.
 */
const TONES = ['red', 'orange', 'yellow', 'green', 'cyan', 'blue', 'purple', 'pink'] as const
/** The upper bound of each tone, in degrees of hue. */
const ENDS = [16, 45, 70, 165, 200, 255, 290, 345] as const
/** Colors with a lower chroma (0 to 255) are gray. */
const GRAY = 24

/** @param color  `#rrggbb` */
export function toneOf(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const most = Math.max(red, green, blue)
  const chroma = most - Math.min(red, green, blue)
  if (!(chroma >= GRAY)) return 'gray'
  const sector =
    most === red ? (green - blue) / chroma : most === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma
  const hue = (sector * 60 + 360) % 360
  return TONES[ENDS.findIndex((end) => hue < end)] ?? 'red'
}

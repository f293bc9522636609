/** German: what stands around each page. */
export const FRAME = {
  Home: 'Start',
}

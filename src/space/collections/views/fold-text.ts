/** Text as filters and sorts compare it: letter case and accents do not matter. */
export const foldText = (text: string): string =>
  (ASCII_ONLY.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase()

const ASCII_ONLY = /^\p{ASCII}*$/u

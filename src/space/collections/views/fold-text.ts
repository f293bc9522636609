/** Folds text for filters and sorts, so that case and accents are ignored. */
export const foldText = (text: string): string =>
  (ASCII_ONLY.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase()

const ASCII_ONLY = /^\p{ASCII}*$/u

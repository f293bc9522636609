/** Formats a place for people: "line 3, column 1". The arguments count from 0, the output from 1. */
export const formatPlace = (line: number, column: number): string => `line ${line + 1}, column ${column + 1}`

/** What a flag is: its parser, its default and its text, for parsing, `--help`, completion, the manual and docs/cli.md. */
import type { Command } from '../commands.ts'
import type { Parser } from './parsers.ts'

export interface Flag<Value = unknown> {
  /** The placeholder for the value in the help: a word in capitals, or all values. Flags without it are switches. */
  value?: string
  /** What it does, as Markdown. The help shows it without marks. */
  about: string
  /** A page of docs, with a heading if need be, which only docs/cli.md names. */
  see?: string
  /** Reads the value; texts without it stay as they were typed. */
  parse?: Parser<Value>
  /** The value where neither the flag nor its variable is given. */
  fallback?: Value
  /** Commands that have it; by default all that use a space. */
  onlyFor?: readonly Command[]
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type ValueOf<One> = One extends { parse: Parser<infer Value> }
  ? Value
  : One extends { value: string }
    ? string
    : boolean

/** The names of switches, which are true or false, and of flags with a default. */
type Certain<Flags> = {
  [Name in keyof Flags]: Flags[Name] extends { value: string }
    ? Flags[Name] extends { fallback: unknown }
      ? Name
      : never
    : Name
}[keyof Flags]

/** The values of flags by their names in code: `databasePool` for `--database-pool`. */
export type ValuesOf<Flags> = {
  [Name in Certain<Flags> & string as CamelCase<Name>]: ValueOf<Flags[Name]>
} & {
  [Name in Exclude<keyof Flags, Certain<Flags>> & string as CamelCase<Name>]?: ValueOf<Flags[Name]>
}

export const camelCase = (flag: string): string => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
